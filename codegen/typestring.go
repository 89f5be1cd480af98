package codegen

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// typeString formats a type as package reflect does.
func typeString(t types.Type) string { return reflected(t, false) }

// reflected formats a type, or a type argument, which has import paths instead of
// package names and no spaces after commas.
func reflected(t types.Type, argument bool) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Obj().Name()
		if p := t.Obj().Pkg(); p != nil {
			qualifier := p.Name()
			if argument && qualifier != "main" {
				qualifier = p.Path()
			}
			name = qualifier + "." + name
		}
		var args []string
		for a := range t.TypeArgs().Types() {
			args = append(args, reflected(a, true))
		}
		if len(args) > 0 {
			name += "[" + strings.Join(args, ",") + "]"
		}
		return name
	case *types.Pointer:
		return "*" + reflected(t.Elem(), argument)
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), reflected(t.Elem(), argument))
	case *types.Slice:
		return "[]" + reflected(t.Elem(), argument)
	case *types.Struct:
		return reflectedStruct(t, argument)
	case *types.Signature:
		params := reflectedTuple(t.Params(), argument)
		if n := len(params); t.Variadic() {
			params[n-1] = "..." + strings.TrimPrefix(params[n-1], "[]")
		}
		text := "func(" + strings.Join(params, ", ") + ")"
		switch results := reflectedTuple(t.Results(), argument); len(results) {
		case 0:
		case 1:
			text += " " + results[0]
		default:
			text += " (" + strings.Join(results, ", ") + ")"
		}
		return text
	}
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

func reflectedTuple(t *types.Tuple, argument bool) []string {
	list := make([]string, t.Len())
	for i := range list {
		list[i] = reflected(t.At(i).Type(), argument)
	}
	return list
}

func reflectedStruct(t *types.Struct, argument bool) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	fields := make([]string, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		if !f.Embedded() {
			if argument && !f.Exported() {
				fields[i] = f.Pkg().Path() + "."
				if f.Pkg().Name() == "main" {
					fields[i] = "main."
				}
			}
			fields[i] += f.Name() + " "
		}
		fields[i] += reflected(f.Type(), argument)
		if tag := t.Tag(i); tag != "" {
			fields[i] += " " + strconv.Quote(tag)
		}
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

// localArgument returns the name of a type that is declared inside a function and is a
// type argument in t, or "". Package reflect shows such a type with a number, which the
// compiler chooses.
func localArgument(t types.Type, argument bool) string {
	either := func(list ...types.Type) string {
		for _, t := range list {
			if s := localArgument(t, argument); s != "" {
				return s
			}
		}
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if o := t.Obj(); argument && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return o.Name()
		}
		for a := range t.TypeArgs().Types() {
			if s := localArgument(a, true); s != "" {
				return s
			}
		}
	case *types.Pointer:
		return either(t.Elem())
	case *types.Array:
		return either(t.Elem())
	case *types.Slice:
		return either(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if s := either(f.Type()); s != "" {
				return s
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if s := either(v.Type()); s != "" {
					return s
				}
			}
		}
	}
	return ""
}
