package codegen

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
)

// The functions of stencils read several elements through their window, and are
// then too large for Go's compiler to inline: a call for every element, of a
// function that does little else than to load. But a literal that is called in one
// place only is inlined up to ten times the usual size. So the loop has the
// function's text as a literal of its own, with the positions of the original.

// inline is a function as such a literal; "" where its text would not mean the
// same in the generated file, or is not there.
func (n *names) inline(u *Use) string {
	var params, body, whole ast.Node
	switch {
	case u.lit != nil:
		params, body, whole = u.lit.Type.Params, u.lit.Body, u.lit
	case u.fn != nil && u.fn.Pkg().Path() == n.pkg.Path() && u.fn.Signature().Recv() == nil && len(u.args) == 0:
		for _, file := range u.pkg.Syntax {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && u.pkg.TypesInfo.Defs[d.Name] == u.fn {
					params, body, whole = d.Type.Params, d.Body, d
				}
			}
		}
	}
	if whole == nil || !n.canCopy(u, whole) {
		return ""
	}
	from, to := u.pkg.Fset.Position(params.Pos()), u.pkg.Fset.Position(body.End())
	text, err := os.ReadFile(from.Filename)
	if err != nil || to.Offset > len(text) || bytes.ContainsRune(text[from.Offset:to.Offset], '`') {
		return ""
	}
	return fmt.Sprintf("\n//line %s:%d\nfunc%s\n%s", filepath.Base(from.Filename), from.Line, text[from.Offset:to.Offset], backHere)
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
		if l == backHere {
			lines[i] = fmt.Sprintf("//line %s:%d", name, i+2)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
