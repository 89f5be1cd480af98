package lower

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// A function or type is identified by what it is in Go: the path of its package, the
// declaration, and the type arguments. Its position is no part of that, so the same
// function has the same name in C wherever skelgen meets it, in this module or in
// another one, and after lines have been added above it.
//
// The C name consists of words for the reader, which may be those of other functions
// too (T.m and T_m, package a/p and package b/p), and a tag, which is a hash of the
// identity (docs/adr/0042).

// tag returns a hash of an identity: a digit, which ordinary names rarely have after an
// underscore, and five digits or letters.
func tag(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	n := binary.LittleEndian.Uint64(sum[:])
	const letters = 36 * 36 * 36 * 36 * 36
	rest := strconv.FormatUint(n/10%letters, 36)
	return strconv.Itoa(int(n%10)) + strings.Repeat("0", 5-len(rest)) + rest
}

// globalIdent returns the C name of something with the given identity.
func globalIdent(pkg *types.Package, identity string, words ...string) string {
	return ascii(pkg.Name() + "_" + strings.Join(words, "_") + "_" + tag(identity))
}

// identity returns the identity of a declared function.
func (p *program) identity(fn *types.Func, args []types.Type) string {
	receiver := ""
	if recv := fn.Signature().Recv(); recv != nil {
		receiver = receiverName(recv.Type())
	}
	return fmt.Sprintf("func %s (%s) %s%s", fn.Pkg().Path(), receiver, fn.Name(), p.identities(args))
}

// identities returns the identities of type arguments.
func (p *program) identities(args []types.Type) string {
	list := make([]string, len(args))
	for i, t := range args {
		list[i] = p.typeIdentity(t)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// typeIdentity returns a text that is the same for identical types only.
func (p *program) typeIdentity(t types.Type) string {
	s := types.TypeString(t, nil)
	for _, o := range localTypes(t, nil) {
		s += " " + p.declaration(o)
	}
	return s
}

// localTypes appends the types in t that are declared in a function, whose names do not
// identify them.
func localTypes(t types.Type, list []*types.TypeName) []*types.TypeName {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if isLocal(t.Obj()) {
			list = append(list, t.Obj())
		}
		for a := range t.TypeArgs().Types() {
			list = localTypes(a, list)
		}
	case *types.Array:
		list = localTypes(t.Elem(), list)
	case *types.Slice:
		list = localTypes(t.Elem(), list)
	case *types.Pointer:
		list = localTypes(t.Elem(), list)
	case *types.Struct:
		for f := range t.Fields() {
			list = localTypes(f.Type(), list)
		}
	}
	return list
}

func isLocal(o *types.TypeName) bool { return o.Pkg() != nil && o.Parent() != o.Pkg().Scope() }

// declaration identifies a type that is declared in a function by the names of the
// function's declaration, and its number among the types there.
func (x *index) declaration(o *types.TypeName) string {
	for _, p := range x.pkgs[o.Pkg().Path()] {
		for _, file := range p.Syntax {
			unnamed := 0
			for _, d := range file.Decls {
				named := hasName(d)
				if !named {
					unnamed++
				}
				if o.Pos() < d.Pos() || o.Pos() >= d.End() {
					continue
				}
				where := o.Pkg().Path()
				if !named { // the file and a number distinguish it from others
					name := filepath.Base(p.Fset.Position(file.FileStart).Filename)
					where = fmt.Sprintf("%s %s %d", where, name, unnamed)
				}
				return fmt.Sprintf("%s in %s %q#%d", o.Name(), where, declared(d), typeNumber(d, o))
			}
		}
	}
	return o.Name()
}

// hasName reports whether a top-level declaration has a name that no other one has, unlike
// func init and var _.
func hasName(d ast.Decl) bool {
	if fn, ok := d.(*ast.FuncDecl); ok {
		return fn.Name.Name != "_" && (fn.Name.Name != "init" || fn.Recv != nil)
	}
	decl, ok := d.(*ast.GenDecl)
	return ok && slices.ContainsFunc(decl.Specs, func(s ast.Spec) bool {
		v, isValue := s.(*ast.ValueSpec)
		return !isValue || slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return id.Name != "_" })
	})
}

// declared returns the names in a top-level declaration.
func declared(d ast.Decl) (names []string) {
	if fn, ok := d.(*ast.FuncDecl); ok {
		names = append(names, fn.Name.Name)
		if fn.Recv != nil && len(fn.Recv.List) > 0 {
			names = append(names, types.ExprString(fn.Recv.List[0].Type))
		}
	}
	ast.Inspect(d, func(part ast.Node) bool {
		if v, ok := part.(*ast.ValueSpec); ok {
			for _, id := range v.Names {
				names = append(names, id.Name)
			}
		}
		return true
	})
	return names
}

// typeNumber returns the number of a type among those of a top-level declaration.
func typeNumber(d ast.Decl, o *types.TypeName) int {
	n, number := 0, 0
	ast.Inspect(d, func(part ast.Node) bool {
		if t, ok := part.(*ast.TypeSpec); ok {
			if n++; t.Name.Pos() == o.Pos() {
				number = n
			}
		}
		return true
	})
	return number
}

// literalNumber returns the number of a function literal among those in a function.
func literalNumber(in ast.Node, lit *ast.FuncLit) int {
	n, number := 0, 0
	ast.Inspect(in, func(part ast.Node) bool {
		if l, ok := part.(*ast.FuncLit); ok && l != in {
			if n++; l == lit {
				number = n
			}
		}
		return number == 0
	})
	return number
}

// mangle returns a type argument as words in a function's name.
func mangle(t types.Type) string {
	s := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	word := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 128 {
			return r
		}
		return '_'
	}, s)
	return strings.Trim(word, "_")
}

// typeIdent returns the C name of a struct type. Types with the same memory may share it:
// pair[celsius] has the name of pair[float32].
func (f *function) typeIdent(t types.Type) string {
	words, identity := f.describe(t)
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return globalIdent(n.Obj().Pkg(), "type "+identity, words)
	}
	return words + "_" + tag(identity)
}

// describe returns the words for a type, and its identity but for the names of numbers.
func (f *function) describe(t types.Type) (words, identity string) {
	t = types.Unalias(t)
	if b, ok := t.Underlying().(*types.Basic); ok {
		if k, ok := basicKinds[b.Kind()]; ok {
			return ir.Basic(k).Ident, ir.Basic(k).Ident
		}
	}
	if kind, elem, ok := viewKind(t); ok {
		w, id := f.describe(elem)
		return strings.ReplaceAll(ir.ViewOf(kind, ir.Basic(ir.Bool)).Ident, "b8", w),
			fmt.Sprintf("view %d %s", kind, id)
	}
	switch t := t.(type) {
	case *types.Named:
		words, identity = t.Obj().Name(), types.TypeString(t.Origin(), nil)
		if isLocal(t.Obj()) {
			identity += " " + f.declaration(t.Obj())
			for _, a := range sortedArgs(f.env.within(t.Underlying(), binding{})) {
				identity += " " + f.typeIdentity(a)
			}
		}
		for a := range t.TypeArgs().Types() {
			w, id := f.describe(a)
			words, identity = words+"_"+w, identity+" ["+id+"]"
		}
	case *types.Array:
		w, id := f.describe(t.Elem())
		words, identity = fmt.Sprintf("arr%d_%s", t.Len(), w), fmt.Sprintf("[%d]%s", t.Len(), id)
	case *types.Struct:
		words, identity = "anon", "struct"
		for v := range t.Fields() {
			_, id := f.describe(v.Type())
			identity += " " + v.Id() + " {" + id + "}"
		}
	default:
		words, identity = "T", f.typeIdentity(t)
	}
	return words, identity
}

// within adds to found the parts of b whose type parameters occur in t.
func (b binding) within(t types.Type, found binding) binding {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if to := b[t]; to != nil {
			found[t] = to
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			b.within(a, found)
		}
		if isLocal(t.Obj()) {
			b.within(t.Underlying(), found)
		}
	case *types.Array:
		b.within(t.Elem(), found)
	case *types.Struct:
		for v := range t.Fields() {
			b.within(v.Type(), found)
		}
	}
	return found
}

// sortedArgs returns the types in a binding, in the order of the parameters.
func sortedArgs(env binding) []types.Type {
	params := make([]*types.TypeParam, 0, len(env))
	for p := range env {
		params = append(params, p)
	}
	slices.SortFunc(params, func(a, b *types.TypeParam) int { return a.Index() - b.Index() })
	args := make([]types.Type, len(params))
	for i, p := range params {
		args[i] = env[p]
	}
	return args
}
