package lower_test

import (
	"errors"
	"go/ast"
	"go/types"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// wanted is one // ERROR "regexp" comment of a test program.
type wanted struct {
	file string
	line int
	re   *regexp.Regexp
	met  bool
}

var (
	errorComment = regexp.MustCompile(`// ERROR (.*)$`)
	quoted       = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// TestRefusals lowers every function marked //skel:func, and every literal in a
// function named literals, and checks that the errors match the comments one to
// one.
func TestRefusals(t *testing.T) {
	files, _ := filepath.Glob("testdata/refuse/*.txtar")
	covered := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := expectations(t, a)
			seen := map[string]bool{}
			for _, e := range refusals(t, a) {
				covered[e.Rule] = true
				if key := e.Error(); !seen[key] {
					seen[key] = true
					meet(t, want, e)
				}
			}
			for _, w := range want {
				if !w.met {
					t.Errorf("%s:%d: no error matches %s", w.file, w.line, w.re)
				}
			}
		})
	}
	for _, r := range lower.Rules() {
		if !covered[r.ID] && r.ID != "SK020" { // TestNoSource
			t.Errorf("no test program breaks rule %s, %s", r.ID, r.Title)
		}
	}
}

func expectations(t *testing.T, a *txtar.Archive) []*wanted {
	t.Helper()
	var want []*wanted
	for _, f := range a.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			m := errorComment.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, q := range quoted.FindAllString(m[1], -1) {
				re, err := regexp.Compile(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`))
				if err != nil {
					t.Fatalf("%s:%d: %v", f.Name, i+1, err)
				}
				want = append(want, &wanted{file: f.Name, line: i + 1, re: re})
			}
		}
	}
	return want
}

func meet(t *testing.T, want []*wanted, e *lower.Error) {
	t.Helper()
	at := e.Pos.Filename + ":" + strconv.Itoa(e.Pos.Line)
	found := false
	for _, w := range want {
		if w.file == e.Pos.Filename && w.line == e.Pos.Line && w.re.MatchString(e.Rule+": "+e.Message+": "+e.Hint) {
			w.met, found = true, true
		}
	}
	if !found {
		t.Errorf("%s: unexpected: %v", at, e)
	}
}

func refusals(t *testing.T, a *txtar.Archive) lower.Errors {
	t.Helper()
	pkgs, err := testload.Load(a)
	if err != nil {
		t.Fatal(err)
	}
	var all lower.Errors
	l := lower.New(pkgs)
	for _, r := range requests(pkgs[0]) {
		_, err := l.Lower(r)
		var errs lower.Errors
		switch {
		case errors.As(err, &errs):
			all = append(all, errs...)
		case err != nil:
			t.Error(err)
		}
	}
	return all
}

// requests returns the marked functions of a package and the literals in its
// function named literals.
func requests(p *packages.Package) []lower.Request {
	var l []lower.Request
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if d.Doc != nil && strings.Contains(d.Doc.List[len(d.Doc.List)-1].Text, "skel:func") {
				l = append(l, lower.Request{Func: p.TypesInfo.Defs[d.Name].(*types.Func)})
			}
			if d.Name.Name != "literals" {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				lit, ok := n.(*ast.FuncLit)
				if ok {
					l = append(l, lower.Request{Lit: lit, Pkg: p})
				}
				return !ok
			})
		}
	}
	return l
}
