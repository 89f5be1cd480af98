package skel

import (
	"reflect"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// mergeSort is a stable sort by merging, of each segment separately. All elements are a
// single segment. It moves the keys and, together with them, values or positions.
//
// Tiles of a fixed size are sorted first, each in the local memory of a group or in the
// cache of a core. Segments of at most a tile are then complete. Each of the following
// passes merges pairs of neighbouring runs. The number of launches depends on the number
// of elements only, and not on the number of segments.
type mergeSort[K, V any] struct {
	order  *ordering[K]
	keys   *expr[K]
	values *expr[V] // nil if there are no values
	cuts   *segmentation

	// The results, which have memory.
	elements *array.Array // the keys in order; nil if they are not wanted
	carried  *array.Array // the values in the same order or, without values, positions; may be nil
	columns  bool         // positions count from the first element of their segment
	base     int          // the position of the first element
}

// mergeInto sorts x into out by a merge sort.
func (o *ordering[T]) mergeInto(m *meta, out *array.Array, x *expr[T]) error {
	s := &mergeSort[T, int]{order: o, keys: x, cuts: oneSegment(x.n), elements: out}
	return s.run(m)
}

// mergeOrderInto stores the indices of the elements of x, in order, in out.
func (o *ordering[T]) mergeOrderInto(m *meta, out *array.Array, x *expr[T]) error {
	s := &mergeSort[T, int]{order: o, keys: x, cuts: oneSegment(x.n), carried: out}
	return s.run(m)
}

// mergePairsInto sorts x into keys by a merge sort, and moves values along.
func mergePairsInto[K, V any](
	o *ordering[K], m *meta, keys, carried *array.Array, x *expr[K], values *expr[V],
) error {
	s := &mergeSort[K, V]{
		order: o, keys: x, values: values, cuts: oneSegment(x.n), elements: keys, carried: carried,
	}
	return s.run(m)
}

// run sorts. Only the elements of ragged segments, and of no segments at all, may be in the
// memory of the results.
func (s *mergeSort[K, V]) run(m *meta) error {
	d := m.device()
	if s.keys.n == 0 {
		return nil
	}
	if d.Native() {
		own := *s
		return s.cuts.deferred(nil, func() error {
			return d.Natively(s.order.fun.label, nil, func() error { return own.native(d) })
		},
			s.keys, s.values, s.order.extra, s.elements, s.carried)
	}
	l := s.layout(d)
	if l.gathers {
		s.keys = stored(s.keys)
		if err := s.keys.err; err != nil {
			return err
		}
		if s.elements != nil && readsArray(s.keys.inputs, s.elements) {
			return s.throughCopy(func(own *mergeSort[K, V]) error { return own.device(d, l) })
		}
	}
	return s.device(d, l)
}

// throughCopy runs a sort into new memory and copies it to the elements, which the sort
// reads again while it writes.
func (s *mergeSort[K, V]) throughCopy(run func(own *mergeSort[K, V]) error) error {
	own, tmp := *s, uninitialized[K](s.keys.n, s.elements.Distribution())
	defer tmp.Free()
	own.elements = arrayOf(tmp)
	to, err := s.elements.Memory()
	if err != nil {
		return err
	}
	if _, err := own.elements.Output(); err != nil {
		return err
	}
	if err := run(&own); err != nil {
		return err
	}
	return copyInto(to, own.elements, s.keys.n)
}

// stored returns x as an expression that reads elements from memory or computes them
// from indices, so that it is cheap to read an element twice.
func stored[T any](x *expr[T]) *expr[T] {
	switch x.kind {
	case memory, indices, grid:
		return x
	default:
		v := pendingVector(x)
		_, _ = arrayOf(v).Memory() // the array keeps an error
		return openVector(v)
	}
}

// Sizes in bytes up to which elements are moved along. Larger ones stay where they are until
// their order is known.
const (
	largestKey   = 32 // a larger key is represented by its position
	largestValue = 8  // a larger value is gathered at the end
)

// mergeLayout is what a merge sort on a device moves, and in what pieces.
type mergeLayout struct {
	defines string
	size    int  // of what is moved for an element, in bytes
	alone   bool // only the elements are moved: they may move between the result and a buffer
	gathers bool // elements of the input are read again at the end
	tile    int  // elements of a tile
	lanes   int  // of a group; 1 on a CPU
	items   int  // elements of a lane's run
}

// layout returns how the sort runs on a device.
func (s *mergeSort[K, V]) layout(d *devices.Device) *mergeLayout {
	o, l := s.order, &mergeLayout{}
	key, align := driver.SizeOf[K](), reflect.TypeFor[K]().Align()
	keyed := o.key != nil && !o.byValue
	comparing := "T"
	switch {
	case keyed:
		key, comparing = o.key.width/8, o.key.bitsType()
		align = key
		l.defines += "#define KEYED\n"
	case o.byValue && o.descending:
		l.defines += "#define VALUED_DOWN\n"
	case o.byValue:
		l.defines += "#define VALUED_UP\n"
	}
	byPosition := !keyed && key > largestKey
	l.defines += "#define K " + comparing + "\n"
	position, width := "u32", 4
	if s.keys.n > 1<<32-1 {
		position, width = "i64", 8
	}
	carried := 0 // size of what is carried
	switch {
	case s.carried == nil && !keyed && !byPosition:
		l.alone = true
	case s.carried == nil && keyed && driver.SizeOf[K]() <= 2*largestValue:
		l.defines += "#define CARRY_ELEMENT\n#define P T\n"
		carried = driver.SizeOf[K]()
		width = reflect.TypeFor[K]().Align()
	case s.values != nil && !byPosition && !(keyed && s.elements != nil) && driver.SizeOf[V]() <= largestValue:
		l.defines += "#define CARRY_VALUE\n#define P V\n"
		carried = driver.SizeOf[V]()
		width = carried & -carried
	default:
		l.defines += "#define P " + position + "\n"
		carried = width
		l.gathers = s.elements != nil && (keyed || byPosition) || byPosition
	}
	if byPosition {
		l.defines += "#define BY_POSITION\n"
		key, align = 0, 1
	}
	l.size = structSize(key, align, carried, width)
	if s.elements != nil {
		l.defines += "#define ELEMENTS\n"
	}
	switch {
	case s.carried != nil && s.values != nil:
		name, define := s.valueType()
		l.defines = define + "#define V " + name + "\n#define VALUES\n" + l.defines
	case s.carried != nil:
		l.defines += "#define POSITIONS\n"
	}
	if s.columns {
		l.defines += "#define COLUMNS\n"
	}
	l.tiles(d, s.cuts)
	return l
}

// structSize returns the size of a C struct of two fields with the given sizes and alignments.
func structSize(a, alignA, b, alignB int) int {
	if b == 0 {
		return a
	}
	up := func(n, align int) int { return (n + align - 1) / align * align }
	return up(up(a, alignB)+b, max(alignA, alignB))
}

// valueType returns the C type of the values, and its definition. The type of values in
// memory does not matter, because they are only moved.
func (s *mergeSort[K, V]) valueType() (name, define string) {
	switch x := s.values; x.kind {
	case indices:
		return "i64", ""
	case memory:
		return "sort_value", opaqueType("sort_value", driver.SizeOf[V]())
	default:
		return x.ctype(), ""
	}
}
