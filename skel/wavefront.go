package skel

import (
	"errors"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Wavefront is the skeleton for the tables of dynamic programming, whose elements depend
// on their neighbours above and to the left:
//
//	t[i][j] = cell(t[i-1][j-1], t[i-1][j], t[i][j-1], i, j, extra)
//
// The user function computes one element, the cell. The elements of a diagonal do not
// depend on each other, so the skeleton computes them in parallel: each group computes a
// tile of a table, and the lanes of the group compute the diagonals of the tile.
type Wavefront[C any] struct {
	waveFunctions
	binding binding[waveLoops[C]]
	watch   func(elements int) error // nil unless Watched
}

// waveFunctions are the functions of a Wavefront.
type waveFunctions struct {
	cell, edge *function
	row, col   *function // nil if the cell receives i and j
	onto       *function // nil unless tables continue others
}

// waveLoops are the native forms of these functions.
type waveLoops[C any] struct {
	lines  func(t, j, by, n int) rowOf[C]
	beyond func(t, i, j int) C
	onto   func(t, j int, above C) C
}

// rowOf computes row i of a part of a table on the CPU. above is the row above it, which
// rowOf overwrites with row i. nw is the element to the left of above, and w the element
// to the left of row i.
type rowOf[C any] func(above []C, nw, w C, i int)

// WavefrontWith is a Wavefront whose functions take an extra argument.
type WavefrontWith[C, E any] struct {
	waveFunctions
	lines  func(t, j, by, n int, e E) rowOf[C]
	beyond func(t, i, j int, e E) C
	above  func(t, j int, above C, e E) C // nil unless Onto
}

// Table is one of several tables that are computed together. Its elements are rows Row to
// Row+Rows-1 and columns Col to Col+Cols-1 of the indices i and j that the cell function
// receives. If a table is Backward, its last row and column are computed first: north of
// an element is the one below it, and west is the one to its right.
//
// A table may continue another one, the table above it. Below is the number of the table
// above, counted from 1, or 0 if there is none. The table above must come earlier in the
// list, have as many columns and at least one row, and be continued by one table only.
// [Wavefront.Onto] sets the function that computes the elements between the two. In this
// way, a large table can be divided to keep the last row of each part.
type Table struct {
	Row, Col, Rows, Cols int
	Backward             bool
	Below                int
}

// NewWavefront returns the skeleton of two functions. cell computes an element from its
// neighbours to the north-west, north and west, its row and its column. edge returns the
// elements beyond the first row and column of a table. Its arguments are the index of the
// table in the call, and a row and a column counted from the beginning of the table; one
// or both are -1. NewWavefront panics if a function is nil.
func NewWavefront[C any](cell func(nw, n, w C, i, j int) C, edge func(t, i, j int) C) *Wavefront[C] {
	p := &plain[waveLoops[C]]{fun: newFunction("Wavefront", cell)}
	p.loops.beyond = edge
	p.fun.setup = func() {
		cells, ok := loop[func([]C, C, C, int, int, int)](p.fun, cellLoop)
		if !ok {
			cells = func(row []C, nw, west C, i, j, by int) {
				for k, n := range row {
					west = cell(nw, n, west, i, j)
					row[k], nw = west, n
					j += by
				}
			}
		}
		p.loops.lines = func(_, j, by, _ int) rowOf[C] {
			return func(above []C, nw, west C, i int) { cells(above, nw, west, i, j, by) }
		}
	}
	return &Wavefront[C]{waveFunctions{cell: p.fun, edge: withoutExtra(edge)}, p, nil}
}

// NewWavefrontWith is NewWavefront for functions that take an extra argument: a plain
// value, a view, or a struct of these. Only cell may write through out-views. It panics
// if a function is nil.
func NewWavefrontWith[C, E any](
	cell func(nw, n, w C, i, j int, e E) C, edge func(t, i, j int, e E) C,
) *WavefrontWith[C, E] {
	w := newWavefrontWith(cell, edge)
	var cells func([]C, C, C, int, int, int, E)
	w.cell.setup = func() {
		var ok bool
		if cells, ok = loop[func([]C, C, C, int, int, int, E)](w.cell, cellLoop); !ok {
			cells = func(row []C, nw, west C, i, j, by int, e E) {
				for k, n := range row {
					west = cell(nw, n, west, i, j, e)
					row[k], nw = west, n
					j += by
				}
			}
		}
	}
	w.lines = func(_, j, by, _ int, e E) rowOf[C] {
		return func(above []C, nw, west C, i int) { cells(above, nw, west, i, j, by, e) }
	}
	return w
}

// NewWavefrontOfWith is NewWavefrontWith for a cell function that receives the results of
// row and col instead of the indices i and j, for instance the letters of two sequences.
// row and col are called once for each row and column of a tile, not for each element.
// Their first argument is the index of the table in the call. NewWavefrontOfWith panics if
// a function is nil.
func NewWavefrontOfWith[R, S, C, E any](
	row func(t, i int, e E) R, col func(t, j int, e E) S,
	cell func(nw, n, w C, r R, s S, e E) C, edge func(t, i, j int, e E) C,
) *WavefrontWith[C, E] {
	w := newWavefrontWith(cell, edge)
	w.row, w.col = withExtra[E](row), withExtra[E](col)
	var cells func([]C, C, C, R, []S, E)
	w.cell.setup = func() {
		var ok bool
		if cells, ok = loop[func([]C, C, C, R, []S, E)](w.cell, cellLoop); !ok {
			cells = func(above []C, nw, west C, r R, s []S, e E) {
				for k, n := range above {
					west = cell(nw, n, west, r, s[k], e)
					above[k], nw = west, n
				}
			}
		}
	}
	w.lines = func(t, j, by, n int, e E) rowOf[C] {
		cols := make([]S, n)
		for k := range cols {
			cols[k] = col(t, j+by*k, e)
		}
		return func(above []C, nw, west C, i int) { cells(above, nw, west, row(t, i, e), cols, e) }
	}
	return w
}

// With returns the Wavefront with its extra argument bound to extra, as
// [MapWith.With] does.
func (w *WavefrontWith[C, E]) With(extra E) *Wavefront[C] {
	return &Wavefront[C]{w.waveFunctions, &argument[waveLoops[C]]{w.cell, w.bound, bytesOf(&extra)}, nil}
}

// bound returns the native forms with the extra argument bound.
func (w *WavefrontWith[C, E]) bound(extra *byte) waveLoops[C] {
	e := driver.Field[E](extra, 0)
	return waveLoops[C]{
		lines:  func(t, j, by, n int) rowOf[C] { return w.lines(t, j, by, n, *e) },
		beyond: func(t, i, j int) C { return w.beyond(t, i, j, *e) },
		onto:   func(t, j int, above C) C { return w.above(t, j, above, *e) },
	}
}

// Onto returns a copy of w whose tables may continue others; see [Table]. f returns the
// element above column j of table t, computed from the element of the last row of the
// table above. The edge function still returns the elements to the left of the first
// column and the corner.
func (w *WavefrontWith[C, E]) Onto(f func(t, j int, above C, e E) C) *WavefrontWith[C, E] {
	onto := *w
	onto.onto, onto.above = withExtra[E](f), f
	return &onto
}

// Onto returns a copy of w whose tables may continue others, as [WavefrontWith.Onto] does;
// f takes no extra argument.
func (w *Wavefront[C]) Onto(f func(t, j int, above C) C) *Wavefront[C] {
	onto := *w
	onto.onto, onto.binding = withoutExtra(f), ontoBinding[C]{w.binding, f}
	return &onto
}

// ontoBinding is a binding with a function for Onto that takes no extra argument.
type ontoBinding[C any] struct {
	binding[waveLoops[C]]
	above func(t, j int, above C) C
}

func (o ontoBinding[C]) native() waveLoops[C] {
	l := o.binding.native()
	l.onto = o.above
	return l
}

func (o ontoBinding[C]) part(
	b *bound, p *array.Place, inputs []*array.Array, unit, k int,
) (binding[waveLoops[C]], *bound) {
	part, c := o.binding.part(b, p, inputs, unit, k)
	return ontoBinding[C]{part, o.above}, c
}

// Watched returns a copy of w that calls f while tables are computed, with the number of
// elements completed since the last call. If f returns an error, the computation stops
// and the results carry the error. If a computation consists of many launches, f is called
// about every ten million elements on CPUs, about every hundred million on GPUs, and at the
// end. If all tables are computed in one launch, as on CUDA devices, or in a recorded loop,
// f is not called.
func (w *Wavefront[C]) Watched(f func(elements int) error) *Wavefront[C] {
	watched := *w
	watched.watch = f
	return &watched
}

func cellLoop(l *registry.Loops) any { return l.Cells }

func newWavefrontWith[C, E any](cell any, edge func(t, i, j int, e E) C) *WavefrontWith[C, E] {
	functions := waveFunctions{cell: withExtra[E](cell), edge: withExtra[E](edge)}
	return &WavefrontWith[C, E]{waveFunctions: functions, beyond: edge}
}

// withoutExtra returns a function of a Wavefront that takes no extra argument.
func withoutExtra(f any) *function {
	fun := newFunction("Wavefront", f)
	fun.setup = func() {}
	return fun
}

// withExtra returns a function of a Wavefront that takes an extra argument.
func withExtra[E any](f any) *function {
	fun := withoutExtra(f)
	fun.plan = planOf[E]()
	return fun
}

// named is a function and its name in kernels.
type named struct {
	name string
	*function
}

// functions returns all functions of w.
func (w *waveFunctions) functions() []named {
	list := []named{{"cell", w.cell}, {"edge", w.edge}}
	if w.row != nil {
		list = append(list, named{"row_of", w.row}, named{"col_of", w.col})
	}
	if w.onto != nil {
		list = append(list, named{"onto", w.onto})
	}
	return list
}

// Apply computes a table of rows x cols elements, at once. It panics if rows or cols is
// negative.
func (w *Wavefront[C]) Apply(rows, cols int) *matrix.Matrix[C] {
	x := w.on([]Table{{Rows: rows, Cols: cols}})
	return matrix.Of(x.all(), rows, cols)
}

// ApplyTables computes tables, at once, and returns their elements, one table after the
// other, each row by row in the order of computation. It panics if a table has a negative
// size or cannot continue the table that Below names.
func (w *Wavefront[C]) ApplyTables(tables []Table) *vector.Vector[C] {
	return w.on(tables).all()
}

// Ends computes tables, at once, and returns the last row of each, one after the other,
// and likewise the last columns. The tables are not stored, so Ends takes little memory
// whatever their sizes. The last row of a table without rows consists of the elements
// beyond its first row, and likewise for columns. Ends panics if a table has a negative
// size or cannot continue the table that Below names.
func (w *Wavefront[C]) Ends(tables []Table) (bottom, right *vector.Vector[C]) {
	x := w.on(tables)
	bottom, right = x.fresh(x.cols), x.fresh(x.rows)
	x.run(bottom, right, nil)
	return bottom, right
}

// wave is one call of a Wavefront.
type wave[C any] struct {
	meta
	*Wavefront[C]
	tables     []Table
	rows, cols int // of all tables
	loops      waveLoops[C]
	bound      []*bound // the extra argument of each function
	unseen     int      // elements launched since the last call of watch
}

// on prepares a call, which runs where the views of the extra argument are. If they are on
// several devices, it runs on the device of the first view.
func (w *Wavefront[C]) on(tables []Table) *wave[C] {
	for _, f := range w.functions() {
		f.ready()
	}
	x := &wave[C]{Wavefront: w, tables: tables}
	var large error
	for k, t := range tables {
		if t.Rows < 0 || t.Cols < 0 {
			panic(fmt.Sprintf("skel: %s: the size of table %d, %d x %d, is negative", w.cell.label, k, t.Rows, t.Cols))
		}
		n, err := array.Count(t.Rows, t.Cols)
		for _, sum := range []struct {
			to *int
			by int
		}{{&x.rows, t.Rows}, {&x.cols, t.Cols}, {&x.n, n}} {
			if *sum.to > math.MaxInt-sum.by {
				err, sum.by = errors.New("its tables have more elements than an int can count"), math.MaxInt-*sum.to
			}
			*sum.to += sum.by
		}
		if err != nil && large == nil {
			large = fmt.Errorf("skel: %s: %w", w.cell.label, err)
		}
	}
	w.checkBelow(tables)
	from := &meta{n: x.n}
	call := w.binding
	b := call.bind(w.cell)
	if p := scattered(b, from); p != nil {
		call, b = call.part(b, array.PlaceOn(p.Devs[0], x.n), nil, 0, 0)
	}
	x.loops = call.native()
	n := x.n
	for _, f := range w.functions() {
		x.bound = append(x.bound, call.bind(f.function))
	}
	if b != nil {
		x.bound[0].back = b.back
	}
	x.meta = combine(w.cell, b, nil, nil, from)
	x.n, x.err = n, firstError(large, x.err)
	for _, f := range w.functions() {
		if x.err == nil && !x.device().Native() {
			x.err = f.usable()
		}
	}
	return x
}

// checkBelow panics if tables cannot continue the tables above them.
func (w *Wavefront[C]) checkBelow(tables []Table) {
	var taken map[int]bool // tables that another one continues
	for k, t := range tables {
		if t.Below == 0 {
			continue
		}
		if taken == nil {
			taken = map[int]bool{}
		}
		switch {
		case w.onto == nil:
			panic(fmt.Sprintf("skel: %s: table %d continues another one, "+
				"but the skeleton has no function for this: use Onto",
				w.cell.label, k))
		case t.Below < 1 || t.Below > k:
			panic(fmt.Sprintf("skel: %s: table %d: Below is %d, but must be the number, counted from 1, "+
				"of one of the %d tables before it",
				w.cell.label, k, t.Below, k))
		case tables[t.Below-1].Cols != t.Cols || tables[t.Below-1].Rows == 0:
			above := tables[t.Below-1]
			panic(fmt.Sprintf("skel: %s: table %d, %d x %d, cannot continue table number %d (Below), %d x %d: "+
				"the latter must have rows and as many columns",
				w.cell.label, k, t.Rows, t.Cols, t.Below, above.Rows, above.Cols))
		case taken[t.Below]:
			panic(fmt.Sprintf("skel: %s: two tables continue table number %d (Below)", w.cell.label, t.Below))
		}
		taken[t.Below] = true
	}
}

// fresh returns a vector for n results.
func (x *wave[C]) fresh(n int) *vector.Vector[C] {
	if x.err != nil {
		return failed[C](n, x.err)
	}
	return uninitialized[C](n, x.where)
}

// all computes and returns all elements.
func (x *wave[C]) all() *vector.Vector[C] {
	bottom, right, out := x.fresh(x.cols), x.fresh(x.rows), x.fresh(x.n)
	x.run(bottom, right, out)
	if x.err == nil {
		bottom.Free()
		right.Free()
	}
	return out
}
