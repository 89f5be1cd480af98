package testmodule

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Path is the path of skelgo's module.
const Path = "github.com/skelgo/skelgo"

// env holds what go env says in the folder of the test.
type env struct{ GOCACHE, GOMODCACHE, GOMOD string }

var readEnv = sync.OnceValues(func() (e env, err error) {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOMOD").Output()
	if err != nil {
		return e, fmt.Errorf("go env: %w", err)
	}
	return e, json.Unmarshal(out, &e)
})

// Settings returns the environment variables with which the go command works in
// another module. They include the caches, so a test may change HOME.
func Settings() ([]string, error) {
	e, err := readEnv()
	return []string{
		"GOCACHE=" + e.GOCACHE,
		"GOMODCACHE=" + e.GOMODCACHE,
		"GO111MODULE=on",
		"GOFLAGS=-buildvcs=false",
		"GOPROXY=off",
		"GOSUMDB=off",
		"GOTOOLCHAIN=local",
		"GOWORK=off",
		"CGO_ENABLED=0",
	}, err
}

// Setenv sets these variables until the test ends.
func Setenv(t testing.TB) {
	t.Helper()
	list, err := Settings()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		name, value, _ := strings.Cut(s, "=")
		t.Setenv(name, value)
	}
}

// Root returns the folder of skelgo's module, in which the test runs.
func Root(t testing.TB) string {
	t.Helper()
	e, err := readEnv()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(e.GOMOD)
}

// Run runs a command in a folder and returns its output. The test fails if the
// command does.
func Run(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// Require makes the module in dir require skelgo, in the folder Root, with its
// tools.
func Require(t testing.TB, dir string) {
	t.Helper()
	Run(t, dir, "go", "mod", "edit", "-require="+Path+"@v0.0.0", "-replace="+Path+"="+Root(t),
		"-tool="+Path+"/codegen/skelgen", "-tool="+Path+"/codegen/skelvet")
}

// Tidy completes go.mod and go.sum for the packages of the module in dir and for
// its tools. It is used instead of go mod tidy, which also needs modules that only
// tests of skelgo's tools import, some of them on other systems; testing skelgo
// does not download these.
func Tidy(t testing.TB, dir string) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(Root(t), "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	Run(t, dir, "go", "list", "-mod=mod", "-deps", "./...", "tool")
}
