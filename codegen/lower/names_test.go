package lower

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReserved checks that a field or local can have the name of any macro that may be
// defined where user code is, or where package skel sets the fields of an extra argument:
// cName must change it. Function-like macros do no harm there. A name that a verb completes, such as
// FOLD_%s, is defined in full in a test of the kernel.
func TestReserved(t *testing.T) {
	var files []string
	for _, pattern := range []string{
		"../../skel/*.go", "../../devices/*/prelude.*", "../../devices/internal/prelude/*",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 2 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	macro := regexp.MustCompile(`#define (\w+)(?:[^\w(%]|$)`)
	macros := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range macro.FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			if macros[name] = true; cName(name) == name {
				t.Errorf("%s defines %s, which is not reserved", filepath.Base(file), name)
			}
		}
	}
	if !macros["T"] || !macros["KERNEL"] {
		t.Error("the test does not find the macros")
	}
}
