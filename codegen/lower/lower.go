package lower

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Mode is what packages handed to New must be loaded with.
const Mode = packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports |
	packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// Request names the function to lower: either Func (with TypeArgs when it is
// generic; a method's receiver is its first parameter) or Lit.
type Request struct {
	Func     *types.Func
	TypeArgs []types.Type // of a generic function, or of a generic method's receiver

	Lit  *ast.FuncLit      // a function literal that captures nothing
	Pkg  *packages.Package // the package that Lit is in
	Name string            // Lit's name in C and in messages, unique in its package; "" is func_LINE_COL with a mark of the file
}

// Lowerer lowers functions of the packages it was made for. It is not for
// use by several goroutines at once.
type Lowerer struct {
	index   *index
	sources []Source
}

// Source is a function that was lowered: a declaration or a literal.
type Source struct {
	Pkg  *packages.Package
	Node ast.Node
	Args []types.Type // that stand for its type parameters
}

// New makes a lowerer for packages that were loaded with Mode, and all they
// import.
func New(pkgs []*packages.Package) *Lowerer { return &Lowerer{index: newIndex(pkgs)} }

// Bodiless are the packages, by import path, of functions that were called and
// have no body in what the lowerer was made for.
func (l *Lowerer) Bodiless() []string { return slices.Sorted(maps.Keys(l.index.bodiless)) }

// Lower translates one function and everything it calls. The error is an
// Errors when the function is outside the subset.
func (l *Lowerer) Lower(r Request) (*ir.Program, error) {
	p, err := lowerProgram(l.index, r)
	if err != nil {
		return nil, err
	}
	l.sources = l.sources[:0:0]
	for _, in := range p.funcs {
		l.sources = append(l.sources, Source{in.pkg, in.node, sortedArgs(in.env)})
	}
	return p.out, nil
}

// Sources are the functions that the program of the last call of Lower was made
// from, in no order.
func (l *Lowerer) Sources() []Source { return l.sources }
