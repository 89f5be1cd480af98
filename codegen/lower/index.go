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

// position returns a position as it appears in ir and in messages of devices:
// the same on every machine.
func position(p *packages.Package, pos token.Pos) ir.Pos {
	at := p.Fset.Position(pos)
	file := path.Join(strings.TrimSuffix(p.PkgPath, "_test"), filepath.Base(at.Filename))
	if m := p.Module; m != nil {
		if rel, err := filepath.Rel(m.Dir, at.Filename); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
			if !m.Main {
				file = path.Join(m.Path, file)
			}
		}
	} else if p.PkgPath == "command-line-arguments" || strings.Contains(strings.Split(p.PkgPath, "/")[0], ".") {
		file = filepath.Base(at.Filename)
	}
	return ir.Pos{File: file, Line: at.Line, Col: at.Column}
}

// SameModule reports whether two packages are in the same module, so that an
// error in one is best reported at its own position.
func SameModule(a, b *packages.Package) bool {
	if a.Module == nil || b.Module == nil {
		return a.PkgPath == b.PkgPath
	}
	return a.Module.Path == b.Module.Path
}
