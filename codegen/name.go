package codegen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// names holds the imports of a generated file and the names in its scope.
type names struct {
	pkg     *types.Package
	file    string            // the name of the file as an identifier
	imports map[string]string // package names in the file, by path

	literals map[string]bool // names of the file's functions that are copies of literals

	callings map[*types.Func]calling
	copies   map[*types.Func]string // the names of the functions in copyText
	copyText bytes.Buffer
}

// identOf returns an identifier for the name of a file.
func identOf(file string) string {
	var b strings.Builder
	for _, r := range file {
		switch {
		case r == '.':
			b.WriteByte('_')
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "_%x", r)
		}
	}
	return b.String()
}

// unique returns a name like the given one for a copy of a literal. Literals on one line,
// and in files of similar names, would have the same.
func (n *names) unique(name string) string {
	for n.taken(name) || n.literals[name] {
		name += "_"
	}
	if n.literals == nil {
		n.literals = map[string]bool{}
	}
	n.literals[name] = true
	return name
}

// free returns a name like the given one that is unused in the file.
func (n *names) free(name string) string {
	for n.taken(name) || types.Universe.Lookup(name) != nil {
		name += "_"
	}
	return name
}

// qualifier returns the package qualifier of a type and imports the package.
func (n *names) qualifier(p *types.Package) string {
	if p.Path() == n.pkg.Path() {
		return ""
	}
	return n.use(p.Path(), p.Name())
}

// use imports a package, under its own name if that is free.
func (n *names) use(path, name string) string {
	if have, ok := n.imports[path]; ok {
		return have
	}
	for n.taken(name) {
		name += "_"
	}
	n.imports[path] = name
	return name
}

// taken reports whether a name is already used in the file.
func (n *names) taken(name string) bool {
	if n.pkg.Scope().Lookup(name) != nil {
		return true
	}
	for _, have := range n.imports {
		if have == name {
			return true
		}
	}
	return false
}

// block returns the import declaration.
func (n *names) block() string {
	var std, other []string
	for p, name := range n.imports {
		line := fmt.Sprintf("%q\n", p)
		if path.Base(p) != name {
			line = name + " " + line
		}
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(a, b string) int {
		return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(std, byPath)
	slices.SortFunc(other, byPath)
	gap := ""
	if len(std) > 0 && len(other) > 0 {
		gap = "\n"
	}
	return "import (\n" + strings.Join(std, "") + gap + strings.Join(other, "") + ")\n"
}

// unnameable returns a part of t that a generated file of pkg cannot write, or
// "".
func unnameable(t types.Type, pkg *types.Package) string {
	switch t := t.(type) {
	case *types.Alias:
		return unnameable(types.Unalias(t), pkg)
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil && (o.Parent() != o.Pkg().Scope() || !o.Exported() && o.Pkg().Path() != pkg.Path()) {
			return o.Name()
		}
		for arg := range t.TypeArgs().Types() {
			if s := unnameable(arg, pkg); s != "" {
				return s
			}
		}
	case *types.Array:
		return unnameable(t.Elem(), pkg)
	case *types.Slice:
		return unnameable(t.Elem(), pkg)
	case *types.Pointer:
		return unnameable(t.Elem(), pkg)
	case *types.Struct:
		for f := range t.Fields() {
			if s := unnameable(f.Type(), pkg); s != "" {
				return s
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if s := unnameable(v.Type(), pkg); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

// head returns a source file up to its imports. The file may be excluded from this
// build by a constraint.
func head(pkg *packages.Package, source string) *ast.File {
	for _, f := range pkg.Syntax {
		if pkg.Fset.File(f.FileStart).Name() == source {
			before := slices.DeleteFunc(slices.Clone(f.Comments),
				func(g *ast.CommentGroup) bool { return g.Pos() > f.Package })
			return &ast.File{Package: f.Package, Comments: before, Imports: f.Imports}
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil { // the file was removed
		return &ast.File{}
	}
	return f
}

// target returns the generated file for functions of the given source file, and
// its build constraint. Functions in a file with a build constraint or import "C" go to
// a separate file with the same constraint.
func target(pkg *packages.Package, source string) (name, buildLine string) {
	base := filepath.Base(source)
	if pkg.ForTest != "" && !strings.HasSuffix(base, "_test.go") { // used only by tests
		base = strings.TrimSuffix(base, ".go") + "_test.go"
	}
	file := head(pkg, source)
	for _, group := range file.Comments {
		for _, c := range group.List {
			if group.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				buildLine = c.Text
			}
		}
	}
	if usesC(file) {
		buildLine = withCgo(buildLine)
	}
	anywhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}}
	always, err := anywhere.MatchFile("", base)
	switch {
	case buildLine != "" || err == nil && !always:
		return "zkernels_" + base, buildLine
	case strings.HasSuffix(pkg.Name, "_test"):
		return xtestFileName, ""
	case strings.HasSuffix(base, "_test.go"):
		return testFileName, ""
	}
	return fileName, ""
}

// mention returns the expression that names a function in the file, or "" if
// there is none.
func (n *names) mention(u *Use) string {
	if u.lit != nil {
		return ""
	}
	for _, t := range u.args {
		if unnameable(t, n.pkg) != "" {
			return ""
		}
	}
	if u.fn.Pkg().Path() != n.pkg.Path() && !u.fn.Exported() {
		return ""
	}
	text := u.fn.Name()
	if recv := u.fn.Signature().Recv(); recv != nil {
		t := u.sig.Params().At(0).Type()
		if unnameable(t, n.pkg) != "" {
			return ""
		}
		if _, ok := t.(*types.Pointer); ok {
			return "(" + types.TypeString(t, n.qualifier) + ")." + text
		}
		return types.TypeString(t, n.qualifier) + "." + text
	}
	if u.fn.Pkg().Path() != n.pkg.Path() {
		text = n.qualifier(u.fn.Pkg()) + "." + text
	}
	if len(u.args) > 0 {
		args := make([]string, len(u.args))
		for i, t := range u.args {
			args[i] = types.TypeString(t, n.qualifier)
		}
		text += "[" + strings.Join(args, ", ") + "]"
	}
	return text
}

// calling says how the text of a function calls another one.
type calling int

const (
	unknown calling = iota // its text is not available, and it may return a product
	asItIs                 // it has no product that the compiler might fuse
	asCopy                 // a copy has rounded products
)
