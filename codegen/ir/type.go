package ir

import "fmt"

// Kind is the kind of a type.
type Kind int

// Kinds of type. A Bool is one byte in memory. View kinds contain a pointer to
// device memory and exist only in private memory; the contents of windows are
// defined by the kernel around them.
const (
	Bool Kind = iota
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F32
	F64
	Struct
	Array
	Pointer // to private memory; parameters only
	View
	OutView
	MatView
	MatOutView
	Row // row of a matrix, in memory that the kernel chooses; parameters and variables only
	Window
	MatWindow
)

// Type is a type of the device program. Types with the same Ident are the same
// type.
type Type struct {
	Kind   Kind
	Ident  string  // name in C; for a pointer, the mangled element and a star
	Fields []Field // fields of a struct, in memory order
	Elem   *Type   // element type of an array, pointer or view
	Len    int64   // length of an array
	Pos    Pos     // position of the declaration of a named struct
}

// Field is one field of a struct.
type Field struct {
	Name  string // name in C
	Type  *Type
	Blank bool // the Go field is _: kept for the layout, skipped by ==
}

var basics = [...]string{"b8", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}

var basic = func() (t [F64 + 1]*Type) {
	for k, name := range basics {
		t[k] = &Type{Kind: Kind(k), Ident: name}
	}
	return t
}()

// Basic returns the type of a number or boolean.
func Basic(k Kind) *Type { return basic[k] }

// ArrayOf returns the type of an array of n elements.
func ArrayOf(elem *Type, n int64) *Type {
	return &Type{Kind: Array, Ident: fmt.Sprintf("arr%d_%s", n, elem.Ident), Elem: elem, Len: n}
}

// PointerTo returns the type of a pointer to a value in private memory.
func PointerTo(elem *Type) *Type {
	return &Type{Kind: Pointer, Ident: elem.Ident + " *", Elem: elem}
}

var viewNames = map[Kind]string{View: "view_", OutView: "outview_", MatView: "matview_", MatOutView: "matoutview_",
	Row: "row_", Window: "window_", MatWindow: "matwindow_"}

// ViewOf returns the type of a view of kind k of elements in device memory.
func ViewOf(k Kind, elem *Type) *Type {
	return &Type{Kind: k, Ident: viewNames[k] + elem.Ident, Elem: elem}
}

// TupleOf returns a struct type that holds several results.
func TupleOf(types ...*Type) *Type {
	t := &Type{Kind: Struct, Ident: "tuple"}
	for i, u := range types {
		t.Ident += "_" + u.Ident
		t.Fields = append(t.Fields, Field{Name: fmt.Sprintf("r%d", i), Type: u})
	}
	return t
}

// Is reports whether t and u are the same type; nil means no value.
func (t *Type) Is(u *Type) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t == u || t.Ident == u.Ident
}

// Integer reports whether t is an integer type.
func (t *Type) Integer() bool { return t.Kind >= I8 && t.Kind <= U64 }

// Signed reports whether t is a signed integer type.
func (t *Type) Signed() bool { return t.Kind >= I8 && t.Kind <= I64 }

// Float reports whether t is a floating-point type.
func (t *Type) Float() bool { return t.Kind == F32 || t.Kind == F64 }

// Scalar reports whether t is a number or a boolean.
func (t *Type) Scalar() bool { return t.Kind <= F64 }

// IsView reports whether t is a view of device memory.
func (t *Type) IsView() bool { return t.Kind >= View }

// Matrix reports whether t is a view with two indices.
func (t *Type) Matrix() bool {
	return t.Kind == MatView || t.Kind == MatOutView || t.Kind == MatWindow
}

// IsWindow reports whether t is the window that a stencil's function receives.
func (t *Type) IsWindow() bool { return t.Kind == Window || t.Kind == MatWindow }

// HoldsWindow reports whether t is or contains a window.
func (t *Type) HoldsWindow() bool { return t.holds((*Type).IsWindow) }

// Bits returns the width of a number.
func (t *Type) Bits() int { return [...]int{8, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64}[t.Kind] }

// Unsigned returns the unsigned integer type of t's width.
func (t *Type) Unsigned() *Type {
	if t.Signed() {
		return basic[t.Kind+U8-I8]
	}
	return t
}

// HoldsView reports whether t is or contains a view, and so cannot be stored in
// a buffer.
func (t *Type) HoldsView() bool { return t.holds((*Type).IsView) }

func (t *Type) holds(is func(*Type) bool) bool {
	switch t.Kind {
	case Struct:
		for _, f := range t.Fields {
			if f.Type.holds(is) {
				return true
			}
		}
		return false
	case Array, Pointer:
		return t.Elem.holds(is)
	default:
		return is(t)
	}
}

// Leaf is a part of an extra argument that is passed to a kernel separately.
type Leaf struct {
	Path string // C members that lead to the part: ".Points"; "" for the whole argument
	Type *Type  // a view, or plain data
}

// Leaves splits the type of an extra argument into its leaves, in memory order.
func Leaves(t *Type) []Leaf { return leaves(t, "") }

func leaves(t *Type, path string) (list []Leaf) {
	switch {
	case t.Kind == Row: // not allowed in an extra argument
		return nil
	case t.IsView() || !t.HoldsView():
		return []Leaf{{path, t}}
	case t.Kind == Array:
		for i := range t.Len {
			list = append(list, leaves(t.Elem, path+Element(i))...)
		}
	}
	for i, f := range t.Fields {
		if !f.Blank {
			list = append(list, leaves(f.Type, path+Member(t, i))...)
		}
	}
	return list
}

// Member returns the step of a path to a field.
func Member(t *Type, field int) string { return "." + t.Fields[field].Name }

// Element returns the step of a path to an element of an array.
func Element(i int64) string { return fmt.Sprintf(".a[%d]", i) }

func (t *Type) String() string {
	if t == nil {
		return "void"
	}
	return t.Ident
}
