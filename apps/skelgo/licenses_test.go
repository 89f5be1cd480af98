package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLicenses checks that the licences name every module that this program links.
func TestLicenses(t *testing.T) {
	const format = "{{with .Module}}{{.Path}} {{.Version}}{{end}}"
	out, err := exec.Command("go", "list", "-deps", "-f", format, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name := range strings.Lines(string(out)) {
		if name = strings.TrimSpace(name); name != "" && !strings.Contains(licenses, "\n"+name+"\n") {
			t.Errorf("licenses.txt lacks %s: run go generate", name)
		}
	}
	for _, text := range []string{"\nGo, its runtime and standard library: LICENSE\n", "Creative Commons", "FreeType"} {
		if !strings.Contains(licenses, text) {
			t.Errorf("licenses.txt lacks %q", text)
		}
	}
}
