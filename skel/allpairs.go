package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// AllPairs is the skeleton that combines every row of one matrix with every row,
// or every column, of another: element (i, j) of the result is a function of row
// i of the first and row or column j of the second. A product of matrices is one,
// and so are all distances between two sets of points.
//
// A result is computed when it is needed. A Map of it becomes the end of the same
// kernel, and so does a Zip of it with other matrices; an input that is an
// expression is computed where the kernel reads it, once for each tile, unless it
// is long or reads views. Other skeletons find the result in memory. A second use
// computes it once more, if the first was by a Map and nothing has put the result
// into memory: wait for it before, with Wait.
type AllPairs[A, B, Out any] struct{ *pairs[A, B, Out] }

// NewAllPairs makes the skeleton of a function of two rows, which have the same
// length. It is called for each pair, so it is the form for any function; where
// it goes once over both, NewAllPairsFold is several times faster. It panics when
// f is nil.
func NewAllPairs[A, B, Out any](f func(a vector.Row[A], b vector.Row[B]) Out) *AllPairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: newFunction("AllPairs", f), rows: f}
	p.fun.setup = func() {}
	return &AllPairs[A, B, Out]{p}
}

// NewAllPairsFold makes the skeleton whose elements are
//
//	f(... f(f(initial, a[0], b[0]), a[1], b[1]) ..., a[d-1], b[d-1])
//
// for a row a and a row or column b: in this order, from left to right, on every
// device and whatever the shapes, so that results are the same bits. The product
// of matrices of float32 is
//
//	skel.NewAllPairsFold(func(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }, 0)
//
// It panics when f is nil.
func NewAllPairsFold[A, B, Out any](f func(acc Out, a A, b B) Out, initial Out) *AllPairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: newFunction("AllPairsFold", f), initial: initial}
	p.fun.setup = func() {
		var ok bool
		if p.fold, ok = loop[func([]Out, []A, []B, int)](p.fun, func(l *registry.Loops) any { return l.Fold }); !ok {
			p.fold = foldLoop(f)
		}
	}
	return &AllPairs[A, B, Out]{p}
}

// NewAllPairsOf makes the skeleton whose elements are those of a Zip and a fold:
//
//	op(... op(pair(a[0], b[0]), pair(a[1], b[1])) ..., pair(a[d-1], b[d-1]))
//
// from left to right, as NewAllPairsFold does it; op need not be associative.
// identity is the result for rows without elements. Where pair and op are a
// product and a sum, the fold with a multiply-add takes half of the time. It
// panics when pair or op is nil.
func NewAllPairsOf[A, B, Out any](pair func(A, B) Out, op func(Out, Out) Out, identity Out) *AllPairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: newFunction("AllPairsOf", op), pair: newFunction("AllPairsOf", pair), initial: identity}
	p.pair.setup = func() {
		var ok bool
		if p.begin, ok = loop[func([]Out, A, []B)](p.pair, func(l *registry.Loops) any { return l.Pair }); !ok {
			p.begin = func(dst []Out, x A, b []B) {
				for j := range dst {
					dst[j] = pair(x, b[j])
				}
			}
		}
	}
	p.fun.setup = func() {
		var ok bool
		if p.join, ok = loop[func([]Out, []Out, []Out)](p.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			p.join = func(dst, a, b []Out) {
				for j := range dst {
					dst[j] = op(a[j], b[j])
				}
			}
		}
	}
	return &AllPairs[A, B, Out]{p}
}

// foldLoop is the native loop of a function that has none.
func foldLoop[A, B, Out any](f func(Out, A, B) Out) func(acc []Out, a []A, b []B, n int) {
	return func(acc []Out, a []A, b []B, n int) {
		for k, x := range a {
			for j, y := range b[k*n : k*n+len(acc)] {
				acc[j] = f(acc[j], x, y)
			}
		}
	}
}

// Apply combines the rows of a with the rows of b, into a matrix with a row for
// each of a's and a column for each of b's. It panics when the rows have different
// lengths.
func (p *AllPairs[A, B, Out]) Apply(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	return p.apply(a, b, false)
}

// ApplyCols combines the rows of a with the columns of b, as a product of
// matrices does. It panics when a has not as many columns as b has rows.
func (p *AllPairs[A, B, Out]) ApplyCols(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	return p.apply(a, b, true)
}

// ApplyTo computes Apply into out, at once. An out that is a or b is an error. It
// panics when the shapes do not fit.
func (p *AllPairs[A, B, Out]) ApplyTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	return p.applyTo(out, a, b, false)
}

// ApplyColsTo is ApplyTo for ApplyCols.
func (p *AllPairs[A, B, Out]) ApplyColsTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	return p.applyTo(out, a, b, true)
}

// AllPairsWith is an AllPairs whose function takes an extra argument.
type AllPairsWith[A, B, E, Out any] struct {
	fun     *function
	rows    func(a vector.Row[A], b vector.Row[B], e E) Out
	f       func(acc Out, a A, b B, e E) Out
	fold    func(acc []Out, a []A, b []B, n int, e E)
	initial Out
}

// NewAllPairsWith is NewAllPairs of a function with an extra argument: a plain
// value, a view, or a struct of these. It panics when f is nil, and when the extra
// argument holds an out-view.
func NewAllPairsWith[A, B, E, Out any](f func(a vector.Row[A], b vector.Row[B], e E) Out) *AllPairsWith[A, B, E, Out] {
	w := &AllPairsWith[A, B, E, Out]{fun: newFunction("AllPairsWith", f), rows: f}
	w.fun.setup = func() {}
	return w.ready(planOf[E]())
}

// NewAllPairsFoldWith is NewAllPairsFold of a function with an extra argument. It
// panics when f is nil, and when the extra argument holds an out-view.
func NewAllPairsFoldWith[A, B, E, Out any](f func(acc Out, a A, b B, e E) Out, initial Out) *AllPairsWith[A, B, E, Out] {
	w := &AllPairsWith[A, B, E, Out]{fun: newFunction("AllPairsFoldWith", f), f: f, initial: initial}
	w.fun.setup = func() {
		w.fold, _ = loop[func([]Out, []A, []B, int, E)](w.fun, func(l *registry.Loops) any { return l.Fold })
	}
	return w.ready(planOf[E]())
}

func (w *AllPairsWith[A, B, E, Out]) ready(p *plan) *AllPairsWith[A, B, E, Out] {
	if w.fun.plan = p; p.writes() {
		panic("skel: " + w.fun.label + ": a function of pairs must not write: its extra argument holds an out-view")
	}
	return w
}

// With is the skeleton with the extra argument given. Containers of views in it
// must not be freed before its last use.
func (w *AllPairsWith[A, B, E, Out]) With(extra E) *AllPairs[A, B, Out] {
	w.fun.ready()
	b := bind(w.fun, &extra)
	p := w.bound(extra, b)
	p.on = func(place *array.Place, k int) *pairs[A, B, Out] {
		e, c := partOf(w.fun, b, extra, place, nil, 0, k)
		return w.bound(e, c)
	}
	return &AllPairs[A, B, Out]{p}
}

func (w *AllPairsWith[A, B, E, Out]) bound(extra E, b *bound) *pairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: w.fun, extra: b, initial: w.initial}
	switch {
	case w.rows != nil:
		p.rows = func(a vector.Row[A], b vector.Row[B]) Out { return w.rows(a, b, extra) }
	case w.fold != nil:
		p.fold = func(acc []Out, a []A, b []B, n int) { w.fold(acc, a, b, n, extra) }
	default:
		p.fold = foldLoop(func(acc Out, a A, b B) Out { return w.f(acc, a, b, extra) })
	}
	return p
}

// pairs is an AllPairs with all that its kernels need.
type pairs[A, B, Out any] struct {
	fun     *function // of rows, the fold, or the operator
	extra   *bound
	pair    *function // nil where there is none
	initial Out
	on      func(p *array.Place, k int) *pairs[A, B, Out] // with the extra argument as device k has it; nil where there is none

	rows  func(a vector.Row[A], b vector.Row[B]) Out // nil for folds
	fold  func(acc []Out, a []A, b []B, n int)       // acc[j] = fold over k of a[k], b[n*k+j]
	begin func(dst []Out, x A, b []B)                // dst[j] = pair(x, b[j])
	join  func(dst, a, b []Out)                      // dst[j] = op(a[j], b[j])
}

// product is one application of an AllPairs.
type product[A, B, Out any] struct {
	meta
	*pairs[A, B, Out]
	a         *expr[A]
	b         *expr[B]
	height    int  // of a, and of the result
	cols      int  // of the result
	depth     int  // elements of a row
	byColumns bool // b's columns are combined, not its rows
	body      *array.Array
}

func (p *pairs[A, B, Out]) product(a matrix.Source[A], b matrix.Source[B], byColumns bool) *product[A, B, Out] {
	x := &product[A, B, Out]{pairs: p, height: a.Rows(), depth: a.Cols(), cols: b.Rows(), byColumns: byColumns}
	inner, what := b.Cols(), "rows"
	if byColumns {
		inner, x.cols, what = b.Rows(), b.Cols(), "columns"
	}
	if inner != x.depth {
		panic(fmt.Sprintf("skel: %s: rows of %d x %d and %s of %d x %d have different lengths", p.fun.label, a.Rows(), a.Cols(), what, b.Rows(), b.Cols()))
	}
	x.a, x.b = openBothMatrices(a, b)
	var err error
	if x.n, err = array.Count(x.height, x.cols); err != nil && x.a.err == nil {
		x.a = &expr[A]{meta: meta{n: x.a.n, err: err}}
	}
	return x
}

// settled completes the meta, when all is known of where it runs.
func (x *product[A, B, Out]) settled() {
	if x.pair != nil {
		x.pair.ready()
	}
	x.fun.ready()
	n := x.n
	x.meta = combine(x.fun, x.extra, nil, nil, &x.a.meta, &x.b.meta)
	x.n = n
	if x.err == nil && x.pair != nil && !x.device().Native() {
		x.err = x.pair.usable()
	}
}

func (p *pairs[A, B, Out]) apply(a matrix.Source[A], b matrix.Source[B], byColumns bool) *matrix.Matrix[Out] {
	x := p.product(a, b, byColumns)
	return matrix.Of(x.deferred(), x.height, x.cols)
}

func (p *pairs[A, B, Out]) applyTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B], byColumns bool) error {
	arrayOf(out.Vector()).SettleReaders()
	x := p.product(a, b, byColumns)
	if out.Rows() != x.height || out.Cols() != x.cols {
		panic(fmt.Sprintf("skel: %s: the result is %d x %d, and the output %d x %d", p.fun.label, x.height, x.cols, out.Rows(), out.Cols()))
	}
	x.a, x.b = x.a.near(arrayOf(out.Vector())), x.b.near(arrayOf(out.Vector()))
	return x.into(out.Vector())
}

// Settle computes the result into memory.
func (x *product[A, B, Out]) Settle(mem *devices.Buffer) error {
	return x.finish(&epilogue{mem: mem, label: x.fun.label, size: driver.SizeOf[Out](), ctype: x.resultC(), node: epilogueInputNode})
}

// resultC is the C type of the elements.
func (x *product[A, B, Out]) resultC() string {
	if x.fun.reg == nil {
		return ""
	}
	return x.fun.reg.Result
}

// finish computes all elements, and ends with e.
func (x *product[A, B, Out]) finish(e *epilogue) error {
	if x.settleProduced(); x.err != nil || x.n == 0 {
		return x.err
	}
	d := x.device()
	switch {
	case d.Native():
		return x.native(d, e)
	case x.rows != nil:
		return x.rowsDevice(d, e, 0, x.height)
	}
	return x.foldDevice(d, e, 0, x.height)
}
