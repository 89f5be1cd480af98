package registry

import (
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// fits checks that a function's types have the layout that its device form
// expects: root describes the Go types when skelgen ran, and t those of this
// program.
func fits(t reflect.Type, root *ir.Func) error {
	if t.NumIn() != len(root.Params) {
		return fmt.Errorf("it has %s but had %d when skelgen ran", count(t.NumIn(), "parameter"), len(root.Params))
	}
	for i, p := range root.Params {
		if err := fit(p.Type, t.In(i), fmt.Sprintf("parameter %d", i+1)); err != nil {
			return err
		}
	}
	var results []*ir.Type
	switch r := root.Result; {
	case r == nil:
	case t.NumOut() > 1 && r.Kind == ir.Struct && strings.HasPrefix(r.Ident, "tuple_"):
		for _, f := range r.Fields {
			results = append(results, f.Type)
		}
	default:
		results = []*ir.Type{r}
	}
	if t.NumOut() != len(results) {
		return fmt.Errorf("it has %s but had %d when skelgen ran", count(t.NumOut(), "result"), len(results))
	}
	for i, r := range results {
		if err := fit(r, t.Out(i), "its result"); err != nil {
			return err
		}
	}
	return nil
}

func count(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprint(n, " ", of)
}

// scalars maps kinds of Go types to kinds of numbers.
var scalars = map[reflect.Kind]ir.Kind{
	reflect.Bool: ir.Bool, reflect.Int: ir.I64, reflect.Int8: ir.I8, reflect.Int16: ir.I16, reflect.Int32: ir.I32,
	reflect.Int64: ir.I64, reflect.Uint: ir.U64, reflect.Uint8: ir.U8, reflect.Uint16: ir.U16, reflect.Uint32: ir.U32,
	reflect.Uint64: ir.U64, reflect.Uintptr: ir.U64, reflect.Float32: ir.F32, reflect.Float64: ir.F64,
}

// views maps the kinds that represent device memory to their Go names.
var views = map[ir.Kind]string{ir.View: "vector.View", ir.OutView: "vector.OutView", ir.MatView: "matrix.View",
	ir.MatOutView: "matrix.OutView", ir.Row: "vector.Row", ir.Window: "vector.Window", ir.MatWindow: "matrix.Window"}

// fit compares the type was with the Go type t of the object called what.
func fit(was *ir.Type, t reflect.Type, what string) error {
	differs := fmt.Errorf("%s is of type %v but was %s when skelgen ran", what, t, goName(was))
	switch {
	case was.Scalar():
		if k, ok := scalars[t.Kind()]; !ok || k != was.Kind {
			return differs
		}
		return nil
	case was.Kind == ir.Struct:
		return fitStruct(was, t, differs)
	case was.Kind == ir.Array:
		if t.Kind() != reflect.Array || int64(t.Len()) != was.Len {
			return differs
		}
		return fit(was.Elem, t.Elem(), "an element of "+what)
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	if views[was.Kind] != path.Base(t.PkgPath())+"."+name {
		return differs
	}
	if of := element(t); of != nil {
		return fit(was.Elem, of, "an element of "+what)
	}
	return nil
}

// fitStruct compares the fields of a struct.
func fitStruct(was *ir.Type, t reflect.Type, differs error) error {
	if t.Kind() != reflect.Struct {
		return differs
	}
	same := len(was.Fields) == t.NumField()
	for i := 0; same && i < len(was.Fields); i++ {
		same = sameName(was.Fields[i], t.Field(i).Name)
	}
	if !same {
		var now, before []string
		for i := range t.NumField() {
			now = append(now, t.Field(i).Name)
		}
		for _, f := range was.Fields {
			before = append(before, f.Name)
		}
		return fmt.Errorf("%v has the fields %s but had %s when skelgen ran",
			t, strings.Join(now, ", "), strings.Join(before, ", "))
	}
	for i, f := range was.Fields {
		field := t.Field(i)
		if err := fit(f.Type, field.Type, fmt.Sprintf("field %s of %v", field.Name, t)); err != nil {
			return err
		}
	}
	return nil
}

// sameName reports whether a field represents a Go field: names that C cannot
// use are written with additional underscores and letters.
func sameName(f ir.Field, name string) bool {
	if name == "_" {
		return f.Blank
	}
	for _, r := range name {
		if r >= 0x80 {
			return true // its type is compared anyway
		}
	}
	return strings.TrimRight(f.Name, "_") == strings.TrimRight(name, "_")
}

// element returns the type of a view's elements.
func element(t reflect.Type) reflect.Type {
	for i := range t.NumField() {
		switch f := t.Field(i).Type; {
		case f.Kind() == reflect.Slice:
			return f.Elem()
		case f.Kind() == reflect.Pointer && f.Elem().Kind() == reflect.Struct &&
			strings.HasPrefix(f.Elem().Name(), "frame["):
			return element(f.Elem())
		}
	}
	return nil
}

// goName returns the Go name of a type.
func goName(t *ir.Type) string {
	switch {
	case t.Kind == ir.Bool:
		return "bool"
	case t.Kind == ir.I64:
		return "int or int64"
	case t.Kind == ir.U64:
		return "uint or uint64"
	case t.Integer() && t.Signed():
		return fmt.Sprint("int", t.Bits())
	case t.Integer():
		return fmt.Sprint("uint", t.Bits())
	case t.Float():
		return fmt.Sprint("float", t.Bits())
	case t.Kind == ir.Struct:
		name := t.Ident
		if i := strings.LastIndexByte(strings.TrimRight(name, "_"), '_'); i > 0 { // a hash of the package's path
			name = name[:i]
		}
		return strings.Replace(name, "_", ".", 1)
	case t.Kind == ir.Array:
		return fmt.Sprintf("[%d]%s", t.Len, goName(t.Elem))
	}
	return views[t.Kind] + "[" + goName(t.Elem) + "]"
}
