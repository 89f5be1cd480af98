package lower_test

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/codegen/lower"
)

var update = flag.Bool("update", false, "write docs/subset.md")

func TestSubsetIsUpToDate(t *testing.T) {
	const file = "../../docs/subset.md"
	if *update {
		if err := os.WriteFile(file, []byte(lower.Subset()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lower.Subset(), string(text)); diff != "" {
		t.Errorf("docs/subset.md differs from the rules (go test ./codegen/lower -update writes it):\n%s", diff)
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
