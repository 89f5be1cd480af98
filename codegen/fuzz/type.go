package fuzz

import (
	"fmt"
	"math"
	"strings"
)

// kind is the kind of a type. Numbers come first.
type kind int

const (
	i8 kind = iota
	i16
	i32
	i64
	integer // int
	u8
	u16
	u32
	u64
	unsigned // uint
	f32
	f64
	boolean
	structure
	array
	view
	outView
	matView
)

var basicNames = [...]string{"int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint",
	"float32", "float64", "bool"}

var basicSizes = [...]int64{1, 2, 4, 8, 8, 1, 2, 4, 8, 8, 4, 8, 1}

// typ is a type of a generated program, with Go's layout on 64-bit machines.
type typ struct {
	kind   kind
	name   string // name in Go
	fields []field
	elem   *typ
	n      int64 // length of an array or view
	views  bool  // a struct that contains views and has no layout in memory
	size   int64
	align  int64
}

type field struct {
	name string
	typ  *typ
	off  int64
}

var basics = func() (t [boolean + 1]*typ) {
	for k, name := range basicNames {
		t[k] = &typ{kind: kind(k), name: name, size: basicSizes[k], align: basicSizes[k]}
	}
	return t
}()

func (t *typ) number() bool  { return t.kind <= f64 }
func (t *typ) float() bool   { return t.kind == f32 || t.kind == f64 }
func (t *typ) integer() bool { return t.kind <= unsigned }
func (t *typ) signed() bool  { return t.kind <= integer }
func (t *typ) bits() int64   { return t.size * 8 }

// named reports whether the program declares the type, so that it can have methods.
func (t *typ) named() bool {
	return t.kind == structure || t.kind <= f64 && strings.Contains(t.name, "_")
}

// plain reports whether the type can be stored in a buffer.
func (t *typ) plain() bool { return t.kind <= array && !t.views }

// structOf computes the layout of a struct.
func structOf(name string, fields []field) *typ {
	t := &typ{kind: structure, name: name, fields: fields, align: 1}
	for i := range fields {
		f := &fields[i]
		t.align = max(t.align, f.typ.align)
		t.size = roundUp(t.size, f.typ.align)
		f.off = t.size
		t.size += f.typ.size
	}
	t.size = roundUp(t.size, t.align)
	return t
}

func arrayOf(elem *typ, n int64) *typ {
	return &typ{kind: array, name: fmt.Sprintf("[%d]%s", n, elem.name), elem: elem, n: n, size: n * elem.size,
		align: elem.align}
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// leaf is a number or boolean in memory.
type leaf struct {
	path string
	kind kind
	off  int64
}

// leaves returns the leaves of t, which begins at off.
func (t *typ) leaves(path string, off int64) []leaf {
	var all []leaf
	switch t.kind {
	case structure:
		for _, f := range t.fields {
			all = append(all, f.typ.leaves(path+"."+f.name, off+f.off)...)
		}
	case array:
		for i := range t.n {
			all = append(all, t.elem.leaves(fmt.Sprintf("%s[%d]", path, i), off+i*t.elem.size)...)
		}
	default:
		all = []leaf{{path, t.kind, off}}
	}
	return all
}

// value formats a leaf so that equal values have equal texts.
func (l leaf) value(mem []byte) string {
	b := uint64(0)
	for i := range basicSizes[l.kind] {
		b |= uint64(mem[l.off+i]) << (8 * i)
	}
	switch l.kind {
	case f32:
		x := math.Float32frombits(uint32(b))
		if x != x {
			return "NaN"
		}
		return fmt.Sprintf("%v (%#08x)", x, b)
	case f64:
		x := math.Float64frombits(b)
		if x != x {
			return "NaN"
		}
		return fmt.Sprintf("%v (%#016x)", x, b)
	case i8, i16, i32, i64, integer:
		shift := 64 - 8*basicSizes[l.kind]
		return fmt.Sprint(int64(b<<shift) >> shift)
	default:
		return fmt.Sprint(b)
	}
}
