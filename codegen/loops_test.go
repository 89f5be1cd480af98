package codegen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryLoopIsUsed compares the loops that skelgen writes with those that package skel asks the
// registry for. A loop that no skeleton asks for, with these parameters, never runs.
func TestEveryLoopIsUsed(t *testing.T) {
	written := map[string]string{ // form of the parameters, by field and constant
		"Map mapLoop": mapLoop, "Map mapVoid": mapVoid, "Filter filterLoop": filterLoop,
		"Window windowLoop": windowLoop, "Zip zipLoop": zipLoop, "Zip zipVoid": zipVoid, "Pair pairLoop": pairLoop,
		"Fold foldLoop": foldLoop, "Cells cellsLoop": cellsLoop, "Cells cellsOfLoop": cellsOfLoop,
		"Index indexLoop": indexLoop, "Index indexVoid": indexVoid, "Grid gridLoop": gridLoop,
		"Grid gridVoid": gridVoid, "Runs runsLoop": runsLoop(1, 16), "Tree treeLoop": treeLoop(1),
		"Scan scanLoop": scanLoop(1, 16),
	}
	source, err := os.ReadFile("loops.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`add\("(\w+)", (.*)\)\n`).FindAllSubmatch(source, -1) {
		for _, name := range regexp.MustCompile(`\w+(Loop|Void)\b`).FindAllString(string(m[2]), -1) {
			if written[string(m[1])+" "+name] == "" {
				t.Errorf("this test does not know the loop %s of %s", name, m[1])
			}
		}
	}
	used := loopsOfSkel(t)
	for name, text := range written {
		field, _, _ := strings.Cut(name, " ")
		form := formOf(t, text[:strings.Index(text, " {\n")])
		if !used[field+" "+form] {
			t.Errorf("no skeleton asks for %s, a loop of the form (%s)", name, form)
		}
	}
}

// formOf returns the parameters of a function type without the names of types: [] is a slice, int an
// int, and T anything else. An extra argument, which is last, is left out.
func formOf(t *testing.T, function string) string {
	t.Helper()
	function = strings.ReplaceAll(strings.ReplaceAll(function, "$", ""), ", EXTRA", "")
	x, err := parser.ParseExpr(function)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	return form(x.(*ast.FuncType))
}

func form(f *ast.FuncType) string {
	var list []string
	for _, p := range f.Params.List {
		of := "T"
		switch p := p.Type.(type) {
		case *ast.ArrayType:
			of = "[]"
		case *ast.Ident:
			if p.Name == "E" {
				continue
			}
			if p.Name == "int" || p.Name == "bool" {
				of = p.Name
			}
		}
		for range max(1, len(p.Names)) {
			list = append(list, of)
		}
	}
	return strings.Join(list, " ")
}

// loopsOfSkel returns the field and the form of each loop that package skel asks for.
func loopsOfSkel(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../skel/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("package skel was not found", err)
	}
	var trees []*ast.File
	types, fields := map[string]*ast.FuncType{}, map[string]string{} // of functions that pick a loop
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, f)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if f, ok := s.Type.(*ast.FuncType); ok {
							types[s.Name.Name] = f
						}
					}
				}
			case *ast.FuncDecl:
				if field := picked(d.Body); field != "" {
					fields[d.Name.Name] = field
				}
			}
		}
	}
	used := map[string]bool{}
	for _, f := range trees {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			of, ok := call.Fun.(*ast.IndexExpr)
			if !ok {
				return true
			}
			if name, ok := of.X.(*ast.Ident); !ok || name.Name != "loop" {
				return true
			}
			field := ""
			switch pick := call.Args[1].(type) {
			case *ast.FuncLit:
				field = picked(pick.Body)
			case *ast.Ident:
				field = fields[pick.Name]
			}
			typ := of.Index
			if generic, ok := typ.(*ast.IndexListExpr); ok {
				typ = generic.X
			}
			if name, ok := typ.(*ast.Ident); ok {
				typ = types[name.Name]
			}
			used[field+" "+form(typ.(*ast.FuncType))] = true
			return true
		})
	}
	return used
}

// picked returns X if the body is { return l.X }, and otherwise "".
func picked(body *ast.BlockStmt) string {
	if body == nil || len(body.List) != 1 {
		return ""
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return ""
	}
	s, ok := r.Results[0].(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if l, ok := s.X.(*ast.Ident); !ok || l.Name != "l" {
		return ""
	}
	return s.Sel.Name
}
