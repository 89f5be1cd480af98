package codegen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/codegen/registry/pieces"
)

// tracer finds the declarations on which device forms depend, so that a program
// can detect when one of them has changed (docs/adr/0018).
type tracer struct {
	*Program
	files   map[*token.File]sourceFile
	scanned map[string]*pieces.File // by path
	needed  map[string]*helper      // other packages of the main modules, by folder
	mods    map[string]goMod        // by path
}

// sourceFile is a parsed file.
type sourceFile struct {
	pkg  *packages.Package
	tree *ast.File
}

// helper is a package on which functions of other packages depend, and the
// files that they need.
type helper struct {
	pkg   *packages.Package
	files map[string]bool // by path
}

func newTracer(p *Program) *tracer {
	t := &tracer{Program: p, files: map[*token.File]sourceFile{}, scanned: map[string]*pieces.File{},
		needed: map[string]*helper{}, mods: map[string]goMod{}}
	for _, pkg := range p.all {
		for _, f := range pkg.Syntax {
			t.files[p.Fset.File(f.FileStart)] = sourceFile{pkg, f}
		}
	}
	return t
}

// trace is the search for what one kernel uses.
type trace struct {
	*tracer
	u    *Use
	seen map[string]bool
	list []string // as in registry.Func.Uses
	own  []string // files of the kernel's own folder, by path
	err  error
}

// record fills in what a kernel uses: its own declaration, those of the
// functions that were lowered, and the constants and types in all of them.
func (t *tracer) record(k *kernel, from []lower.Source) error {
	s := &trace{tracer: t, u: k.Use, seen: map[string]bool{}}
	if k.fixed() == nil {
		s.place(k)
	} else {
		s.object(k.fn)
	}
	first := min(1, len(s.list)) // the kernel's own declaration stays first
	for _, f := range from {
		if _, ok := f.Node.(*ast.FuncDecl); ok || k.lit == nil || f.Node.Pos() < k.lit.Pos() ||
			f.Node.End() > k.lit.End() {
			s.node(f.Node)
		} else {
			s.names(f.Pkg.TypesInfo, f.Node)
		}
		for _, a := range f.Args {
			s.typ(a)
		}
	}
	for v := range k.sig.Params().Variables() {
		s.typ(v.Type())
	}
	slices.Sort(s.list[first:])
	slices.Sort(s.own)
	k.reg.Uses, k.sources = strings.Join(s.list, " "), s.own
	return s.err
}

// place records the position of a literal. Objects local to the declaration
// around it are part of that declaration; other objects that it uses may not
// be.
func (s *trace) place(k *kernel) {
	at, end := s.Fset.Position(k.expr.Pos()), s.Fset.Position(k.expr.End())
	text, err := os.ReadFile(at.Filename)
	if err != nil {
		s.err = err
		return
	}
	f := pieces.Scan(string(text), offsetIn(text, at), offsetIn(text, end))
	i := slices.IndexFunc(f.Decls, func(d pieces.Decl) bool { return d.From <= f.Marks[0] && f.Marks[0] < d.To })
	if i < 0 {
		s.err = fmt.Errorf("%s: no declaration contains this function", at)
		return
	}
	k.reg.Within = strconv.FormatUint(f.Decls[i].Sum, 36)
	k.reg.Span = [2]int{f.Marks[0] - f.Decls[i].From, f.Marks[1] - f.Decls[i].From}
	s.own = append(s.own, at.Filename)
	if k.lit == nil {
		return
	}
	info := k.pkg.TypesInfo
	local := false
	ast.Inspect(k.lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := info.Uses[id]; o != nil && o.Pkg() == k.pkg.Types &&
				(o.Pos() < k.lit.Pos() || o.Pos() > k.lit.End()) && !isField(o) {
				_, imported := o.(*types.PkgName)
				local = local || !imported && o.Parent() != nil && o.Parent() != o.Pkg().Scope()
			}
		}
		return !local
	})
	if around := s.around(k.lit.Pos()); local && around != nil {
		s.names(info, around)
	}
}

// around returns the top-level declaration or specification at a position.
func (s *trace) around(pos token.Pos) ast.Node {
	for _, d := range s.files[s.Fset.File(pos)].tree.Decls {
		if pos < d.Pos() || pos >= d.End() {
			continue
		}
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok == token.CONST { // iota: constants depend on the previous ones
			return d
		}
		for _, spec := range g.Specs {
			if spec.Pos() <= pos && pos < spec.End() {
				return spec
			}
		}
	}
	return nil
}

// node records the declaration of a function, or the one around a literal.
func (s *trace) node(n ast.Node) {
	switch d := s.around(n.Pos()).(type) {
	case *ast.FuncDecl:
		if fn := s.files[s.Fset.File(n.Pos())].pkg.TypesInfo.Defs[d.Name]; fn != nil {
			s.object(fn)
		}
	case *ast.ValueSpec:
		info := s.files[s.Fset.File(n.Pos())].pkg.TypesInfo
		for _, id := range d.Names {
			if o := info.Defs[id]; o != nil {
				s.object(o)
			}
		}
	}
}

// names records the constants, types and variables that a piece of source uses;
// the functions that it calls have been lowered.
func (s *trace) names(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := info.Uses[id].(type) {
			case *types.Const, *types.TypeName, *types.Var:
				if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
					s.object(o)
				}
			}
		}
		return true
	})
}

// typ records the named types in a type.
func (s *trace) typ(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		s.object(t.Obj())
		s.typ(types.Unalias(t))
	case *types.Named:
		if o := t.Obj(); o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			s.object(o)
		}
		for a := range t.TypeArgs().Types() {
			s.typ(a)
		}
	case *types.Array:
		s.typ(t.Elem())
	case *types.Pointer:
		s.typ(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			s.typ(f.Type())
		}
	}
}

// object records the declaration of a package-level object and what that
// declaration uses. Views and indices are part of the language, not of the
// program.
func (s *trace) object(o types.Object) {
	if fn, ok := o.(*types.Func); ok {
		o = fn.Origin()
	} else if path := o.Pkg().Path(); path == vectorPath || path == matrixPath {
		return
	}
	name := o.Name()
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := types.Unalias(t).(*types.Named); ok {
				name = n.Obj().Name() + "." + name
			}
		}
	}
	path := o.Pkg().Path()
	if s.err != nil || s.seen[path+":"+name] {
		return
	}
	s.seen[path+":"+name] = true
	in, known := s.files[s.Fset.File(o.Pos())]
	if !known {
		return
	}
	file := s.Fset.File(o.Pos()).Name()
	if usesC(in.tree) && !slices.Contains(in.pkg.GoFiles, file) { // a declaration in C
		return
	}
	key, sep := path+":"+name, "="
	switch dir := filepath.Dir(file); {
	case dir == dirOf(s.u.pkg):
		s.own = append(s.own, file)
		if key = name; path != folderPath(s.u.pkg) {
			key = ":" + name
		}
	case in.pkg.Module == nil: // the standard library
		return
	default:
		same := lower.SameModule(in.pkg, s.u.pkg)
		if in.pkg.Module.Main && (same || !embeddedBy(filepath.Join(dir, "zkernels*.go"))[filepath.Base(file)]) {
			if s.needed[dir] == nil {
				s.needed[dir] = &helper{in.pkg, map[string]bool{}}
			}
			s.needed[dir].files[file] = true
		}
		if !same {
			sep = "~"
			defer s.version(in.pkg.Module)
		}
	}
	sum, ok := s.sum(file, name)
	switch {
	case ok:
		s.list = append(s.list, key+sep+strconv.FormatUint(sum, 36))
	case sep == "~":
		return // the version of its module must do
	default:
		s.err = fmt.Errorf("%s: cannot find the declaration of %s in the source", s.Fset.Position(o.Pos()), name)
		return
	}
	if n := s.around(o.Pos()); n != nil {
		s.names(in.pkg.TypesInfo, n)
	}
}

// version records the version of another module.
func (s *trace) version(m *packages.Module) {
	v, err := s.versionOf(m, s.u.pkg.Module)
	if err != nil && s.err == nil {
		s.err = err
	}
	if v != "" && !slices.Contains(s.list, v) {
		s.list = append(s.list, v)
	}
}

// sum returns the sum of a declaration in a file.
func (t *tracer) sum(file, name string) (uint64, bool) {
	if t.scanned[file] == nil {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, false
		}
		t.scanned[file] = pieces.Scan(string(text))
	}
	for _, d := range t.scanned[file].Decls {
		if slices.Contains(d.Names, name) {
			return d.Sum, true
		}
	}
	return 0, false
}

// folderPath returns the import path of the package in a folder; external tests
// have the same path.
func folderPath(pkg *packages.Package) string {
	if pkg.ForTest != "" {
		return pkg.ForTest
	}
	return pkg.PkgPath
}
