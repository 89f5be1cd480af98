package testload

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// Module is the module path of the programs.
const Module = "example.com/app"

var (
	fset = token.NewFileSet()
	std  = map[string]*packages.Package{}
	mu   sync.Mutex
)

const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// views contains stand-ins for packages vector, matrix and math32.
//
//go:embed views.txtar
var views []byte

type loader struct {
	files  map[string][]txtar.File // by import path
	loaded map[string]*packages.Package
}

// Load type-checks the .go files of an archive. A file in a folder whose name
// contains a dot belongs to the package of that path; others are below Module.
// Load returns the packages and those that they import, the root first.
func Load(a *txtar.Archive) ([]*packages.Package, error) {
	mu.Lock()
	defer mu.Unlock()
	l := &loader{map[string][]txtar.File{}, map[string]*packages.Package{}}
	for _, f := range txtar.Parse(views).Files {
		l.files[path.Dir(f.Name)] = []txtar.File{f}
	}
	var order []string
	for _, f := range a.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		dir := path.Dir(f.Name)
		if !strings.Contains(strings.Split(dir, "/")[0], ".") || dir == "." {
			dir = path.Join(Module, dir)
		}
		if l.files[dir] == nil {
			order = append(order, dir)
		}
		l.files[dir] = append(l.files[dir], f)
	}
	var pkgs []*packages.Package
	for _, p := range order {
		pkg, err := l.load(p)
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, pkg)
	}
	return pkgs, nil
}

func (l *loader) load(pkgPath string) (*packages.Package, error) {
	if p := l.loaded[pkgPath]; p != nil {
		return p, nil
	}
	if l.files[pkgPath] == nil {
		return loadStd(pkgPath)
	}
	p := &packages.Package{
		ID: pkgPath, PkgPath: pkgPath, Fset: fset, Imports: map[string]*packages.Package{},
		TypesInfo: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
		},
	}
	if pkgPath == Module || strings.HasPrefix(pkgPath, Module+"/") {
		p.Module = &packages.Module{Path: Module, Main: true, Dir: "."}
	} else {
		p.Module = &packages.Module{Path: pkgPath, Dir: pkgPath}
	}
	for _, f := range l.files[pkgPath] {
		file, err := parser.ParseFile(fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Syntax = append(p.Syntax, file)
		for _, imp := range file.Imports {
			name := strings.Trim(imp.Path.Value, `"`)
			if p.Imports[name], err = l.load(name); err != nil {
				return nil, err
			}
		}
	}
	var wrong error
	conf := types.Config{
		Importer: importer(p.Imports), Sizes: types.SizesFor("gc", "amd64"), GoVersion: "go1.26",
		Error: func(err error) { // programs with refused constructs may leave variables unused
			if wrong == nil && !strings.Contains(err.Error(), "declared and not used") {
				wrong = err
			}
		},
	}
	if p.Types, _ = conf.Check(pkgPath, fset, p.Syntax, p.TypesInfo); wrong != nil {
		return nil, wrong
	}
	p.Name = p.Types.Name()
	l.loaded[pkgPath] = p
	return p, nil
}

type importer map[string]*packages.Package

func (m importer) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[name]; p != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("package %s was not loaded", name)
}

func loadStd(name string) (*packages.Package, error) {
	if p := std[name]; p != nil {
		return p, nil
	}
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Fset: fset}, name)
	if err != nil {
		return nil, err
	}
	if len(pkgs[0].Errors) > 0 {
		return nil, pkgs[0].Errors[0]
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if std[p.PkgPath] == nil {
			std[p.PkgPath] = p
		}
	})
	return std[name], nil
}

// Func returns a package-level function, or a method given as "Type.Method".
func Func(p *packages.Package, name string) (*types.Func, error) {
	typeName, method, ok := strings.Cut(name, ".")
	obj := p.Types.Scope().Lookup(typeName)
	if ok && obj != nil {
		obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, p.Types, method)
	}
	if fn, isFunc := obj.(*types.Func); isFunc {
		return fn, nil
	}
	return nil, fmt.Errorf("no function %s in %s", name, p.PkgPath)
}
