package fuzz

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// smaller returns slightly smaller programs that type-check: without one
// statement or helper, or with a statement replaced by its body.
func smaller(p *Program, imports map[string]*packages.Package) []*Program {
	var list []*Program
	for n := 0; ; n++ {
		text, ok := edit(p.Source, n)
		if !ok {
			return list
		}
		if text != p.Source && checks(text, imports) {
			q := *p
			q.Source = text
			list = append(list, &q)
		}
	}
}

const head = "package main\n\nimport (\n\t\"math\"\n\t\"math/bits\"\n\n\t\"github.com/skelgo/skelgo/math32\"\n" +
	"\t\"github.com/skelgo/skelgo/matrix\"\n\t\"github.com/skelgo/skelgo/vector\"\n)\n\n" +
	"var (\n\t_ = math.Sqrt\n\t_ = bits.Len\n\t_ = math32.FMA[float32]\n\t_ vector.View[int]\n\t_ " +
	"matrix.View[int]\n)\n\n"

// edit makes the n-th possible change; ok is false if there are fewer changes.
func edit(source string, n int) (text string, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package main\n"+source, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	done := false
	turn := func() bool { n--; done = done || n == -1; return n == -1 }
	var next ast.Node // the statement after it is removed, too
	astutil.Apply(file, func(c *astutil.Cursor) bool {
		if next != nil && c.Parent() == next && c.Index() >= 0 {
			next = nil
			c.Delete()
			return false
		}
		if done {
			return false
		}
		switch node := c.Node().(type) {
		case ast.Stmt:
			if c.Index() >= 0 {
				if turn() {
					c.Delete()
					return false
				}
				if turn() { // a variable and the line that uses it
					next = c.Parent()
					c.Delete()
					return false
				}
			}
			if s, isIf := node.(*ast.IfStmt); isIf {
				switch {
				case turn():
					c.Replace(s.Body)
				case s.Else != nil && turn():
					c.Replace(s.Else)
				case s.Else != nil && turn():
					s.Else = nil
				}
			}
		case *ast.FuncDecl:
			if turn() {
				c.Delete()
				return false
			}
		case *ast.BinaryExpr:
			if turn() {
				c.Replace(node.X)
			} else if turn() {
				c.Replace(node.Y)
			}
		case *ast.UnaryExpr:
			if turn() {
				c.Replace(node.X)
			}
		case *ast.CallExpr:
			for _, arg := range node.Args {
				if turn() {
					c.Replace(arg)
					break
				}
			}
		}
		return !done
	}, nil)
	if !done {
		return "", false
	}
	var b bytes.Buffer
	if format.Node(&b, fset, file) != nil {
		return source, true
	}
	return strings.TrimPrefix(b.String(), "package main\n"), true
}

// checks reports whether a program type-checks on its own.
func checks(source string, imports map[string]*packages.Package) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", head+source+"\nfunc main() {}\n", parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	_, err = (&types.Config{Importer: loaded(imports)}).Check("main", fset, []*ast.File{file}, nil)
	return err == nil
}

// loaded imports packages that have been loaded.
type loaded map[string]*packages.Package

func (l loaded) Import(path string) (*types.Package, error) {
	if p := l[path]; p != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}
