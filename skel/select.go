package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Filter is the skeleton that keeps the elements for which a function returns true, in
// their order.
//
// Unlike the results of Map and Zip, those of Filter are computed at once, in one pass
// over the input. Their length is on the device: Len waits for it, and skeletons that
// can run without it do not. See [Record] for loops whose work shrinks.
type Filter[T any] struct{ keep *Map[T, bool] }

// NewFilter returns the filter that keeps the elements for which keep returns true. It
// panics if keep is nil.
func NewFilter[T any](keep func(T) bool) *Filter[T] { return &Filter[T]{newMap("Filter", keep)} }

// FilterWith is a Filter whose function takes an extra argument.
type FilterWith[T, E any] struct{ keep *MapWith[T, E, bool] }

// NewFilterWith returns the filter that keeps the elements for which keep(x, extra)
// returns true. It panics if keep is nil, or if E holds an out-view.
func NewFilterWith[T, E any](keep func(T, E) bool) *FilterWith[T, E] {
	f := &FilterWith[T, E]{newMapWith("FilterWith", keep)}
	f.keep.fun.onlyReads()
	return f
}

// With returns the Filter with its extra argument bound to extra, as [MapWith.With]
// does.
func (f *FilterWith[T, E]) With(extra E) *Filter[T] { return &Filter[T]{f.keep.With(extra)} }

// Apply returns the elements of in for which the function returns true. The result has
// memory for in.Len() elements.
func (f *Filter[T]) Apply(in vector.Source[T]) *vector.Vector[T] {
	return f.selection().of(openCounted(in, false), wanted{values: true}).values
}

// Indices returns the indices of the elements for which the function returns true, in
// increasing order. The result has memory for in.Len() indices.
func (f *Filter[T]) Indices(in vector.Source[T]) *vector.Vector[int] {
	return f.selection().of(openCounted(in, false), wanted{indices: true}).indices
}

// Partition returns the elements for which the function returns true, and the rest, both
// in their order. Each result has memory for in.Len() elements.
func (f *Filter[T]) Partition(in vector.Source[T]) (kept, rest *vector.Vector[T]) {
	r := f.selection().of(openCounted(in, false), wanted{values: true, rest: true})
	return r.values, r.rest
}

// selection returns the selection by the function of the filter.
func (f *Filter[T]) selection() *selection[T] {
	s := &selection[T]{fun: f.keep.fun, label: f.keep.fun.label}
	s.bind(f.keep.binding)
	return s
}

// bind sets the function to that of b.
func (s *selection[T]) bind(b binding[mapLoops[T, bool]]) {
	s.extra = b.bind(s.fun)
	s.marking(b)
	s.rebind = func(t *selection[T], p *array.Place, inputs []*array.Array, unit, k int) {
		part, extra := b.part(s.extra, p, inputs, unit, k)
		t.extra = extra
		t.marking(part)
	}
}

// marking sets the native form to that of b.
func (s *selection[T]) marking(b binding[mapLoops[T, bool]]) {
	s.loops = func() selectLoops[T] {
		l := b.native()
		return selectLoops[T]{filter: l.filter, mark: func(_ *scratch, keep []bool, x, _ []T, _ int) []bool {
			l.each(keep, x)
			return keep
		}}
	}
}

// Unique is the skeleton that keeps the first of neighbours that are the same. After
// Sort it keeps one of each value.
//
// Its results are computed at once, and their length is on the device; see [Filter].
type Unique[T any] struct{ same *Zip[T, T, bool] }

// NewUnique returns the skeleton that keeps element 0, and each element x with a left
// neighbour a for which same(a, x) is false. It panics if same is nil.
func NewUnique[T any](same func(a, b T) bool) *Unique[T] { return &Unique[T]{newZip("Unique", same)} }

// UniqueWith is a Unique whose function takes an extra argument.
type UniqueWith[T, E any] struct{ same *ZipWith[T, T, E, bool] }

// NewUniqueWith returns the skeleton that keeps element 0, and each element x with a left
// neighbour a for which same(a, x, extra) is false. It panics if same is nil, or if E
// holds an out-view.
func NewUniqueWith[T, E any](same func(a, b T, extra E) bool) *UniqueWith[T, E] {
	u := &UniqueWith[T, E]{newZipWith("UniqueWith", same)}
	u.same.fun.onlyReads()
	return u
}

// With returns the Unique with its extra argument bound to extra, as [MapWith.With]
// does.
func (u *UniqueWith[T, E]) With(extra E) *Unique[T] { return &Unique[T]{u.same.With(extra)} }

// Apply returns the first element of each run of neighbours that are the same. The
// result has memory for in.Len() elements.
func (u *Unique[T]) Apply(in vector.Source[T]) *vector.Vector[T] {
	return u.selection().of(openCounted(in, false), wanted{values: true}).values
}

// Runs returns the first element of each run of neighbours that are the same, and the
// lengths of the runs. Each result has memory for in.Len() elements.
func (u *Unique[T]) Runs(in vector.Source[T]) (values *vector.Vector[T], lengths *vector.Vector[int]) {
	r := u.selection().of(openCounted(in, false), wanted{values: true, indices: true, lengths: true})
	return r.values, r.indices
}

// selection returns the selection by the function of u.
func (u *Unique[T]) selection() *selection[T] {
	s := &selection[T]{fun: u.same.fun, label: u.same.fun.label, neighbours: true}
	b := u.same.binding
	s.extra = b.bind(s.fun)
	s.comparing(b)
	s.rebind = func(t *selection[T], p *array.Place, inputs []*array.Array, unit, k int) {
		part, extra := b.part(s.extra, p, inputs, unit, k)
		t.extra = extra
		t.comparing(part)
	}
	return s
}

// comparing sets the native form to that of b, which compares neighbours.
func (s *selection[T]) comparing(b binding[zipLoop[T, T, bool]]) {
	s.loops = func() selectLoops[T] {
		same := b.native()
		return selectLoops[T]{mark: func(_ *scratch, keep []bool, x, left []T, _ int) []bool {
			same(keep, left, x)
			return keep
		}}
	}
}

// Compact returns the elements of in whose flag is true, in their order. It panics if the
// lengths differ. The result has memory for in.Len() elements, and its length is on the
// device; see [Filter].
func Compact[T any](in vector.Source[T], flags vector.Source[bool]) *vector.Vector[T] {
	x, f := openSameCount(compacting, in, flags)
	sameLength(compacting, x.n, f.n)
	s := &selection[T]{label: compacting.label}
	return s.flagged(f).of(x, wanted{values: true}).values
}

// compacting is the function of Compact, for messages.
var compacting = &function{label: "Compact"}

// flagged sets the selection to that by flags.
func (s *selection[T]) flagged(flags *expr[bool]) *selection[T] {
	s.flags = flags
	s.loops = func() selectLoops[T] {
		return selectLoops[T]{mark: func(c *scratch, _ []bool, x, _ []T, lo int) []bool {
			return flags.chunk(c, lo, lo+len(x))
		}}
	}
	return s
}
