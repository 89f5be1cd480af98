package devices_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// TestDump checks the files of SKEL_DUMP: one for each text, named after the call.
func TestDump(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	t.Setenv("SKEL_DUMP", dir)
	d := devices.Wrap("fake", drivertest.NewFake(drivertest.Options{}).Device(0))
	defer d.Close()
	for _, c := range []string{"first", "first", "second"} {
		l := devices.Launch{Key: c, Name: "k", Label: "Map(a/b)", C: func() string { return c + "\n" },
			Grid: driver.Grid{Groups: 1, Lanes: 1}}
		if err := d.Launch(l); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "Map_a_b_*.kernel.c"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	const head = "// Map(a/b): kernel k on fake\n"
	for _, want := range []string{head + "first\n", head + "second\n"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no file has %q:\n%s", want, all.String())
		}
	}
	long := strings.Repeat("x1 + ", 100)
	if err := devices.Dump(long, ".ir", func() string { return "long" }); err != nil {
		t.Error(err)
	}
	old := filepath.Join(dir, "f.c") // of an earlier run
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := devices.Dump("f", ".c", func() string { return "new" }); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "new" {
		t.Errorf("the file of an earlier run has %q, %v", text, err)
	}
	called := false
	t.Setenv("SKEL_DUMP", "")
	if err := devices.Dump("x", ".c", func() string { called = true; return "" }); err != nil || called {
		t.Errorf("without SKEL_DUMP: %v, text was called: %v", err, called)
	}
}
