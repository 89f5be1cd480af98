package registry

import (
	"fmt"
	"path"
	"reflect"
	"strings"
)

// fits checks that a function's types have the layout that its device form
// expects: the C types describe the layout of the Go types when skelgen ran,
// and t describes the types of this program.
func (f *Func) fits(t reflect.Type) error {
	if f.Params == nil && f.Result == "" {
		return nil // the layout is unknown
	}
	types := map[string]string{}
	for _, d := range f.Decls {
		types[d.Ident] = d.C
	}
	if t.NumIn() != len(f.Params) {
		return fmt.Errorf("it has %s but had %d when skelgen ran", count(t.NumIn(), "parameter"), len(f.Params))
	}
	for i, p := range f.Params {
		if err := fit(types, p, t.In(i), fmt.Sprintf("parameter %d", i+1)); err != nil {
			return err
		}
	}
	results := []string{f.Result}
	switch {
	case f.Result == "":
		results = nil
	case t.NumOut() > 1 && strings.HasPrefix(f.Result, "tuple_"):
		results = results[:0]
		for _, m := range members(types[f.Result]) {
			results = append(results, m.ctype)
		}
	}
	if t.NumOut() != len(results) {
		return fmt.Errorf("it has %s but had %d when skelgen ran", count(t.NumOut(), "result"), len(results))
	}
	for i, r := range results {
		if err := fit(types, r, t.Out(i), "its result"); err != nil {
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

// scalars maps kinds of Go types to C types.
var scalars = [...]string{
	reflect.Bool: "b8", reflect.Int: "i64", reflect.Int8: "i8", reflect.Int16: "i16", reflect.Int32: "i32",
	reflect.Int64: "i64",
	reflect.Uint:  "u64", reflect.Uint8: "u8", reflect.Uint16: "u16", reflect.Uint32: "u32", reflect.Uint64: "u64",
	reflect.Uintptr: "u64",
	reflect.Float32: "f32", reflect.Float64: "f64",
}

// views maps the C types that represent device memory to their Go names.
var views = map[string]string{"view": "vector.View", "outview": "vector.OutView", "matview": "matrix.View",
	"matoutview": "matrix.OutView",
	"row":        "vector.Row", "window": "vector.Window", "matwindow": "matrix.Window"}

// fit compares the C type c with the Go type t of the object called what.
func fit(types map[string]string, c string, t reflect.Type, what string) error {
	text := types[c]
	differs := fmt.Errorf("%s is of type %v but was %s when skelgen ran", what, t, goName(types, c))
	switch {
	case text == "": // a number
		if int(t.Kind()) >= len(scalars) || scalars[t.Kind()] != c {
			return differs
		}
		return nil
	case strings.HasPrefix(text, "typedef struct {\n"):
		return fitStruct(types, c, t, differs)
	}
	if elem, n, ok := array(text); ok {
		if t.Kind() != reflect.Array || fmt.Sprint(t.Len()) != n {
			return differs
		}
		return fit(types, elem, t.Elem(), "an element of "+what)
	}
	kind, elem, _ := strings.Cut(c, "_")
	name, _, _ := strings.Cut(t.Name(), "[")
	if views[kind] != path.Base(t.PkgPath())+"."+name {
		return differs
	}
	if of := element(t); of != nil {
		return fit(types, elem, of, "an element of "+what)
	}
	return nil
}

// fitStruct compares the fields of a struct.
func fitStruct(types map[string]string, c string, t reflect.Type, differs error) error {
	if t.Kind() != reflect.Struct {
		return differs
	}
	list := members(types[c])
	same := len(list) == t.NumField()
	for i := 0; same && i < len(list); i++ {
		same = sameName(list[i].name, t.Field(i).Name)
	}
	if !same {
		var is, was []string
		for i := range t.NumField() {
			is = append(is, t.Field(i).Name)
		}
		for _, m := range list {
			was = append(was, m.name)
		}
		return fmt.Errorf("%v has the fields %s but had %s when skelgen ran",
			t, strings.Join(is, ", "), strings.Join(was, ", "))
	}
	for i, m := range list {
		f := t.Field(i)
		if err := fit(types, m.ctype, f.Type, fmt.Sprintf("field %s of %v", f.Name, t)); err != nil {
			return err
		}
	}
	return nil
}

// member is a field of a C struct.
type member struct{ ctype, name string }

// members returns the fields of a struct that skelgen wrote, one per line.
func members(text string) (list []member) {
	for line := range strings.Lines(text) {
		if decl, ok := strings.CutSuffix(strings.TrimSpace(line), ";"); ok && line[0] == '\t' {
			ctype, name, _ := strings.Cut(decl, " ")
			list = append(list, member{ctype, name})
		}
	}
	return list
}

// array returns the element type and the length of an array type, given its
// text.
func array(text string) (elem, n string, ok bool) {
	inner, ok := strings.CutPrefix(text, "typedef struct { ")
	if !ok {
		return "", "", false
	}
	elem, rest, ok := strings.Cut(inner, " a[")
	n, _, _ = strings.Cut(rest, "]")
	return elem, n, ok
}

// sameName reports whether a C field represents a Go field: names that C cannot
// use are written with additional underscores and letters.
func sameName(c, field string) bool {
	if field == "_" {
		return strings.HasPrefix(c, "blank")
	}
	for _, r := range field {
		if r >= 0x80 {
			return true // its type is compared anyway
		}
	}
	return strings.TrimRight(c, "_") == strings.TrimRight(field, "_")
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

// goName returns the Go name of a C type.
func goName(types map[string]string, c string) string {
	text := types[c]
	elem, n, isArray := array(text)
	kind, of, _ := strings.Cut(c, "_")
	switch {
	case c == "b8":
		return "bool"
	case c == "i64" || c == "u64":
		return map[string]string{"i64": "int or int64", "u64": "uint or uint64"}[c]
	case text == "":
		return map[byte]string{'i': "int", 'u': "uint", 'f': "float"}[c[0]] + c[1:]
	case strings.HasPrefix(text, "typedef struct {\n"):
		if i := strings.LastIndexByte(strings.TrimRight(c, "_"), '_'); i > 0 { // a hash of the package's path
			c = c[:i]
		}
		return strings.Replace(c, "_", ".", 1)
	case isArray:
		return "[" + n + "]" + goName(types, elem)
	}
	return views[kind] + "[" + goName(types, of) + "]"
}
