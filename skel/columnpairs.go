package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// ColumnPairs is the skeleton that combines every column of one matrix with every
// column of another, which has as many rows: element (i, j) of the result is a
// reduction over the elements of column i of the first matrix and column j of the
// second. It is made for tall matrices. The product of a transposed matrix with
// another, and sums of squares and products of columns, are examples.
//
// For matrices of n rows with p and q columns, Apply takes about n*p*q steps.
//
// The rows are divided into blocks, whose length depends on n, p and q alone. Inside
// a block, the elements of two columns are folded from left to right, starting from
// the identity. The results of the blocks are then combined in the order of Reduce.Cols,
// so results are bit-identical on all devices and for any number of them.
//
// Like the results of Reduce, those of ColumnPairs are computed at once. A short
// expression as an input is computed inside the kernel, once for each tile of the
// result that reads it. An input whose functions are long or read views is
// materialized first, unless the result is a single tile on a GPU, such as 64 x 64
// float64.
type ColumnPairs[A, B, Out any] struct {
	pairs    *pairs[A, B, Out]
	operator *operator[Out]
}

// NewColumnPairs returns the skeleton that folds the elements of two columns with f,
// starting from identity, and combines the results of blocks of rows with op, which
// must be associative. The product of a transposed matrix with another is
//
//	skel.NewColumnPairs(func(sum, a, b float64) float64 { return math.FMA(a, b, sum) }, ops.Add[float64], 0)
//
// It panics if f or op is nil.
func NewColumnPairs[A, B, Out any](
	f func(acc Out, a A, b B) Out, op func(Out, Out) Out, identity Out,
) *ColumnPairs[A, B, Out] {
	return &ColumnPairs[A, B, Out]{newFold("ColumnPairs", f, identity), newOperator("ColumnPairs", op, identity)}
}

// ColumnPairsWith is a ColumnPairs whose fold takes an extra argument. Bind the
// argument with With, then apply the ColumnPairs that With returns.
type ColumnPairsWith[A, B, E, Out any] struct {
	pairs    *AllPairsWith[A, B, E, Out]
	operator *operator[Out]
}

// NewColumnPairsWith is NewColumnPairs for a fold with an extra argument: a plain
// value, a view, or a struct of these. It panics if f or op is nil, or if E holds an
// out-view.
func NewColumnPairsWith[A, B, E, Out any](
	f func(acc Out, a A, b B, e E) Out, op func(Out, Out) Out, identity Out,
) *ColumnPairsWith[A, B, E, Out] {
	return &ColumnPairsWith[A, B, E, Out]{
		newFoldWith("ColumnPairsWith", f, identity), newOperator("ColumnPairsWith", op, identity),
	}
}

// With returns the ColumnPairs with its extra argument bound to extra. Do not free
// the containers of views in extra before the last use of the ColumnPairs. A view
// without a container becomes the error of every result.
func (w *ColumnPairsWith[A, B, E, Out]) With(extra E) *ColumnPairs[A, B, Out] {
	return &ColumnPairs[A, B, Out]{w.pairs.With(extra).pairs, w.operator}
}

// Apply combines the columns of a with the columns of b. Element (i, j) of the result,
// which has a.Cols() rows and b.Cols() columns, belongs to column i of a and column j
// of b. For matrices without rows it is the identity. Apply panics if a and b have
// different numbers of rows.
func (p *ColumnPairs[A, B, Out]) Apply(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	if a.Rows() != b.Rows() {
		panic(fmt.Sprintf("skel: %s: matrices of %d x %d and %d x %d have different numbers of rows",
			p.pairs.fun.label, a.Rows(), a.Cols(), b.Rows(), b.Cols()))
	}
	x := &product[A, B, Out]{
		pairs: p.pairs, height: a.Cols(), cols: b.Cols(), depth: a.Rows(), byColumns: true,
	}
	rows, cols := x.height, x.cols
	n, err := array.Count(rows, cols)
	if err != nil {
		return matrix.Of(failed[Out](n, fmt.Errorf("skel: %s: %w", p.pairs.fun.label, err)), rows, cols)
	}
	x.block = columnBlock(x.depth, n)
	x.a, x.b = openBothMatrices(a, b)
	return matrix.Of(p.reduced(x), rows, cols)
}

// The canonical order of a ColumnPairs: the rows are divided into blocks, so that
// there are at most columnBlocks blocks and columnPartials partial results, but a
// block has at least columnBlockMin rows. See docs/adr/0031.
const (
	columnBlockMin = 256
	columnBlocks   = 512
	columnPartials = 1 << 24
)

// columnBlock returns the number of rows in a block, a multiple of 64, for matrices
// with the given number of rows and a result of n elements.
func columnBlock(rows, n int) int {
	blocks := max(1, min(columnBlocks, columnPartials/max(n, 1)))
	return (max(columnBlockMin, (rows+blocks-1)/blocks) + 63) / 64 * 64
}

// blocks returns the number of blocks into which the folds are divided; 1 for an
// AllPairs, which does not divide them.
func (x *product[A, B, Out]) blocks() int {
	if x.block == 0 {
		return 1
	}
	return (x.depth + x.block - 1) / x.block
}

// reduced computes the partial results of all blocks and combines them.
func (p *ColumnPairs[A, B, Out]) reduced(x *product[A, B, Out]) *vector.Vector[Out] {
	n := x.height * x.cols
	var partials *vector.Vector[Out]
	if at := scattered(x.extra, &x.a.meta, &x.b.meta); at == nil {
		partials = x.partials()
	} else {
		partials = x.partialsOver(at)
	}
	defer partials.Free()
	return p.operator.columns(openVector(partials), x.blocks(), n)
}

// partials computes the results of all blocks, one after the other.
func (x *product[A, B, Out]) partials() *vector.Vector[Out] {
	n, err := array.Count(x.blocks(), x.height*x.cols)
	if err != nil && x.a.err == nil {
		x.a = &expr[A]{meta: meta{n: x.a.n, err: err}}
	}
	x.n = n
	x.complete()
	return output(&x.meta, n, func(out *vector.Vector[Out], mem *devices.Buffer) error {
		x.body = arrayOf(out)
		return x.Settle(mem)
	})
}

// partialsOver is partials for inputs on several devices: each device computes the
// blocks of its part. The parts end where blocks end, so that the result does not
// depend on the devices.
func (x *product[A, B, Out]) partialsOver(at *array.Place) *vector.Vector[Out] {
	n := x.height * x.cols
	if oneComputes(at) || n == 0 || x.depth == 0 {
		one := array.PlaceOn(at.Devs[0], x.depth)
		return x.part(one, 0, x.depth, x.a.at(one.Of(x.height)), x.b.at(one.Of(x.cols))).partials()
	}
	rows, blocks := make([]int, len(at.Devs)+1), make([]int, len(at.Devs)+1)
	for k := range at.Devs {
		_, hi := at.Bounds(k)
		hi = int(float64(hi) / float64(at.N) * float64(x.depth))
		rows[k+1] = min((hi+x.block/2)/x.block*x.block, x.depth)
		if k == len(at.Devs)-1 {
			rows[k+1] = x.depth
		}
		blocks[k+1] = (rows[k+1] + x.block - 1) / x.block
	}
	a, b := x.a.at(at.Cut(rows, x.height)), x.b.at(at.Cut(rows, x.cols))
	if err := firstError(a.err, b.err); err != nil {
		return failed[Out](x.blocks()*n, err)
	}
	parts := make([]*array.Array, len(at.Devs))
	for k := range at.Devs {
		parts[k] = arrayOf(x.part(at, k, rows[k+1]-rows[k], a.parts[k], b.parts[k]).partials())
	}
	return joined[Out](at.Cut(blocks, n), parts)
}

// part returns the product for the given number of rows on device k of p.
func (x *product[A, B, Out]) part(p *array.Place, k, rows int, a *expr[A], b *expr[B]) *product[A, B, Out] {
	y := &product[A, B, Out]{
		pairs: x.pairs, a: a, b: b, height: x.height, cols: x.cols, depth: rows, byColumns: true, block: x.block,
	}
	if x.on != nil {
		y.pairs = x.on(p, k)
	}
	return y
}
