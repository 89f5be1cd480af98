package skel

import (
	"fmt"
	"reflect"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// plan says how an extra argument of one Go type is passed to a kernel: as its leaves,
// in the order of the fields. skelgen walks the type in the same way.
type plan struct {
	leaves []leaf
	views  []array.ViewKind // kinds of the leaves that are views
	typ    reflect.Type
	out    bool // some leaves are out-views
}

// leaf is a field of an extra argument that is passed as one unit: a view, or a value
// without views.
type leaf struct {
	path      string
	kind      array.ViewKind
	off, size uintptr
}

// bytesOf returns a pointer to the memory of an extra argument. The functions that read and
// change its fields get this instead of an *E, so that they are compiled once and not for
// each type.
func bytesOf[E any](e *E) *byte { return driver.Field[byte](e, 0) }

// planOf returns the plan of type E.
func planOf[E any]() *plan { return planFor(reflect.TypeFor[E]()) }

func planFor(t reflect.Type) *plan {
	p := &plan{typ: t}
	p.walk(t, "", 0)
	for _, l := range p.leaves {
		if l.kind != array.NoView {
			p.views = append(p.views, l.kind)
		}
		p.out = p.out || l.kind == array.WriteVector || l.kind == array.WriteMatrix
	}
	return p
}

// walk adds the leaves of t, which is at path and offset off of the extra argument.
func (p *plan) walk(t reflect.Type, path string, off uintptr) {
	kind := array.KindOf(t)
	if kind == array.NoView && t.Kind() == reflect.Struct && holdsView(t) {
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				p.walk(f.Type, path+"."+f.Name, off+f.Offset)
			}
		}
		return
	}
	if kind == array.NoView && t.Kind() == reflect.Array && holdsView(t) {
		for i := range t.Len() {
			p.walk(t.Elem(), fmt.Sprintf("%s.a[%d]", path, i), off+uintptr(i)*t.Elem().Size())
		}
		return
	}
	p.leaves = append(p.leaves, leaf{path, kind, off, t.Size()})
}

// holdsView reports whether a type is a view or has one as a field or an element.
func holdsView(t reflect.Type) bool {
	if array.KindOf(t) != array.NoView {
		return true
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsView(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return holdsView(t.Elem())
	default:
		return false
	}
}

// writes reports whether a function with this extra argument, nil if it takes
// none, can change memory.
func (p *plan) writes() bool { return p != nil && p.out }

// bound is the extra argument of one call: its views and their arrays, and the other
// leaves as kernel arguments.
type bound struct {
	heads  []array.Head   // the views
	arrays []*array.Array // the arrays of all views
	out    []*array.Array // the arrays of out-views
	vals   []driver.Arg   // the other leaves, in order
	plan   *plan
	fun    *function
	shape  *shape
	err    error

	back [][2]*array.Array // containers of out-views, and the copies that the call writes instead

	// In a part of a call over several devices:
	own  uint64 // bit i: view i holds only the rows of this part
	base []int  // the first row of each view in own

	room struct { // memory for the slices: one allocation instead of six
		heads  [4]array.Head
		arrays [4]*array.Array
		out    [2]*array.Array
		vals   [4]driver.Arg
		bytes  [64]byte
		own    node // the node of a call without a result
		inputs [6]*array.Array
	}
}

// bind reads the leaves of the extra argument at e, see bytesOf.
func bind(f *function, e *byte) *bound {
	b := &bound{plan: f.plan, fun: f}
	b.heads, b.arrays, b.out, b.vals = b.room.heads[:0], b.room.arrays[:0], b.room.out[:0], b.room.vals[:0]
	bytes := b.room.bytes[:0]
	for _, l := range f.plan.leaves {
		if l.kind == array.NoView {
			var v driver.Arg
			v, bytes = driver.RawIn(bytes, e, l.off, l.size)
			b.vals = append(b.vals, v)
			continue
		}
		h := *driver.Field[array.Head](e, l.off)
		if h.Array == nil {
			b.err = fmt.Errorf("skel: %s: view %v%s is empty: set it to the View or OutView of a container",
				f.label, f.plan.typ, l.path)
			return b
		}
		b.heads, b.arrays = append(b.heads, h), append(b.arrays, h.Array)
		if l.kind == array.WriteVector || l.kind == array.WriteMatrix {
			b.out = append(b.out, h.Array)
		}
	}
	return b
}

// args appends the kernel arguments in the order of the parameters that kernel_text.go
// declares.
func (b *bound) args(args []driver.Arg) ([]driver.Arg, error) {
	vals, view := b.vals, 0
	for _, l := range b.plan.leaves {
		if l.kind == array.NoView {
			args, vals = append(args, vals[0]), vals[1:]
			continue
		}
		h := &b.heads[view]
		mem, err := h.Array.Memory()
		if err != nil {
			return nil, err
		}
		a := mem.Arg()
		a.Reads = l.kind == array.ReadVector || l.kind == array.ReadMatrix
		args = append(args, a)
		if b.shifted(view) {
			args = append(args, driver.Value(int64(b.base[view])))
		}
		args = b.extentArg(args, 2*view, h.Rows)
		if l.kind == array.ReadMatrix || l.kind == array.WriteMatrix {
			args = b.extentArg(args, 2*view+1, h.Cols)
		}
		view++
	}
	return args, nil
}

// shifted reports whether a view holds only the rows of a part of a call.
func (b *bound) shifted(view int) bool { return b.own>>view&1 != 0 }

// extentArg appends v, the value of extent e, unless it is a constant in the C text.
func (b *bound) extentArg(args []driver.Arg, e, v int) []driver.Arg {
	if _, is := b.shape.constant(e); is {
		return args
	}
	return append(args, driver.Value(int64(v)))
}

// watched returns the number of elements of each out-view, 0 for one through which every
// call writes only its own row.
func (b *bound) watched() (list []int64) {
	for view, kind := range b.plan.views {
		n := int64(b.heads[view].Rows)
		switch kind {
		case array.WriteMatrix:
			n *= int64(b.heads[view].Cols)
		case array.WriteVector:
		default:
			continue
		}
		if b.shifted(view) {
			n = 0
		}
		list = append(list, n)
	}
	return list
}

// writeOut prepares the arrays of out-views for a call that writes them and also reads
// inputs.
func (b *bound) writeOut(f *function, inputs []*array.Array) error {
	for _, a := range b.out {
		uses := 0
		for _, in := range inputs {
			if in == a {
				uses++
			}
		}
		if uses > 1 { // inputs holds the out-view itself once
			return usedTwice(f)
		}
		if err := a.Change(); err != nil {
			return err
		}
		if _, err := a.Output(); err != nil {
			return err
		}
	}
	return nil
}

// settleReaders materializes the pending expressions that read what a call is about to
// write through the out-views of its extra argument. An input of the call may be one of
// them, so settleReaders is called before the inputs are opened.
func settleReaders(f *function, e *byte) {
	if !f.plan.writes() {
		return
	}
	for _, l := range f.plan.leaves {
		if l.kind != array.WriteVector && l.kind != array.WriteMatrix {
			continue
		}
		if a := driver.Field[array.Head](e, l.off).Array; a != nil {
			a.SettleReaders()
		}
	}
}

// usedTwice returns the error for an out-view whose container another argument of the
// call uses.
func usedTwice(f *function) error {
	return fmt.Errorf("skel: %s: an out-view's container is also read or written through another argument "+
		"of the same call: use a copy of it, or one out-view for both", f.label)
}
