package staletest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/internal/testmodule"
)

// TestStale generates a program, changes it, builds it, reverts the change and
// runs the binary. On the CPU the program computes what it was compiled from;
// on other devices changed functions are errors, and the others compute.
func TestStale(t *testing.T) {
	all := devicestest.All(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program, err := txtar.ParseFile("testdata/program.txtar")
	if err != nil {
		t.Fatal(err)
	}
	write := func(files ...txtar.File) {
		for _, f := range files {
			path := filepath.Join(dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(program.Files...)
	testmodule.Setenv(t)
	testmodule.Run(t, dir, "go", "mod", "init", "m")
	testmodule.Require(t, dir)
	testmodule.Tidy(t, dir)
	generate(t, dir)

	// A comment marks each change to the text of the program.
	var changed []txtar.File
	for _, f := range program.Files {
		var b strings.Builder
		for line := range strings.Lines(string(f.Data)) {
			if _, is, ok := strings.Cut(line, "// changed: "); ok {
				line = is
			}
			b.WriteString(line)
		}
		changed = append(changed, txtar.File{Name: f.Name, Data: []byte(b.String())})
	}
	write(changed...)
	binary := filepath.Join(t.TempDir(), "program")
	testmodule.Run(t, dir, "go", "build", "-o", binary, ".")
	write(program.Files...)

	for _, d := range all {
		for _, check := range []string{"", "1"} {
			name, want := d.ID(), read(t, "device.txt")
			if d.Native() {
				want = read(t, "cpu.txt")
			}
			if check != "" {
				name += "/checked"
			}
			t.Run(name, func(t *testing.T) {
				run := exec.Command(binary)
				run.Dir = t.TempDir()
				run.Env = append(os.Environ(), "SKEL_DEVICE="+d.ID(), "SKEL_CHECK="+check)
				out, err := run.CombinedOutput()
				if err != nil || string(out) != want {
					t.Errorf("%v: got\n%s\nwant\n%s", err, out, want)
				}
			})
		}
	}
}

// generate does the same as skelgen ./... .
func generate(t *testing.T, dir string) {
	program, err := codegen.Load(dir, "./...")
	if err != nil {
		t.Fatal(err)
	}
	files, problems, err := program.Generate()
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, f := range files {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
