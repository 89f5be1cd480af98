package codegen

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skelgo/skelgo/codegen/emit"
)

// Print returns what the functions called name mean on devices (package ir) and their C, and
// reports what cannot be translated. A name is that of a function (nearest), with its package
// (kmeans.nearest) or import path; methods have their types before it (pair.norm). All
// instances of a generic function have its name. A function literal is called by its place
// (kmeans.go:12).
func (p *Program) Print(name string) (string, []Problem, error) {
	t, problems, err := p.translate()
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	printed := map[string]bool{}
	for _, u := range t.units {
		for _, k := range u.kernels {
			if !k.called(name) || printed[k.ident] {
				continue
			}
			printed[k.ident] = true
			fmt.Fprintf(&b, "// %s: %s\n\n%s\n", k.reg.Name, k.reg.Type, k.program)
			form := emit.C(k.program)
			for _, d := range append(form.Decls, form.Twice...) {
				b.WriteString(d.C + "\n")
			}
			b.WriteByte('\n')
		}
	}
	if b.Len() == 0 && len(problems) == 0 {
		return "", nil, fmt.Errorf("no skeleton is given a function called %s in these packages", name)
	}
	return b.String(), problems, nil
}

// called reports whether a kernel's function is called name; see Print.
func (k *kernel) called(name string) bool {
	if k.lit != nil {
		at := k.pkg.Fset.Position(k.lit.Pos())
		return name == fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
	}
	full := strings.NewReplacer("(", "", ")", "", "*", "").Replace(k.fn.FullName()) // of a method: (*path.pair).norm
	bare := strings.TrimPrefix(full, k.fn.Pkg().Path()+".")
	return name == full || name == k.fn.Pkg().Name()+"."+bare || bare == name || strings.HasSuffix(bare, "."+name)
}
