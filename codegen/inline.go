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

// The loops of two kinds of functions do not call the function: they contain its
// text as a literal, with the positions of the original.
//
// Functions of stencils read several elements through their window and are then
// too large for Go's compiler to inline, which would leave a call for every
// element of a function that does little more than load. But a literal that is
// called in only one place is inlined up to ten times the usual size.
//
// A function with an extra argument too large for registers would copy it for
// every element, inlined or not: 17 ns for one of 250 bytes, where the work takes
// 3 ns. The literal uses the loop's extra argument instead (heldextra.go).

// source returns the function's parameters, its body and the whole function, if
// its text is available and means the same in the generated file except for the
// names in it.
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

// inline returns such a literal for a function, or "" if its text is not
// available or would not mean the same in the generated file. A function that
// holds its extra argument has no parameter for it.
func (n *names) inline(u *Use) string {
	kind, body, whole := u.source(n.pkg)
	if whole == nil || !n.canCopy(u, whole) {
		return ""
	}
	held, from := n.holds(u), kind.Params.Pos()
	if held {
		from = body.Pos()
	}
	text := n.roundedText(u, body, from, body.End())
	if text == "" {
		return ""
	}
	if held {
		text = strings.TrimPrefix(types.ExprString(withoutLast(kind)), "func") + " " + text
	}
	at := u.pkg.Fset.Position(from)
	return fmt.Sprintf("\n//line %s:%d\nfunc%s\n%s", filepath.Base(at.Filename), at.Line, text, backHere)
}

// text returns a part of the function's file, or "" if it cannot be read.
func (u *Use) text(from, to token.Pos) string {
	a, b := u.pkg.Fset.Position(from), u.pkg.Fset.Position(to)
	all, err := os.ReadFile(a.Filename)
	if err != nil {
		return ""
	}
	first, end := offsetIn(all, a), offsetIn(all, b)
	if first > end || bytes.ContainsRune(all[first:end], '`') {
		return ""
	}
	return string(all[first:end])
}

// separate makes a loop, in which § stands for the literal, a function of its
// own: functions registered before any line directive have the path of the
// file.
func (n *names) separate(l loop, ident, literal string) loop {
	for n.taken(ident) {
		ident += "_"
	}
	decl := strings.Replace(strings.TrimPrefix(l.text, "func"), "§", literal, 1)
	return loop{field: l.field, text: ident,
		decl: fmt.Sprintf("\n// %s has the text of the function that it calls.\nfunc %s%s\n", ident, ident, decl)}
}

// backHere is a directive that restores the generated file's own positions;
// numberLines fills it in.
const backHere = "//line zkernels:1"

// expectHere is the directive before the declarations; numberLines fills it in.
const expectHere = "//line zkernels_expect:1"

// numberLines fills in the line directives of the generated file called name.
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
