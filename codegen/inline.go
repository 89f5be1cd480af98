package codegen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// Two kinds of functions are not called by their loops, which have the function's
// text instead, as a literal of their own with the positions of the original:
//
// The functions of stencils read several elements through their window, and are
// then too large for Go's compiler to inline: a call for every element, of a
// function that does little else than to load. But a literal that is called in one
// place only is inlined up to ten times the usual size.
//
// A function with an extra argument too large for registers would get a copy of it
// for every element, inlined or not: 17 ns for one of 250 bytes, where the work takes
// 3. The literal sees the loop's own instead (held.go).

// source is the function's parameters, body, and all of it, if its text is there and
// would mean the same in the generated file, were it to name nothing else.
func (u *Use) source(in *types.Package) (kind *ast.FuncType, body *ast.BlockStmt, whole ast.Node) {
	switch {
	case u.lit != nil:
		return u.lit.Type, u.lit.Body, u.lit
	case u.fn != nil && u.fn.Pkg().Path() == in.Path() && u.fn.Signature().Recv() == nil && len(u.args) == 0:
		for _, file := range u.pkg.Syntax {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && u.pkg.TypesInfo.Defs[d.Name] == u.fn {
					return d.Type, d.Body, d
				}
			}
		}
	}
	return nil, nil, nil
}

// inline is a function as such a literal; "" where its text would not mean the
// same in the generated file, or is not there. One that is held has no parameter
// for the extra argument.
func (n *names) inline(u *Use) string {
	kind, body, whole := u.source(n.pkg)
	if whole == nil || !n.canCopy(u, whole) {
		return ""
	}
	held, from := n.holds(u), kind.Params.Pos()
	if held {
		from = body.Pos()
	}
	text := u.text(from, body.End())
	if text == "" {
		return ""
	}
	if held {
		text = strings.TrimPrefix(types.ExprString(withoutLast(kind)), "func") + " " + text
	}
	at := u.pkg.Fset.Position(from)
	return fmt.Sprintf("\n//line %s:%d\nfunc%s\n%s", filepath.Base(at.Filename), at.Line, text, backHere)
}

// text is a part of the function's file, "" if it cannot be had.
func (u *Use) text(from, to token.Pos) string {
	a, b := u.pkg.Fset.Position(from), u.pkg.Fset.Position(to)
	all, err := os.ReadFile(a.Filename)
	if err != nil || b.Offset > len(all) || bytes.ContainsRune(all[a.Offset:b.Offset], '`') {
		return ""
	}
	return string(all[a.Offset:b.Offset])
}

// apart makes a loop, in which § stands for the literal, a function of its own:
// what is registered before any directive has the path of the file.
func (n *names) apart(l loop, ident, literal string) loop {
	for n.taken(ident) {
		ident += "_"
	}
	decl := strings.Replace(strings.TrimPrefix(l.text, "func"), "§", literal, 1)
	return loop{field: l.field, text: ident, decl: fmt.Sprintf("\n// %s has the text of the function that it calls.\nfunc %s%s\n", ident, ident, decl)}
}

// backHere is a directive that says from which line on the generated file is
// itself again; numberLines fills it in.
const backHere = "//line zkernels:1"

// numberLines fills in the directives of the generated file called name.
func numberLines(name string, text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		switch l {
		case backHere:
			lines[i] = fmt.Sprintf("//line %s:%d", name, i+2)
		case expectHere:
			lines[i] = fmt.Sprintf("//line %s (out of date: run go generate):%d", name, i+2)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
