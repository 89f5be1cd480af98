package scale

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// runCommand runs skelgo scale with a table as standard input and returns what it prints as JSON. The
// function change sets options.
func runCommand(t *testing.T, table string, change func(c *FindCommand)) (*summary, error) {
	t.Helper()
	c := &FindCommand{File: "-", Group: "g", Missing: string(Refuse)}
	c.Search, c.Seed, c.Repeats, c.CVStarts = string(Exact), 1, 1, 2
	c.JSON, c.Device = true, "cpu"
	change(c)
	var out strings.Builder
	env := &app.Env{Stdin: strings.NewReader(table), Stdout: &out, Stderr: io.Discard}
	if err := c.Run(t.Context(), env); err != nil {
		return nil, err
	}
	s := new(summary)
	if err := json.Unmarshal([]byte(out.String()), s); err != nil {
		t.Fatal(err)
	}
	return s, nil
}

// TestUnorderedCosts compares the validation after a search for the order of the groups with that for
// groups in this order: the costs must be those of the same groups.
func TestUnorderedCosts(t *testing.T) {
	table := "x,y,g\n"
	for i, g := range strings.Fields("b a c b c a b a c b c a a b c b b a c c a b a c b c a") {
		x := strings.Index("abc", g)*3 + i*7%5
		table += fmt.Sprintf("%d,%d,%s\n", x, i*i%10, g)
	}
	found, err := runCommand(t, table, func(c *FindCommand) {
		c.Unordered, c.Cost, c.CV, c.Bootstrap, c.Search = true, []string{"a:b=5", "c:b=3"}, 3, 5, string(Descent)
		c.Bound = []string{"x=0.1..1"}
	})
	if err != nil {
		t.Fatal(err)
	}
	if found.Groups[0] == "b" {
		t.Fatalf("the order of the groups is that of the table, %v", found.Groups)
	}
	want, err := runCommand(t, table, func(c *FindCommand) {
		c.Unordered, c.Order, c.Cost = true, found.Groups, []string{"a:b=5", "c:b=3"}
		c.CV, c.Bootstrap, c.Search = 3, 5, string(Descent)
		c.Bound = []string{"x=0.1..1"}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.CV, found.CV); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Bootstrap, found.Bootstrap); diff != "" {
		t.Error(diff)
	}
}

// TestApplyOverflow applies a scale to an object whose score is not finite.
func TestApplyOverflow(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.json")
	model := `{"features":["f"],"groups":["x","y"],"weights":[9],"cuts":[1]}`
	if err := os.WriteFile(name, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &ApplyCommand{Model: name, File: "-"}
	c.Device = "cpu"
	err := c.Run(t.Context(), &app.Env{Stdin: strings.NewReader("f\n1e308\n"), Stdout: io.Discard, Stderr: io.Discard})
	if want := "the score of object 1 is +Inf"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, not %q", err, want)
	}
}

// TestCosts reads costs of groups and of couples of groups.
func TestCosts(t *testing.T) {
	var c Costs
	f := &options{Cost: []string{"b=3", "b:a=5", "c:a=2.5", "a:b=9", "a=0"}}
	if err := f.costs(&c, []string{"a", "b", "c"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float64{{0, 0, 0}, {5, 0, 3}, {2.5, 1, 0}}, c.Matrix); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []string{"a", "a:b", "a=-1", "a=x", "d=1", "a:d=1", "a:=1"} {
		if err := (&options{Cost: []string{wrong}}).costs(new(Costs), []string{"a", "b", "c"}); err == nil {
			t.Errorf("no error for --cost %s", wrong)
		}
	}
}
