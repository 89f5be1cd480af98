package docs

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// families lists the families of files of a package, each of which may use only itself and those before it.
// A family is named after the first of its prefixes: a file belongs to it if its name without .go is one
// of them, or begins with one of them and an underscore.
var families = map[string][]string{
	"codegen": {
		"cgo", "subst", "typestring", "write",
		"load",
		"index", "flow find marks", // the functions that reach a skeleton
		"name", "kernel",
		"literal loops fold inline heldextra round", // the loops for the CPU device
		"uses version sources",                      // what a function depends on
		"expect file generate",
		"vet", "print",
	},
	"devices": {
		"errors", "info", "goroutine", "poollist",
		// A device: its memory, launches, recordings, pages and part in several ranks are methods of one type,
		// which all wait for, count and trace the same calls.
		"device buffer check diskcache dump garbage kernels onbuild pages peer pending pool ranks record replay " +
			"scratch settings stats trace watch",
		"copies",
		"list group spec perrank", // the devices that there are
	},
	"internal/array": {
		"recording", "element", "row", "shape", "window",
		// An array is in memory, or an expression, or spread over devices. It changes from one to another in
		// the middle of a call, so the files of each call those of the others.
		"array count distribution expression indices spread storage vector",
		"source", "view",
	},
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
		files, uses, err := usesOf(filepath.Join("..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range wrong(families[dir], files, uses) {
			t.Errorf("%s: %s", dir, e)
		}
	}
}

// use is a use of a declaration in another file.
type use struct{ from, to, name string }

// wrong returns what is wrong with the files of a package with the given families.
func wrong(families, files []string, uses []use) (errs []string) {
	family := func(file string) int {
		name := strings.TrimSuffix(file, ".go")
		prefix, _, _ := strings.Cut(name, "_")
		return slices.IndexFunc(families, func(f string) bool { return slices.Contains(strings.Fields(f), prefix) })
	}
	name := func(k int) string { return strings.Fields(families[k])[0] }
	for _, f := range files {
		if family(f) < 0 {
			errs = append(errs, f+" belongs to no family: name it after one, or add its prefix to the list")
		}
	}
	for _, u := range uses {
		from, to := family(u.from), family(u.to)
		if from >= 0 && from < to {
			errs = append(errs, fmt.Sprintf("%s of family %s uses %s of %s of the later family %s: "+
				"move the declaration", u.from, name(from), u.name, u.to, name(to)))
		}
	}
	slices.Sort(errs)
	return slices.Compact(errs)
}

// usesOf returns the files of a package and the uses between them, except tests and generated files.
func usesOf(dir string) (files []string, uses []use, err error) {
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir, Mode: packages.NeedName | packages.NeedImports | packages.NeedExportFile |
			packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo,
	}, ".")
	if err != nil {
		return nil, nil, err
	}
	pkg := pkgs[0]
	if len(pkg.Errors) > 0 {
		return nil, nil, pkg.Errors[0]
	}
	counts := func(file string) bool { return !strings.HasPrefix(file, "zkernels") && file != "doc.go" }
	for _, name := range pkg.GoFiles {
		if file := filepath.Base(name); counts(file) {
			files = append(files, file)
		}
	}
	file := func(at token.Pos) string { return filepath.Base(pkg.Fset.Position(at).Filename) }
	for id, o := range pkg.TypesInfo.Uses {
		if o.Pkg() != pkg.Types || !o.Pos().IsValid() {
			continue
		}
		if from, to := file(id.Pos()), file(o.Pos()); from != to && counts(from) && counts(to) {
			uses = append(uses, use{from, to, o.Name()})
		}
	}
	return files, uses, nil
}

// TestWrong checks that a wrong use and a file without a family are found.
func TestWrong(t *testing.T) {
	families := []string{"order", "node extra", "map zip"}
	ok := []use{{"map_form.go", "node.go", "kind"}, {"zip.go", "map.go", "f"}, {"extra.go", "node_text.go", "g"}}
	files := []string{"map_form.go", "zip.go", "extra.go", "node_text.go", "order.go"}
	if errs := wrong(families, files, ok); len(errs) > 0 {
		t.Error(errs)
	}
	later := use{"node_text.go", "zip.go", "zipped"}
	errs := wrong(families, append(files, "mapper.go"), append(ok, later, later))
	want := []string{
		"mapper.go belongs to no family: name it after one, or add its prefix to the list",
		"node_text.go of family node uses zipped of zip.go of the later family map: move the declaration",
	}
	if !slices.Equal(errs, want) {
		t.Errorf("%q, want %q", errs, want)
	}
	_, uses, err := usesOf("../skel")
	if err != nil || !slices.Contains(uses, use{"map.go", "expr.go", "combine"}) {
		t.Errorf("%d uses, %v; map.go uses combine of expr.go", len(uses), err)
	}
}
