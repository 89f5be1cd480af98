package emit_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
)

// costProgram has the verbs %s: folder, package, and lines between the statements.
const costProgram = `
-- %s/f.go --
package %s
%[3]s
type pair struct{ a, b float64 }
%[3]s
func square(x float64) float64 { return x * x }
%[3]s
//skel:func
func root(x, y float64, p pair) float64 {
	s := square(x) + square(y)
%[3]s
	for i := range 8 {
		s += p.a
%[3]s
		s *= p.b - float64(i)
	}
%[3]s
	return s
}
`

var (
	lineDirective = regexp.MustCompile(`(?m)^#line .*\n|^\n`)
	packageSuffix = regexp.MustCompile(`\b\w*?(square|root|pair)\w*`)
)

// TestCostWithoutPosition checks that the cost of a function, and its C text but for names
// and positions, do not depend on its package, file and lines.
func TestCostWithoutPosition(t *testing.T) {
	form := func(folder, pkg, between string) (*emit.Form, string) {
		f := programs(t, txtar.Parse(fmt.Appendf(nil, costProgram, folder, pkg, between)))[0]
		var text strings.Builder
		for _, d := range f.Decls {
			text.WriteString(lineDirective.ReplaceAllString(d.C, ""))
		}
		return f, packageSuffix.ReplaceAllString(text.String(), "$1")
	}
	near, text := form("p", "p", "")
	far, other := form("far/away/measurements", "measurements_of_everything", strings.Repeat("// A comment.\n", 9))
	if near.Cost != far.Cost || text != other {
		t.Errorf("costs %d and %d, text\n%s\nand\n%s", near.Cost, far.Cost, text, other)
	}
	// A call of square: 1, and its product and return: 2. The sum and its declaration: 2. The loop: its
	// head, variable, comparison and increment with its sum: 5; the body: 2 assignments and 4 operators.
	if want := 2*3 + 2 + 4 + 6 + 1; near.Cost != want {
		t.Errorf("cost %d, want %d", near.Cost, want)
	}
}

// TestEstimatedCost compares the costs that are estimated from C text with those of the IR.
func TestEstimatedCost(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range programs(t, a) {
			if f.Cost < 20 {
				continue
			}
			estimate := (&registry.Func{Form: &emit.Form{Decls: f.Decls}}).Operations()
			if ratio := float64(estimate) / float64(f.Cost); ratio < 0.6 || ratio > 2 {
				t.Errorf("%s: estimated %d from its text, has %d operations", f.Ident, estimate, f.Cost)
			}
			count++
		}
	}
	if count < 10 {
		t.Errorf("only %d functions have a cost of 20 or more", count)
	}
}
