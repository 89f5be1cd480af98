package opencl_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
)

// onPocl opens a PoCL device.
func onPocl(t *testing.T) driver.Device {
	t.Helper()
	for _, d := range devices(t) {
		if d.Info().Platform == "Portable Computing Language" {
			return d
		}
	}
	t.Skip("no PoCL")
	return nil
}

func builds(t *testing.T, d driver.Device, c string) {
	t.Helper()
	k, err := d.Build(driver.Program{Name: "k", C: c})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

// TestPoclWithoutHeader checks that kernels on PoCL are built without its
// header opencl-c.h, which leaves __purefn defined, unless they use a function
// that only the header declares.
func TestPoclWithoutHeader(t *testing.T) {
	d := onPocl(t)
	builds(t, d,
		"#ifdef __purefn\n#error opencl-c.h was read\n#endif\nKERNEL k(GLOBAL f32 *p) { p[0] = skel_sin_f32(p[1]); }\n")
	builds(t, d,
		"#ifndef __purefn\n#error opencl-c.h was not read\n#endif\nKERNEL k(GLOBAL i32 *p) { p[0] = mad24(p[1], "+
			"p[2], p[3]); }\n")

	_, err := d.Build(driver.Program{Name: "k",
		C: "#line 7 \"user.go\"\nKERNEL k(GLOBAL i32 *p) { p[0] = nowhere; }\n"})
	if b, ok := errors.AsType[*opencl.BuildError](err); !ok || len(b.Errors) != 1 ||
		!strings.HasPrefix(b.Errors[0], "user.go:7: ") {
		t.Errorf("got %v, want one error at user.go:7", err)
	}
}

// TestPoclDeclarations compiles pocl.cl after opencl-c.h: the compiler rejects
// declarations that differ. mad24 makes Build read the header.
func TestPoclDeclarations(t *testing.T) {
	c, err := os.ReadFile("pocl.cl")
	if err != nil {
		t.Fatal(err)
	}
	builds(t, onPocl(t), string(c)+"KERNEL k(GLOBAL i32 *p) { p[0] = mad24(p[1], p[2], p[3]); }\n")
}

// TestPoclKeepsItsKernels checks that skelgo does not cache kernels if PoCL
// does.
func TestPoclKeepsItsKernels(t *testing.T) {
	d := onPocl(t).(driver.Fingerprint)
	t.Setenv("POCL_KERNEL_CACHE", "1")
	if f := d.Fingerprint(); f != "" {
		t.Errorf("fingerprint %.20q... with PoCL's cache on, want none", f)
	}
	t.Setenv("POCL_KERNEL_CACHE", "0")
	if d.Fingerprint() == "" {
		t.Error("no fingerprint with PoCL's cache off")
	}
}
