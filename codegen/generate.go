package codegen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/codegen/registry"
)

// Generate returns the generated files of all requested packages, and reports
// what cannot be translated. A package with problems has no files.
func (p *Program) Generate() ([]File, []Problem, error) {
	t, problems, err := p.translate()
	if err != nil {
		return nil, nil, err
	}
	files, err := t.files(problems)
	return files, problems, err
}

// unit is a package and the functions for which a file is generated.
type unit struct {
	pkg     *packages.Package
	kernels []*kernel
}

// translation holds what becomes of the functions of a program.
type translation struct {
	units []unit
	trace *tracer // finds what the functions depend on
}

// translate finds and lowers the functions of all packages. If a kernel calls
// functions that were loaded without their bodies, it loads the packages again
// with these bodies.
func (p *Program) translate() (*translation, []Problem, error) {
	for {
		t, problems, missing := p.tryTranslate()
		if len(missing) == 0 {
			return t, problems, nil
		}
		more, err := p.withBodies(missing)
		if err != nil {
			return nil, nil, err
		}
		if more == nil { // they have no Go source
			return t, problems, nil
		}
		*p = *more
	}
}

// tryTranslate also returns the import paths of packages whose functions were
// called but loaded without bodies.
func (p *Program) tryTranslate() (t *translation, problems []Problem, missing []string) {
	f := p.find()
	l := lower.New(p.all)
	t = &translation{trace: newTracer(p)}
	problems = f.problems
	done := map[string]*Use{} // functions in a package's file, which its tests do not repeat
	for _, pkg := range p.inOrder() {
		var kernels []*kernel
		for _, u := range f.sorted(pkg) {
			id := dirOf(pkg) + "\n" + u.key
			if old := done[id]; old != nil && (u.generic || !old.generic) || cpuOnly(u) {
				continue
			}
			done[id] = u
			k, bad := p.toDevice(l, u)
			problems = append(problems, bad...)
			if k == nil {
				continue
			}
			if err := t.trace.record(k, l.Sources()); err != nil {
				problems = append(problems, Problem{Pos: pkg.Fset.Position(u.expr.Pos()), Message: err.Error()})
			}
			kernels = append(kernels, k)
		}
		problems = append(problems, sameLine(kernels)...)
		t.units = append(t.units, unit{pkg, kernels})
	}
	return t, tidy(problems), l.Bodiless()
}

// files returns the files of the packages that have no problems.
func (t *translation) files(problems []Problem) ([]File, error) {
	bad := map[string]bool{}
	for _, pr := range problems {
		bad[filepath.Dir(pr.Pos.Filename)] = true
	}
	var files []File
	for _, u := range t.units {
		if bad[dirOf(u.pkg)] {
			continue
		}
		made, err := packageFiles(u.pkg, u.kernels)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return merge(append(files, t.trace.helperFiles()...)), nil
}

// inOrder puts a package before its test variant and its _test package, so that
// tests generate only what the package does not.
func (p *Program) inOrder() []*packages.Package {
	rank := func(pkg *packages.Package) int {
		switch {
		case pkg.ForTest == "":
			return 0
		case !strings.HasSuffix(pkg.Name, "_test"):
			return 1
		}
		return 2
	}
	pkgs := slices.Clone(p.roots)
	slices.SortStableFunc(pkgs, func(a, b *packages.Package) int { return rank(a) - rank(b) })
	return pkgs
}

// sameModule reports whether a function belongs to the module that uses it.
func (p *Program) sameModule(u *Use) bool {
	return slices.ContainsFunc(p.all, func(pkg *packages.Package) bool {
		return pkg.PkgPath == u.fn.Pkg().Path() && lower.SameModule(pkg, u.pkg)
	})
}

// toDevice lowers a use to its device form.
func (p *Program) toDevice(l *lower.Lowerer, u *Use) (*kernel, []Problem) {
	at := u.pkg.Fset.Position(u.expr.Pos())
	if !u.Rows && takesRows(u.sig) {
		return nil, []Problem{{Pos: at, Rule: lower.RuleViews,
			Message: "a vector.Row is only allowed in AllPairs: use a vector.View in the extra argument"}}
	}
	if local := u.hidden(); local != "" {
		what := "the function"
		if u.lit == nil {
			what = types.ExprString(u.expr)
		}
		return nil, []Problem{{Pos: at, Message: fmt.Sprintf("%s cannot be found at run time, because %s, a type "+
			"argument, is declared inside a function: declare it outside", what, local)}}
	}
	req := lower.Request{Func: u.fn, TypeArgs: u.args, User: u.pkg}
	if u.lit != nil {
		req = lower.Request{Lit: u.lit, Pkg: u.pkg, Name: literalName(u), User: u.pkg}
		if len(u.bind) > 0 {
			req.Func, req.TypeArgs = u.within, u.bind.args()
		}
	}
	prog, err := l.Lower(req)
	if err != nil {
		var refused lower.Errors
		if !errors.As(err, &refused) {
			return nil, []Problem{{Pos: at, Message: err.Error()}}
		}
		if u.fn != nil && !p.sameModule(u) {
			refused = lower.Errors{refused[0].Elsewhere(u.fn.Pkg().Name()+"."+u.fn.Name(), at)}
		}
		var list []Problem
		for _, e := range refused {
			m := e.Message
			if e.Hint != "" {
				m += ": " + e.Hint
			}
			list = append(list, Problem{Pos: e.Pos, Rule: e.Rule, Message: m})
		}
		return nil, list
	}
	if last := len(prog.Root.Params) - 1; u.Extra && prog.Root.Params[last].Type.HoldsWindow() {
		return nil, []Problem{{Pos: at, Rule: lower.RuleViews,
			Message: "the extra argument contains a window: only the first parameter of a stencil's function can " +
				"be one"}}
	}
	k := &kernel{Use: u, program: prog, ident: prog.Root.Ident, file: u.declaredIn(), reg: registry.Func{
		Type: typeString(u.sig), Pos: prog.Root.Pos.String(), Hash: emit.Hash(prog), IR: registry.Code(prog),
	}}
	path := strings.TrimSuffix(u.pkg.PkgPath, "_test")
	if u.fn != nil {
		k.reg.Name = lower.Name(u.fn, u.args)
	} else {
		k.reg.Name = fmt.Sprintf("%s.literal:%s:%d", path, filepath.Base(at.Filename), at.Line)
	}
	if u.fixed() == nil {
		k.reg.Pos = fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)
		k.lines = [2]int{at.Line, u.pkg.Fset.Position(u.expr.End()).Line}
	}
	return k, nil
}

// sameLine finds literals that cannot be distinguished at run time.
func sameLine(kernels []*kernel) []Problem {
	var list []Problem
	for i, k := range kernels {
		for _, o := range kernels[:i] {
			if k.lines != [2]int{} && o.lines != [2]int{} && k.file == o.file && k.reg.Type == o.reg.Type &&
				k.lines[0] <= o.lines[1] && o.lines[0] <= k.lines[1] {
				list = append(list, Problem{Pos: k.pkg.Fset.Position(k.expr.Pos()), Message: fmt.Sprintf(
					"two function literals of the same type (%s) are on one line, so they cannot be distinguished "+
						"at run time: put them on separate lines", k.reg.Type)})
			}
		}
	}
	return list
}

// packageFiles groups kernels by their generated files, and marks files for
// deletion that a package no longer needs.
func packageFiles(pkg *packages.Package, kernels []*kernel) ([]File, error) {
	type group struct {
		buildLine string
		kernels   []*kernel
	}
	groups := map[string]*group{}
	for _, k := range kernels {
		name, line := k.target(pkg)
		if groups[name] == nil {
			groups[name] = &group{buildLine: line}
		}
		groups[name].kernels = append(groups[name].kernels, k)
	}
	var files []File
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		text, err := fileText(pkg, name, groups[name].buildLine, groups[name].kernels)
		if err != nil {
			return nil, err
		}
		files = append(files, File{filepath.Join(dirOf(pkg), name), text})
	}
	for _, old := range pkg.GoFiles {
		if isGenerated(old, nil) && !strings.HasPrefix(filepath.Base(old), sourcesName) &&
			!slices.ContainsFunc(files, func(f File) bool { return f.Path == old }) {
			files = append(files, File{Path: old})
		}
	}
	return files, nil
}

// merge drops deletions of files that another variant of the package generates.
func merge(files []File) []File {
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	made := map[string]bool{}
	for _, f := range files {
		made[f.Path] = made[f.Path] || f.Content != nil
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(f File) bool {
		drop := f.Content == nil && (made[f.Path] || seen[f.Path])
		seen[f.Path] = true
		return drop
	})
}

// tidy sorts problems by position and drops those that test variants repeat.
func tidy(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		if c := strings.Compare(a.Pos.Filename, b.Pos.Filename); c != 0 {
			return c
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	return slices.Compact(list)
}

// cpuOnly reports whether a comment restricts a function to the CPU: //skel:cpu
// before its declaration, or on the line of a literal.
func cpuOnly(u *Use) bool {
	const mark = "//skel:cpu"
	want := func(pos token.Pos) bool {
		at := u.pkg.Fset.Position(pos)
		for _, file := range u.pkg.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if c.Text != mark && !strings.HasPrefix(c.Text, mark+" ") {
						continue
					}
					if p := u.pkg.Fset.Position(c.Pos()); p.Filename == at.Filename &&
						(p.Line == at.Line || u.pkg.Fset.Position(group.End()).Line == at.Line-1) {
						return true
					}
				}
			}
		}
		return false
	}
	if want(u.expr.Pos()) {
		return true
	}
	if _, named := u.expr.(*ast.FuncLit); !named && u.fn != nil {
		return want(u.fn.Pos())
	}
	return false
}
