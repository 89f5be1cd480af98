package codegen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/lower"
)

const skelPath = "github.com/skelgo/skelgo/skel"

// The generated files of a package: for its code, its tests, and the tests in
// its _test package. Functions in files with a build constraint go to a
// separate file named zkernels_ and the file's name.
const (
	fileName      = "zkernels.go"
	testFileName  = "zkernels_test.go"
	xtestFileName = "zkernels_x_test.go"
)

// Program is a set of loaded packages.
type Program struct {
	Fset     *token.FileSet
	roots    []*packages.Package // the requested packages with their test variants
	all      []*packages.Package // roots and everything they import, imports first
	dir      string
	patterns []string
	bodies   map[string]bool // foreign folders whose functions were loaded with their bodies
}

// Load parses and type-checks the packages that match the patterns, their
// tests, and all their imports from source. Generated files are treated as
// empty, so that a stale file does not prevent its own regeneration. The error
// lists the packages' own errors, one per line.
func Load(dir string, patterns ...string) (*Program, error) {
	return load(dir, patterns, nil)
}

// load omits the bodies of functions in the standard library and in other
// modules, except in the folders in bodies: few of them are called from
// kernels, and they are most of the work.
func load(dir string, patterns []string, bodies map[string]bool) (*Program, error) {
	p := &Program{Fset: token.NewFileSet(), dir: dir, patterns: patterns, bodies: bodies}
	pkgs, err := packages.Load(&packages.Config{
		Mode:       lower.Mode | packages.NeedCompiledGoFiles | packages.NeedForTest,
		Dir:        dir,
		Fset:       p.Fset,
		Tests:      true,
		BuildFlags: []string{"-trimpath=false"}, // it shortens the line directives of cgo
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			if user, is := cgoFile(src); is && user == "" {
				return parseFile(fset, name, src) // only declarations, but the imports are used in bodies
			} else if is {
				name = user
			}
			if foreign(name) && !bodies[filepath.Dir(name)] && !usesSkel(name, src) && !common(name) {
				return parseHeads(fset, name, src)
			}
			return parseFile(fset, name, src)
		},
	}, patterns...)
	if err != nil {
		return nil, err
	}
	for _, pkg := range pkgs {
		if !strings.HasSuffix(pkg.ID, ".test") { // the main package that go test generates
			p.roots = append(p.roots, pkg)
		}
	}
	packages.Visit(pkgs, nil, func(pkg *packages.Package) { p.all = append(p.all, pkg) })
	return p, p.errors()
}

// withBodies returns p with the bodies of the functions of the given packages,
// or nil if p has them already.
func (p *Program) withBodies(paths []string) (*Program, error) {
	bodies := maps.Clone(p.bodies)
	if bodies == nil {
		bodies = map[string]bool{}
	}
	for _, pkg := range p.all {
		if dir := dirOf(pkg); slices.Contains(paths, pkg.PkgPath) && foreign(dir) {
			bodies[dir] = true
		}
	}
	if len(bodies) == len(p.bodies) {
		return nil, nil
	}
	return load(p.dir, p.patterns, bodies)
}

// usesSkel reports whether a file in the module cache may pass functions to a
// skeleton, marks functions, or belongs to this module: without its bodies the functions
// could not be followed.
func usesSkel(name string, src []byte) bool {
	const module = "github.com/skelgo/skelgo"
	return strings.Contains(filepath.ToSlash(name), module+"@") || bytes.Contains(src, []byte(`"`+module+"/")) ||
		bytes.Contains(src, []byte("\n"+lower.Mark))
}

// common reports whether a file belongs to a package of the standard library
// that kernels often call: reading its bodies at once is cheaper than loading
// again.
func common(name string) bool {
	rel, ok := strings.CutPrefix(name, filepath.Join(roots()[0], "src")+string(filepath.Separator))
	switch filepath.ToSlash(filepath.Dir(rel)) {
	case "cmp", "math", "math/bits":
		return ok
	}
	return false
}

// parseFile parses a file, and treats generated files as empty.
func parseFile(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	mode := parser.ParseComments | parser.SkipObjectResolution
	if isGenerated(name, src) {
		mode = parser.PackageClauseOnly
	}
	return parser.ParseFile(fset, name, src, mode)
}

// parseHeads parses a file without the bodies of its functions.
func parseHeads(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if file != nil {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
	}
	return file, err
}

// foreign reports whether a file belongs to the standard library or to the
// module cache: nobody edits it, and it compiles.
func foreign(name string) bool {
	for _, root := range roots() {
		if root != "" && strings.HasPrefix(name, root+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

var roots = sync.OnceValue(func() []string {
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
})

// errors returns the errors in the packages' source.
func (p *Program) errors() error {
	var lines []string
	for _, pkg := range p.all {
		if len(pkg.GoFiles) > 0 && foreign(pkg.GoFiles[0]) {
			continue
		}
		for _, e := range pkg.Errors {
			file, _, _ := strings.Cut(e.Pos, ":")
			if isGenerated(file, nil) {
				continue
			}
			// Test variants repeat errors.
			if line := strings.TrimPrefix(e.Pos+": "+e.Msg, "-: "); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	const most = 10
	if n := len(lines) - most; n > 0 {
		lines = append(lines[:most], fmt.Sprintf("and %d more", n))
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}

// dirOf returns the folder that contains a package's files, or "".
func dirOf(pkg *packages.Package) string {
	if len(pkg.GoFiles) == 0 {
		return ""
	}
	return filepath.Dir(pkg.GoFiles[0])
}

// header is the first line of every generated file.
const header = "// Code generated by skelgen. DO NOT EDIT.\n"

// isGenerated reports whether skelgen wrote a file.
func isGenerated(path string, src []byte) bool {
	if !strings.HasPrefix(filepath.Base(path), "zkernels") {
		return false
	}
	if src == nil {
		src, _ = os.ReadFile(path)
	}
	return bytes.HasPrefix(src, []byte(header))
}
