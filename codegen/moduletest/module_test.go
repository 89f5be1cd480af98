package moduletest

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/internal/modproxy"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/internal/testmodule"

	// Imports of the packages that the programs use: go test runs the test
	// again when they change.
	_ "github.com/skelgo/skelgo/codegen"
	_ "github.com/skelgo/skelgo/skel"
)

//go:embed module.txtar
var files []byte

const skelgo = testmodule.Path

// newModule creates a module of a user in an empty folder.
func newModule(t *testing.T, archive []byte) (dir string) {
	t.Helper()
	testmodule.Setenv(t)
	files, err := txtar.FS(txtar.Parse(archive))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	testmodule.Run(t, dir, "go", "mod", "init", "example.com/user")
	return dir
}

// onDevices builds the program and runs it on the CPU and on OpenCL.
func onDevices(t *testing.T, dir string) {
	t.Helper()
	testmodule.Run(t, dir, "go", "build", "-o", "program.exe", ".")
	devices := []string{"cpu"}
	if openCL(t) {
		devices = append(devices, "opencl:0")
	}
	for _, d := range devices {
		t.Setenv("SKEL_DEVICE", d)
		if out := testmodule.Run(t, dir, filepath.Join(dir, "program.exe")); out != "all agree\n" {
			t.Errorf("on %s the program prints\n%s", d, out)
		}
	}
}

// openCL reports whether there is an OpenCL device.
func openCL(t *testing.T) bool {
	t.Helper()
	devs, err := opencl.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range devs {
		d.Close()
	}
	if len(devs) == 0 && strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl") {
		t.Fatal("SKEL_REQUIRE asks for OpenCL: ", opencl.Driver{}.Missing())
	}
	return len(devs) > 0
}

// TestModule follows the tour with a clone of skelgo and runs a program that
// compares skeletons with plain Go.
func TestModule(t *testing.T) {
	dir := newModule(t, files)
	testmodule.Require(t, dir)
	testmodule.Tidy(t, dir)
	testmodule.Run(t, dir, "go", "generate", "./...")
	if out := testmodule.Run(t, dir, "go", "tool", "skelgen", "-check", "./..."); out != "" {
		t.Errorf("skelgen -check says\n%s", out)
	}
	onDevices(t, dir)
}

// TestModuleCache does the same with skelgo in the module cache. It compiles
// everything again, so it runs only with SKEL_TEST=all.
func TestModuleCache(t *testing.T) {
	if !slices.Contains(strings.Split(os.Getenv("SKEL_TEST"), ","), "all") {
		t.Skip("SKEL_TEST=all runs this test")
	}
	dir := newModule(t, files)
	proxy := t.TempDir()
	if err := modproxy.Add(proxy, skelgo, "v0.1.0", os.DirFS(testmodule.Root(t))); err != nil {
		t.Fatal(err)
	}
	env, err := modproxy.Env(t.TempDir(), proxy)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range env {
		name, value, _ := strings.Cut(s, "=")
		t.Setenv(name, value)
	}
	testmodule.Run(t, dir, "go", "get", skelgo+"/skel@v0.1.0")
	testmodule.Run(t, dir, "go", "get", "-tool", skelgo+"/codegen/skelgen@v0.1.0")
	testmodule.Run(t, dir, "go", "generate", "./...")
	onDevices(t, dir)
}
