package lower

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Import paths of the packages whose types represent device memory.
const (
	vectorPath = "github.com/skelgo/skelgo/vector"
	matrixPath = "github.com/skelgo/skelgo/matrix"
)

var viewKinds = map[[2]string]ir.Kind{
	{vectorPath, "View"}:    ir.View,
	{vectorPath, "OutView"}: ir.OutView,
	{vectorPath, "Row"}:     ir.Row,
	{matrixPath, "View"}:    ir.MatView,
	{matrixPath, "OutView"}: ir.MatOutView,
	{vectorPath, "Window"}:  ir.Window,
	{matrixPath, "Window"}:  ir.MatWindow,
}

var basicKinds = map[types.BasicKind]ir.Kind{
	types.Bool: ir.Bool, types.UntypedBool: ir.Bool,
	types.Int: ir.I64, types.Int8: ir.I8, types.Int16: ir.I16, types.Int32: ir.I32, types.Int64: ir.I64,
	types.Uint: ir.U64, types.Uint8: ir.U8, types.Uint16: ir.U16, types.Uint32: ir.U32, types.Uint64: ir.U64,
	types.Uintptr: ir.U64, types.Float32: ir.F32, types.Float64: ir.F64,
	types.UntypedInt: ir.I64, types.UntypedRune: ir.I32, types.UntypedFloat: ir.F64,
}

// viewKind returns the kind and the element type of a view type, if the type is
// one.
func viewKind(t types.Type) (ir.Kind, types.Type, bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() != 1 {
		return 0, nil, false
	}
	k, ok := viewKinds[[2]string{n.Obj().Pkg().Path(), n.Obj().Name()}]
	return k, n.TypeArgs().At(0), ok
}

// typ translates a Go type; pos is its position, for messages.
func (f *function) typ(t types.Type, pos token.Pos) *ir.Type {
	return f.typeOf(f.env.subst(t), pos)
}

func (f *function) typeOf(t types.Type, pos token.Pos) *ir.Type {
	if kind, elem, ok := viewKind(t); ok {
		e := f.typeOf(elem, pos)
		if e.HoldsView() {
			f.fail(pos, ruleViews, "a view of views")
		}
		return f.intern(ir.ViewOf(kind, e))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if k, ok := basicKinds[u.Kind()]; ok {
			return ir.Basic(k)
		}
	case *types.Array:
		if u.Len() == 0 {
			f.fail(pos, ruleEmpty, "the type %s has no elements", f.show(t))
		}
		elem := f.typeOf(u.Elem(), pos)
		if elem.Kind == ir.Row {
			f.fail(pos, ruleViews, "an array of rows")
		}
		return f.intern(ir.ArrayOf(elem, u.Len()))
	case *types.Struct:
		return f.structType(t, u, pos)
	case *types.Pointer:
		return ir.PointerTo(f.typeOf(u.Elem(), pos))
	}
	f.refuseType(t, pos)
	return nil
}

// refuseType fails with the rule for a type that does not exist on a device.
func (f *function) refuseType(t types.Type, pos token.Pos) {
	name := f.show(t)
	switch u := t.Underlying().(type) {
	case *types.Map:
		f.fail(pos, ruleMap, "%s is a map", name)
	case *types.Slice:
		f.fail(pos, ruleSlice, "%s is a slice", name)
	case *types.Chan:
		f.fail(pos, ruleChan, "%s is a channel", name)
	case *types.Signature:
		f.fail(pos, ruleFuncValue, "a value of type %s", name)
	case *types.Interface:
		f.fail(pos, ruleInterface, "%s is an interface", name)
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			f.fail(pos, ruleString, "a value of type %s", name)
		case u.Info()&types.IsComplex != 0:
			f.fail(pos, ruleComplex, "a value of type %s", name)
		case u.Kind() == types.UnsafePointer:
			f.fail(pos, ruleUnsafe, "a value of type %s", name)
		case u.Kind() == types.UntypedNil:
			f.advise(pos, rulePointer, noNil, "nil")
		}
	}
	f.fail(pos, ruleFuncValue, "a value of type %s", name)
}

func (f *function) structType(t types.Type, u *types.Struct, pos token.Pos) *ir.Type {
	ident := f.typeIdent(t)
	if known := f.types[ident]; known != nil {
		return known
	}
	s := &ir.Type{Kind: ir.Struct, Ident: ident}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if p := f.pkgs[n.Obj().Pkg().Path()]; len(p) > 0 {
			s.Pos = f.position(p[0], n.Obj().Pos())
		}
	}
	for i := range u.NumFields() {
		v := u.Field(i)
		field := ir.Field{Name: cName(v.Name()), Blank: v.Name() == "_"}
		if _, ok := v.Type().Underlying().(*types.Pointer); ok {
			f.advise(pos, rulePointer, "keep the value, or its index in an array or view",
				"field %s of %s is a pointer", v.Name(), f.show(t))
		}
		field.Type = f.typ(v.Type(), pos)
		if field.Type.Kind == ir.Row {
			f.fail(pos, ruleViews, "field %s of %s is a row", v.Name(), f.show(t))
		}
		if field.Blank {
			field.Name = "blank" + itoa(i)
		}
		s.Fields = append(s.Fields, field)
	}
	if len(s.Fields) == 0 {
		f.fail(pos, ruleEmpty, "the type %s has no fields", f.show(t))
	}
	uniqueFields(s.Fields)
	return f.intern(s)
}

// uniqueFields renames fields whose names have become equal in C.
func uniqueFields(fields []ir.Field) {
	seen := map[string]bool{}
	for i := range fields {
		for seen[fields[i].Name] {
			fields[i].Name += "_"
		}
		seen[fields[i].Name] = true
	}
}

// intern adds a type to those that the program declares.
func (p *program) intern(t *ir.Type) *ir.Type {
	if known := p.types[t.Ident]; known != nil {
		return known
	}
	p.types[t.Ident] = t
	p.out.Types = append(p.out.Types, t)
	return t
}

// show formats a type as the user would write it, with package names only.
func (f *function) show(t types.Type) string {
	s := types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg.Types {
			return ""
		}
		return p.Name()
	})
	return strings.ReplaceAll(s, "interface {}", "any")
}

func itoa(i int) string { return strconv.Itoa(i) }
