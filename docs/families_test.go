package docs

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// families lists the families of files of a package, each of which may use only itself and those before it.
// A family is named after the first of its prefixes: a file belongs to it if its name without .go is one
// of them, or begins with one of them and an underscore.
var families = map[string][]string{
	"skel": {
		"order",
		"scratch containers",
		"node function extra kernel", // the C form of expressions, and of the functions and arguments in them
		"program",                    // one launch
		"expr chunks settle devices checks binding watch",
		"loop",
		"map zip void",
		"overlap",
		"gather", "scatter", "transpose",
		"reduce operator operators segments",
		"allpairs columnpairs",
		"scan",
		"histogram",
		"select",
		"sort",
		"dense",
		"wavefront",
	},
}

// TestFamilies checks that no family of files uses a later one.
func TestFamilies(t *testing.T) {
	for _, dir := range slices.Sorted(maps.Keys(families)) {
		uses, err := usesOf(filepath.Join("..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range wrong(families[dir], uses) {
			t.Errorf("%s: %s", dir, e)
		}
	}
}

// use is a use of a declaration in another file.
type use struct{ from, to, name string }

// wrong returns what is wrong with the uses between the files of a package with the given families.
func wrong(families []string, uses []use) (errs []string) {
	family := func(file string) int {
		name := strings.TrimSuffix(file, ".go")
		prefix, _, _ := strings.Cut(name, "_")
		return slices.IndexFunc(families, func(f string) bool { return slices.Contains(strings.Fields(f), prefix) })
	}
	name := func(k int) string { return strings.Fields(families[k])[0] }
	for _, u := range uses {
		from, to := family(u.from), family(u.to)
		switch {
		case from < 0:
			errs = append(errs, u.from+" belongs to no family: name it after one, or add its prefix to the list")
		case from < to:
			errs = append(errs, fmt.Sprintf("%s of family %s uses %s of %s of the later family %s: move the declaration",
				u.from, name(from), u.name, u.to, name(to)))
		}
	}
	slices.Sort(errs)
	return slices.Compact(errs)
}

// usesOf returns the uses between the files of a package, except tests and generated files.
func usesOf(dir string) (uses []use, err error) {
	fset := token.NewFileSet()
	var files []*ast.File
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("%s: no files (%v)", dir, err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		fits, err := build.Default.MatchFile(dir, base)
		if err != nil {
			return nil, err
		}
		if !fits || strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zkernels") || base == "doc.go" {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	// What other packages declare does not matter, so they are empty and every use of them is an error.
	conf := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	pkg, _ := conf.Check(dir, fset, files, info)
	file := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	for id, o := range info.Uses {
		if o.Pkg() != pkg || !o.Pos().IsValid() {
			continue
		}
		if from, to := file(id.Pos()), file(o.Pos()); from != to {
			uses = append(uses, use{from, to, o.Name()})
		}
	}
	return uses, nil
}

type emptyPackages struct{}

func (emptyPackages) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// TestWrong checks that a wrong use and a file without a family are found.
func TestWrong(t *testing.T) {
	families := []string{"order", "node extra", "map zip"}
	ok := []use{{"map_form.go", "node.go", "kind"}, {"zip.go", "map.go", "f"}, {"extra.go", "node_text.go", "g"}}
	if errs := wrong(families, ok); len(errs) > 0 {
		t.Error(errs)
	}
	for _, c := range []struct {
		use  use
		want string
	}{
		{use{"node_text.go", "zip.go", "zipped"},
			"node_text.go of family node uses zipped of zip.go of the later family map: move the declaration"},
		{use{"mapper.go", "node.go", "kind"},
			"mapper.go belongs to no family: name it after one, or add its prefix to the list"},
	} {
		if errs := wrong(families, append(ok, c.use, c.use)); len(errs) != 1 || errs[0] != c.want {
			t.Errorf("%v: %q, want %q", c.use, errs, c.want)
		}
	}
	uses, err := usesOf("../skel")
	if err != nil || !slices.Contains(uses, use{"map.go", "expr.go", "combine"}) {
		t.Errorf("%d uses, %v; map.go uses combine of expr.go", len(uses), err)
	}
}
