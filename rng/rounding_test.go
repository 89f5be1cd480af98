package rng_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// numbers imports the packages of functions of numbers.
type numbers struct{ types.Importer }

func (n numbers) Import(path string) (*types.Package, error) {
	if !strings.HasPrefix(strings.TrimPrefix(path, "github.com/skelgo/skelgo/"), "math") {
		return nil, errors.New("not imported")
	}
	return n.Importer.Import(path)
}

// TestProductsAreRounded checks that every product of floats is converted to
// its own type, which keeps Go's compilers from fusing it with a sum. On some
// processors they do, even across statements, and the result would differ.
func TestProductsAreRounded(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zkernels") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	// Other packages are not imported, because that takes seconds. What depends on them has
	// an error and no type; nothing in it is a product of floats.
	config := types.Config{Importer: numbers{importer.ForCompiler(fset, "source", nil)}, Error: func(error) {}}
	_, _ = config.Check("rng", fset, files, info)
	isFloat := func(e ast.Expr) bool {
		b, ok := info.TypeOf(e).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsFloat != 0
	}
	products := 0
	for _, file := range files {
		rounded := map[ast.Expr]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if info.Types[n.Fun].IsType() {
					rounded[ast.Unparen(n.Args[0])] = true
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL && isFloat(n) && info.Types[n].Value == nil {
					products++
					if !rounded[n] {
						t.Errorf("%v: write float64(x*y)", fset.Position(n.Pos()))
					}
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && isFloat(n.Lhs[0]) {
					t.Errorf("%v: write x = float64(x*y)", fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if products < 15 {
		t.Errorf("only %d products were found", products)
	}
}
