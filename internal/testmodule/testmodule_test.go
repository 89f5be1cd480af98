package testmodule

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// user returns the folder of a module with the program of the tour.
func user(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join(Root(t), "docs/tour/dot/main.go"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "main.go"), program, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	Run(t, dir, "go", "mod", "init", "example.com/user")
	Require(t, dir)
	return dir
}

// TestTidyOnFreshMachine checks that a module of a user needs only the modules that
// go test ./... downloads: an empty module cache is filled from a proxy that has
// no others.
func TestTidyOnFreshMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks modules")
	}
	Setenv(t)
	needed := strings.Fields(Run(t, Root(t), "go", "list", "-deps", "-test",
		"-f", "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}}{{end}}{{end}}", "./..."))
	from, proxy := filepath.Join(os.Getenv("GOMODCACHE"), "cache/download"), t.TempDir()
	done := map[string]bool{}
	for _, m := range needed {
		module, version, _ := strings.Cut(m, "@")
		module = filepath.FromSlash(module)
		if done[m] {
			continue
		}
		done[m] = true
		if err := os.MkdirAll(filepath.Join(proxy, module, "@v"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{".info", ".mod", ".zip"} {
			file := filepath.Join(module, "@v", version+kind)
			if _, err := os.Stat(filepath.Join(from, file)); err != nil {
				t.Skipf("%v: skelgo is built with a vendor folder", err)
			}
			if err := os.Symlink(filepath.Join(from, file), filepath.Join(proxy, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(done) < 10 {
		t.Fatalf("go test ./... needs only %q", needed)
	}
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GOFLAGS", "-modcacherw")
	dir := user(t)
	Tidy(t, dir)
	// Without -mod=mod, an incomplete go.mod or go.sum is an error.
	list := Run(t, dir, "go", "list", "-deps", "./...", "tool")
	for _, want := range []string{Path + "/skel\n", Path + "/codegen/skelvet\n", "golang.org/x/tools/go/packages\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("the module does not depend on %s", want)
		}
	}
}

// TestSettingsOfTheUser checks that the user's settings do not reach another
// module.
func TestSettingsOfTheUser(t *testing.T) {
	if _, err := Settings(); err != nil { // the caches are those of the user
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "env")
	text := "GOPROXY=https://127.0.0.1:1\nGOFLAGS=-mod=vendor\nGOWORK=/nonexistent/go.work\nCGO_ENABLED=1\n" +
		"GOMODCACHE=" + t.TempDir() + "\nGOCACHE=off\n"
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(){
		"go env -w": func() { t.Setenv("GOENV", settings) },
		"environment": func() {
			for line := range strings.Lines(text) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				t.Setenv(name, value)
			}
		},
		"GO111MODULE": func() { t.Setenv("GO111MODULE", "off") },
	} {
		set()
		Setenv(t)
		dir := user(t)
		Tidy(t, dir)
		if list := Run(t, dir, "go", "list", "-deps", "."); !strings.Contains(list, Path+"/skel\n") {
			t.Errorf("%s: the module does not depend on skel:\n%s", name, list)
		}
	}
}
