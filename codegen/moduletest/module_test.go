package moduletest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/internal/modproxy"
	"github.com/skelgo/skelgo/devices/opencl"

	// Imports of the packages that the programs use: go test runs the test
	// again when they change.
	_ "github.com/skelgo/skelgo/codegen"
	_ "github.com/skelgo/skelgo/skel"
)

//go:embed module.txtar
var files []byte

const skelgo = "github.com/skelgo/skelgo"

// module is a user's module.
type module struct {
	t   *testing.T
	dir string
	env []string
}

// newModule creates a module in an empty folder, as docs/tour.md describes. The
// go command has no network: the dependencies of skelgo are in the module
// cache.
func newModule(t *testing.T, archive []byte) *module {
	t.Helper()
	m := &module{t: t, dir: t.TempDir()}
	m.env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off",
		"GOTOOLCHAIN=local", "CGO_ENABLED=0")
	for _, f := range txtar.Parse(archive).Files {
		path := filepath.Join(m.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m.run("go", "mod", "init", "example.com/user")
	return m
}

// run runs a command in the module's folder and returns its output.
func (m *module) run(name string, args ...string) string {
	m.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// onDevices builds the program and runs it on the CPU and on OpenCL.
func (m *module) onDevices() {
	m.t.Helper()
	m.run("go", "build", "-o", "program.exe", ".")
	devices := []string{"cpu"}
	if openCL(m.t) {
		devices = append(devices, "opencl:0")
	}
	env := m.env
	for _, d := range devices {
		m.env = append(slices.Clone(env), "SKEL_DEVICE="+d)
		if out := m.run(filepath.Join(m.dir, "program.exe")); out != "all agree\n" {
			m.t.Errorf("on %s the program prints\n%s", d, out)
		}
	}
	m.env = env
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

// tidy replaces go mod tidy, which would need modules that only tests of skelgo
// on other systems use: skelgo's go.sum has the sums of all others.
func (m *module) tidy() {
	m.t.Helper()
	sums, err := os.ReadFile(filepath.Join(root(m.t), "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(m.dir, "go.sum"), sums, 0o644)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.run("go", "list", "-deps", "./...", skelgo+"/codegen/skelgen") // completes go.mod
}

// root returns the folder of this module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestModule follows the tour with a clone of skelgo and runs a program that
// compares skeletons with plain Go.
func TestModule(t *testing.T) {
	m := newModule(t, files)
	m.run("go", "mod", "edit", "-require="+skelgo+"@v0.0.0", "-replace="+skelgo+"="+root(t),
		"-tool="+skelgo+"/codegen/skelgen")
	m.tidy()
	m.run("go", "generate", "./...")
	if out := m.run("go", "tool", "skelgen", "-check", "./..."); out != "" {
		t.Errorf("skelgen -check says\n%s", out)
	}
	m.onDevices()
}

// TestModuleCache does the same with skelgo in the module cache. It compiles
// everything again, so it runs only with SKEL_TEST=all.
func TestModuleCache(t *testing.T) {
	if !slices.Contains(strings.Split(os.Getenv("SKEL_TEST"), ","), "all") {
		t.Skip("SKEL_TEST=all runs this test")
	}
	proxy := t.TempDir()
	if err := modproxy.Add(proxy, skelgo, "v0.1.0", os.DirFS(root(t))); err != nil {
		t.Fatal(err)
	}
	env, err := modproxy.Env(t.TempDir(), proxy)
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, files)
	m.env = append(m.env, env...)
	m.run("go", "get", skelgo+"/skel@v0.1.0")
	m.run("go", "get", "-tool", skelgo+"/codegen/skelgen@v0.1.0")
	m.run("go", "generate", "./...")
	m.onDevices()
}
