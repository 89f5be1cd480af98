package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/ir"
)

// index finds the source of functions.
type index struct {
	pkgs  map[string][]*packages.Package // by import path; test variants share one
	decls map[*packages.Package]map[*types.Func]*ast.FuncDecl

	constant map[*packages.Package]*tables
	bodiless map[string]bool // packages of called functions whose bodies are missing
}

// source is the declaration of a function and its package.
type source struct {
	pkg  *packages.Package
	decl *ast.FuncDecl
}

func newIndex(pkgs []*packages.Package) *index {
	x := &index{
		pkgs:     map[string][]*packages.Package{},
		decls:    map[*packages.Package]map[*types.Func]*ast.FuncDecl{},
		constant: map[*packages.Package]*tables{},
		bodiless: map[string]bool{},
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if p.TypesInfo != nil && p.Types != nil {
			x.pkgs[p.Types.Path()] = append(x.pkgs[p.Types.Path()], p)
		}
	})
	return x
}

// find returns the declaration of a function that is not an instance.
func (x *index) find(fn *types.Func) (source, bool) {
	if fn.Pkg() == nil {
		return source{}, false
	}
	for _, p := range x.pkgs[fn.Pkg().Path()] {
		if d := x.scan(p)[fn]; d != nil {
			return source{p, d}, true
		}
	}
	return source{}, false
}

func (x *index) scan(p *packages.Package) map[*types.Func]*ast.FuncDecl {
	if m, ok := x.decls[p]; ok {
		return m
	}
	m := map[*types.Func]*ast.FuncDecl{}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
					m[fn] = d
				}
			}
		}
	}
	x.decls[p] = m
	return m
}

// position returns a position as it appears in ir and in messages of devices: relative to
// the root of the user's module, and with the module's path in other modules. It is the
// same on every machine, in a workspace, and with vendored modules.
func (p *program) position(in *packages.Package, pos token.Pos) ir.Pos {
	at := in.Fset.Position(pos)
	file := filepath.Base(at.Filename)
	dir := strings.TrimSuffix(in.PkgPath, "_test")
	switch first, _, _ := strings.Cut(dir, "/"); {
	case in.Module != nil && SameModule(in, p.user):
		dir = strings.TrimPrefix(strings.TrimPrefix(dir, in.Module.Path), "/")
	case in.Module == nil && (dir == "command-line-arguments" || strings.Contains(first, ".")):
		dir = ""
	}
	return ir.Pos{File: path.Join(dir, file), Line: at.Line, Col: at.Column}
}

// SameModule reports whether two packages are in the same module, so that an
// error in one is best reported at its own position.
func SameModule(a, b *packages.Package) bool {
	if a.Module == nil || b.Module == nil {
		return a.PkgPath == b.PkgPath
	}
	return a.Module.Path == b.Module.Path
}
