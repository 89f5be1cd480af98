package lower

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Mode is the load mode that packages passed to New need.
const Mode = packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports |
	packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// Request identifies the function to lower: either Func (with TypeArgs if it is
// generic; a method's receiver is its first parameter) or Lit.
type Request struct {
	Func     *types.Func
	TypeArgs []types.Type // type arguments of a generic function or of a generic method's receiver

	Lit *ast.FuncLit      // a function literal that captures nothing
	Pkg *packages.Package // the package that contains Lit
	// Name is Lit's name in C and in messages, unique in its file and column; "" means
	// func_LINE_COL.
	Name string

	// User is the package whose generated file contains the program; nil means the
	// function's own. Positions in its module are relative to the module's root.
	User *packages.Package
}

// Lowerer lowers functions of a set of packages. It must not be used by several
// goroutines concurrently.
type Lowerer struct {
	index   *index
	sources []Source
}

// Source is a lowered function: a declaration or a literal.
type Source struct {
	Pkg  *packages.Package
	Node ast.Node
	Args []types.Type // its type arguments
}

// New returns a Lowerer for packages that were loaded with Mode and everything
// that they import.
func New(pkgs []*packages.Package) *Lowerer { return &Lowerer{index: newIndex(pkgs)} }

// Bodiless returns the import paths of packages whose functions were called but
// have no body in the loaded packages.
func (l *Lowerer) Bodiless() []string { return slices.Sorted(maps.Keys(l.index.bodiless)) }

// Lower translates one function and everything that it calls. If the function
// is outside the subset, the error is an Errors.
func (l *Lowerer) Lower(r Request) (*ir.Program, error) {
	p, err := lowerProgram(l.index, r)
	if err != nil {
		return nil, err
	}
	l.sources = l.sources[:0:0]
	for _, in := range p.funcs {
		if in.node == nil { // the == of structs or arrays
			continue
		}
		l.sources = append(l.sources, Source{in.pkg, in.node, sortedArgs(in.env)})
	}
	return p.out, nil
}

// Sources returns the functions that the last program of Lower was made from,
// in no particular order.
func (l *Lowerer) Sources() []Source { return l.sources }
