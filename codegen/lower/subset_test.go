package lower_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/lower"
)

var update = flag.Bool("update", false, "write docs/subset.md")

// TestSubsetIsUpToDate compares docs/subset.md with the rules and with a survey
// of the standard library. The survey differs between versions of Go and
// between processors; the file is for the version in go.mod on amd64.
func TestSubsetIsUpToDate(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: lower.Mode}, lower.StdPackages...)
	if err != nil {
		t.Fatal(err)
	}
	std, err := lower.Survey(pkgs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range std {
		if f.Refused != nil {
			t.Logf("%s: %s", f.FullName(), f.Refused)
		}
	}
	if !strings.HasPrefix(runtime.Version(), "go1.26") || runtime.GOARCH != "amd64" {
		t.Skip("docs/subset.md shows the functions of Go 1.26 on amd64")
	}
	want := lower.Subset(std)
	const file = "../../docs/subset.md"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("docs/subset.md differs from the rules (go generate ./codegen/lower writes it):\n%s", diff)
	}
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range lower.Rules() {
		if !regexp.MustCompile(`^SK\d{3}$`).MatchString(r.ID) || seen[r.ID] {
			t.Errorf("rule id %q", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Why == "" || r.Instead == "" || r.Bad == "" || r.Good == "" {
			t.Errorf("%s is incomplete", r.ID)
		}
	}
}

// TestRulesHaveOneName checks that rule IDs are literals only in rules.go:
// skelgen once compared with a literal ID that was never reported.
func TestRulesHaveOneName(t *testing.T) {
	literal := regexp.MustCompile(`"SK\d{3}"`)
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			path == "../lower/rules.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "//")
			if literal.MatchString(code) {
				t.Errorf("%s:%d: a rule is written as a literal: %s", path, i+1, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
