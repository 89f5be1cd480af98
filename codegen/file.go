package codegen

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// target returns the generated file for a kernel and its build constraint,
// which is that of the kernel's own file or of a file that it depends on.
func (k *kernel) target(pkg *packages.Package) (name, buildLine string) {
	name, buildLine = target(pkg, k.file)
	for _, file := range k.sources {
		if buildLine != "" || strings.HasPrefix(name, "zkernels_") && name != testFileName && name != xtestFileName {
			break
		}
		if other, line := target(pkg, file); other != fileName && other != testFileName && other != xtestFileName {
			return other, line
		}
	}
	return name, buildLine
}

// fileText returns the text of the generated file called name, with the kernels
// of one target.
func fileText(pkg *packages.Package, name, buildLine string, kernels []*kernel) ([]byte, error) {
	slices.SortFunc(kernels, func(a, b *kernel) int {
		return cmp.Or(strings.Compare(a.reg.Name, b.reg.Name), strings.Compare(a.reg.Type, b.reg.Type),
			strings.Compare(a.reg.Pos, b.reg.Pos))
	})
	n := &names{pkg: pkg.Types, file: identOf(name), imports: map[string]string{}}
	reg := n.use(registryPath, "registry")
	files, sources := "nil", sourcesOf(kernels)
	if sources != "" {
		files = n.free(n.file)
		sources = fmt.Sprintf("%s%s\nvar %s %s.FS\n", sourcesNote, sources, files, n.use("embed", "embed"))
	}
	list := n.free(n.file + "_functions")
	var expected []string
	var entries, literals bytes.Buffer
	for _, k := range kernels {
		entries.WriteString(n.entry(k, reg, &literals))
		expected = append(expected, n.expects(k)...)
	}
	var b bytes.Buffer
	b.WriteString(header)
	if buildLine != "" {
		b.WriteString("\n" + buildLine + "\n")
	}
	fmt.Fprintf(&b, "\npackage %s\n\n%s\n", pkg.Name, n.block())
	b.WriteString(sources)
	fmt.Fprintf(&b, "\nfunc init() { %s.From(%q, %s).Add(%s) }\n\n", reg, folderPath(pkg), files, list)
	fmt.Fprintf(&b, "var %s = []%s.Func{\n%s}\n\n", list, reg, entries.String())
	// Directives come last: the runtime has no path for functions after one.
	b.WriteString(expectation(expected) + literals.String() + n.copyText.String())
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("internal error: the generated file for %s is not valid Go: %w", pkg.PkgPath, err)
	}
	return numberLines(name, text), nil
}

const sourcesNote = `// The sources of the functions below, to find out when they have changed. When
// one does not exist any more, run 'go generate'.
//
//go:embed `

// sourcesOf returns the files that the kernels depend on.
func sourcesOf(kernels []*kernel) string {
	var names []string
	for _, k := range kernels {
		for _, path := range k.sources {
			names = append(names, filepath.Base(path))
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// entry returns the entry of one function in the list.
func (n *names) entry(k *kernel, reg string, literals *bytes.Buffer) string {
	var b strings.Builder
	f := &k.reg
	callee, goValue := "", ""
	if k.by == nil || !k.generic { // loops call the function
		callee = n.mention(k.Use)
	}
	switch {
	case k.by != nil:
		goValue = n.returnedBy(k.Use, reg)
	case callee != "" && k.fixed() != nil:
		goValue = callee
	case unnameable(k.sig, n.pkg) == "":
		goValue = "(" + types.TypeString(k.sig, n.qualifier) + ")(nil)"
	}
	stencil := isStencil(k.Use)
	held := n.holds(k.Use)
	if k.lit != nil && !stencil && !held {
		ident := n.unique(literalName(k.Use))
		if text := n.literal(k.Use, ident); text != "" {
			literals.WriteString(text)
			callee = ident
		}
	}
	fmt.Fprintf(&b, "{Name: %q, ", f.Name)
	if goValue == "" || goValue != callee { // otherwise the value has the type
		fmt.Fprintf(&b, "Type: %q, ", f.Type)
	}
	if goValue != "" {
		fmt.Fprintf(&b, "Go: %s, ", goValue)
	}
	fmt.Fprintf(&b, "Pos: %q, Hash: %q, ", f.Pos, f.Hash)
	if f.Within != "" {
		fmt.Fprintf(&b, "Within: %q, Span: [2]int{%d, %d}, ", f.Within, f.Span[0], f.Span[1])
	}
	fmt.Fprintf(&b, "Uses: %q,\n", f.Uses)
	// A function of rows contains its own loop.
	if (callee != "" || stencil || held) && !k.generic && unnameable(k.sig, n.pkg) == "" && !takesRows(k.sig) {
		if callee != "" && k.fn != nil && !held && !stencil && n.sums(k.pkg, k.fn) {
			callee = n.rounded(k.pkg, k.fn)
		}
		loops := n.loops(k.Use, k.ident, n.shapeOf(k.Use, callee))
		fields := make([]string, len(loops))
		for i, l := range loops {
			fields[i] = l.field + ": " + l.text
			literals.WriteString(l.decl)
		}
		switch text := strings.Join(fields, ", "); {
		case text == "":
		case strings.Contains(text, "\n"):
			fmt.Fprintf(&b, "Loops: %s.Loops{\n%s,\n},\n", reg, strings.Join(fields, ",\n"))
		default:
			fmt.Fprintf(&b, "Loops: %s.Loops{%s},\n", reg, text)
		}
	}
	fmt.Fprintf(&b, "IR: %q},\n", f.IR)
	return b.String()
}

// returnedBy returns the expression that gets a function which a call returns, or ""
// if there is none.
func (n *names) returnedBy(u *Use, reg string) string {
	if u.by.Signature().Params().Len() > 0 || u.by.Signature().Recv() != nil {
		return ""
	}
	text := u.by.Name()
	if q := n.qualifier(u.by.Pkg()); q != "" {
		text = q + "." + text
	}
	if u.instance != nil {
		args := make([]string, len(u.instance))
		for i, t := range u.instance {
			if unnameable(t, n.pkg) != "" {
				return ""
			}
			args[i] = types.TypeString(t, n.qualifier)
		}
		text += "[" + strings.Join(args, ", ") + "]"
	}
	first := reg + ".First("
	if u.by.Signature().Results().Len() == 1 {
		first = "("
	}
	return first + text + "())"
}

// literalName returns the name of a literal in generated Go and C.
func literalName(u *Use) string {
	pos := u.pkg.Fset.Position(u.lit.Pos())
	base := strings.TrimSuffix(filepath.Base(pos.Filename), ".go")
	return "literal_" + strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, base) + "_" + strconv.Itoa(pos.Line)
}

// declaredIn returns the source file to which a function belongs: its own file
// if it is in this package, and otherwise the file that mentions it.
func (u *Use) declaredIn() string {
	var at ast.Node = u.expr
	if u.fn != nil && u.fixed() != nil && u.fn.Pkg() == u.pkg.Types {
		return u.pkg.Fset.File(u.fn.Pos()).Name()
	}
	return u.pkg.Fset.File(at.Pos()).Name()
}
