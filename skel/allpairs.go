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
// i of the first matrix and row or column j of the second. Matrix products and
// the distances between all points of two sets are examples.
//
// For matrices of n and m rows of d elements, Apply computes n*m elements in
// about n*m*d steps, with one kernel launch on each device that takes part.
//
// The result is a pending expression, which is computed when it is needed. A Map
// of the result, or a Zip of the result with other matrices, is fused: it runs at
// the end of the same kernel. So is a Reduce of rows, or of equal pieces of rows,
// that fit into a tile of the kernel: distances are computed without storing what
// they are the sums of. Other skeletons materialize the result first. If the first
// use is fused, a second use computes the result again; call Wait on the result
// before the first use to compute it only once.
//
// A short expression as an input is computed inside the kernel, once for each
// tile that reads it. An input whose functions are long or read views is
// materialized first.
//
// Errors, for example of an input or of the device, become the error of the
// result. Inputs on different devices are copied to where the first input is; if
// the first input has no place, like an index matrix, to where the second is.
type AllPairs[A, B, Out any] struct{ *pairs[A, B, Out] }

// NewAllPairs returns the skeleton that calls f for each pair of a row of the
// first matrix and a row or column of the second, which have the same length. It
// accepts any function; if f reads both rows once, from left to right,
// NewAllPairsFold is several times faster. It panics if f is nil.
func NewAllPairs[A, B, Out any](f func(a vector.Row[A], b vector.Row[B]) Out) *AllPairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: newFunction("AllPairs", f), rows: f}
	p.fun.setup = func() {}
	return &AllPairs[A, B, Out]{p}
}

// NewAllPairsFold returns the skeleton whose elements are
//
//	f(... f(f(initial, a[0], b[0]), a[1], b[1]) ..., a[d-1], b[d-1])
//
// for a row a of the first matrix and a row or column b of the second, both of
// length d. Every device folds in this order, whatever the shapes, so results are
// bit-identical. For rows without elements the result is initial. The product of
// float32 matrices is
//
//	skel.NewAllPairsFold(func(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }, 0)
//
// It panics if f is nil.
func NewAllPairsFold[A, B, Out any](f func(acc Out, a A, b B) Out, initial Out) *AllPairs[A, B, Out] {
	return &AllPairs[A, B, Out]{newFold("AllPairsFold", f, initial)}
}

// newFold returns the pairs of a fold for the constructor New+what.
func newFold[A, B, Out any](what string, f func(acc Out, a A, b B) Out, initial Out) *pairs[A, B, Out] {
	p := &pairs[A, B, Out]{fun: newFunction(what, f), initial: initial}
	p.fun.setup = func() {
		var ok bool
		if p.fold, ok = loop[func([]Out, []A, []B, int)](p.fun, func(l *registry.Loops) any { return l.Fold }); !ok {
			p.fold = foldLoop(f)
		}
	}
	return p
}

// NewAllPairsOf returns the skeleton that zips two rows with pair and folds the
// results with op. Its elements are
//
//	op(... op(pair(a[0], b[0]), pair(a[1], b[1])) ..., pair(a[d-1], b[d-1]))
//
// for a row a of the first matrix and a row or column b of the second. It folds
// from left to right, like NewAllPairsFold, so op need not be associative. For
// rows without elements the result is identity. A matrix product takes half as
// long with NewAllPairsFold and a fused multiply-add. It panics if pair or op is
// nil.
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

// foldLoop returns the native loop of a function without a generated one.
func foldLoop[A, B, Out any](f func(Out, A, B) Out) func(acc []Out, a []A, b []B, n int) {
	return func(acc []Out, a []A, b []B, n int) {
		for k, x := range a {
			for j, y := range b[k*n : k*n+len(acc)] {
				acc[j] = f(acc[j], x, y)
			}
		}
	}
}

// Apply combines the rows of a with the rows of b. Element (i, j) of the result,
// which has a.Rows() rows and b.Rows() columns, belongs to row i of a and row j
// of b. The result is a pending expression. Apply panics if a and b have
// different numbers of columns.
func (p *AllPairs[A, B, Out]) Apply(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	return p.apply(a, b, false)
}

// ApplyCols combines the rows of a with the columns of b, as a matrix product
// does. Element (i, j) of the result, which has a.Rows() rows and b.Cols()
// columns, belongs to row i of a and column j of b. The result is a pending
// expression. ApplyCols panics if the number of columns of a is not the number of
// rows of b.
func (p *AllPairs[A, B, Out]) ApplyCols(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	return p.apply(a, b, true)
}

// ApplyTo computes Apply into out, at once. It returns an error if out is also
// read by the call: as a, as b, as an input of one of them, or through a view. It
// panics if a and b have different numbers of columns, or if out does not have
// a.Rows() rows and b.Rows() columns.
func (p *AllPairs[A, B, Out]) ApplyTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	return p.applyTo(out, a, b, false)
}

// ApplyColsTo computes ApplyCols into out, at once. It returns the errors that
// ApplyTo returns. It panics if the number of columns of a is not the number of
// rows of b, or if out does not have a.Rows() rows and b.Cols() columns.
func (p *AllPairs[A, B, Out]) ApplyColsTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	return p.applyTo(out, a, b, true)
}

// AllPairsWith is an AllPairs whose function takes an extra argument. Bind the
// argument with With, then apply the AllPairs that With returns.
type AllPairsWith[A, B, E, Out any] struct {
	fun     *function
	rows    func(a vector.Row[A], b vector.Row[B], e E) Out
	f       func(acc Out, a A, b B, e E) Out
	fold    func(acc []Out, a []A, b []B, n int, e E)
	initial Out
}

// NewAllPairsWith is NewAllPairs for a function with an extra argument: a plain
// value, a view, or a struct of these. It panics if f is nil, or if E holds an
// out-view.
func NewAllPairsWith[A, B, E, Out any](f func(a vector.Row[A], b vector.Row[B], e E) Out) *AllPairsWith[A, B, E, Out] {
	w := &AllPairsWith[A, B, E, Out]{fun: newFunction("AllPairsWith", f), rows: f}
	w.fun.setup = func() {}
	return w.ready(planOf[E]())
}

// NewAllPairsFoldWith is NewAllPairsFold for a function with an extra argument: a
// plain value, a view, or a struct of these. It panics if f is nil, or if E holds
// an out-view.
func NewAllPairsFoldWith[A, B, E, Out any](
	f func(acc Out, a A, b B, e E) Out, initial Out,
) *AllPairsWith[A, B, E, Out] {
	return newFoldWith("AllPairsFoldWith", f, initial)
}

// newFoldWith is newFold for a function with an extra argument.
func newFoldWith[A, B, E, Out any](
	what string, f func(acc Out, a A, b B, e E) Out, initial Out,
) *AllPairsWith[A, B, E, Out] {
	w := &AllPairsWith[A, B, E, Out]{fun: newFunction(what, f), f: f, initial: initial}
	w.fun.setup = func() {
		w.fold, _ = loop[func([]Out, []A, []B, int, E)](w.fun, func(l *registry.Loops) any { return l.Fold })
	}
	return w.ready(planOf[E]())
}

// ready sets the plan of the extra argument and returns w.
func (w *AllPairsWith[A, B, E, Out]) ready(p *plan) *AllPairsWith[A, B, E, Out] {
	if w.fun.plan = p; p.writes() {
		panic("skel: " + w.fun.label + ": the function must not write, but its extra argument holds an out-view")
	}
	return w
}

// With returns the AllPairs with its extra argument bound to extra. It is cheap:
// a few small allocations, and no use of a device. Do not free the containers of
// views in extra before the last use of the AllPairs. A view without a container
// becomes the error of every result.
func (w *AllPairsWith[A, B, E, Out]) With(extra E) *AllPairs[A, B, Out] {
	w.fun.ready()
	b := bind(w.fun, bytesOf(&extra))
	p := w.bound(extra, b)
	p.on = func(place *array.Place, k int) *pairs[A, B, Out] {
		e, c := partOf(w.fun, b, extra, place, nil, 0, k)
		return w.bound(e, c)
	}
	return &AllPairs[A, B, Out]{p}
}

// bound returns the pairs with the extra argument, which kernels receive as b.
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

// pairs is an AllPairs with its extra argument bound.
type pairs[A, B, Out any] struct {
	fun     *function // the function of rows, the fold, or op
	extra   *bound
	pair    *function // nil except for NewAllPairsOf
	initial Out
	// on returns the pairs whose extra argument holds what device k of p has. It
	// is nil if there is no extra argument.
	on func(p *array.Place, k int) *pairs[A, B, Out]

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
	height    int          // rows of a, and of the result
	cols      int          // columns of the result
	depth     int          // elements of a row of a
	byColumns bool         // the columns of b are combined, not its rows
	block     int          // unless 0: the columns of a are combined, in blocks of so many elements
	body      *array.Array // the result
}

// product returns the application of p to a and b. It panics if the shapes do not
// fit.
func (p *pairs[A, B, Out]) product(a matrix.Source[A], b matrix.Source[B], byColumns bool) *product[A, B, Out] {
	x := &product[A, B, Out]{pairs: p, height: a.Rows(), depth: a.Cols(), cols: b.Rows(), byColumns: byColumns}
	inner, what := b.Cols(), "rows"
	if byColumns {
		inner, x.cols, what = b.Rows(), b.Cols(), "columns"
	}
	if inner != x.depth {
		panic(fmt.Sprintf("skel: %s: rows of %d x %d and %s of %d x %d have different lengths",
			p.fun.label, a.Rows(), a.Cols(), what, b.Rows(), b.Cols()))
	}
	x.a, x.b = openBothMatrices(a, b)
	var err error
	if x.n, err = array.Count(x.height, x.cols); err != nil && x.a.err == nil {
		x.a = &expr[A]{meta: meta{n: x.a.n, err: err}}
	}
	return x
}

// complete sets x.meta, once the devices of the inputs are known.
func (x *product[A, B, Out]) complete() {
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

// apply returns the pending result of a product.
func (p *pairs[A, B, Out]) apply(a matrix.Source[A], b matrix.Source[B], byColumns bool) *matrix.Matrix[Out] {
	x := p.product(a, b, byColumns)
	return matrix.Of(x.deferred(), x.height, x.cols)
}

// applyTo computes a product into out, at once.
func (p *pairs[A, B, Out]) applyTo(
	out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B], byColumns bool,
) error {
	arrayOf(out.Vector()).SettleReaders()
	x := p.product(a, b, byColumns)
	if out.Rows() != x.height || out.Cols() != x.cols {
		panic(fmt.Sprintf("skel: %s: the result is %d x %d, but the output is %d x %d",
			p.fun.label, x.height, x.cols, out.Rows(), out.Cols()))
	}
	x.a, x.b = x.a.placeIndices(arrayOf(out.Vector())), x.b.placeIndices(arrayOf(out.Vector()))
	return x.into(out.Vector())
}

// Settle computes the result into mem.
func (x *product[A, B, Out]) Settle(mem *devices.Buffer) error {
	return x.finish(&epilogue{
		mem: mem, label: x.fun.label, size: driver.SizeOf[Out](), ctype: x.resultC(), node: epilogueInputNode,
	})
}

// resultC returns the C type of the elements; "" on native devices.
func (x *product[A, B, Out]) resultC() string {
	if x.fun.reg == nil {
		return ""
	}
	return x.fun.reg.Result
}

// finish computes all elements and applies e to each of them.
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

// width implements producer.
func (x *product[A, B, Out]) width() int { return x.cols }

// reduces implements producer. The kernel can reduce rows if complete segments fit into its
// tiles.
func (x *product[A, B, Out]) reduces(e *epilogue) bool {
	length := e.rows.length
	if length == 0 || x.n == 0 || x.cols%length != 0 || x.block > 0 {
		return false
	}
	if d := x.device(); !d.Native() {
		if x.rows != nil {
			return false
		}
		t := x.tile(d, e, x.height, false, false)
		return t.wide() > 0 && (t.cpu || t.warps || t.localBytes() <= t.local)
	}
	return length <= blockCols
}
