package pca

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
)

// krylov finds the first few of many eigenvectors of the covariance matrix C, which is never
// computed: only its products with blocks of vectors are, in two passes over the data each.
//
// A basis V of orthonormal vectors holds a first block, what multiplying this by C adds, what
// multiplying that adds, and so on. On the space that V spans, C is the small matrix
// H = VCV', and if y is one of its eigenvectors, V'y approaches one of C. A basis that has
// become too large is replaced by its best approximations, and goes on from there: this is
// the block Lanczos method with thick restarts [Wu and Simon 2000]. All vectors are kept
// orthogonal explicitly. A block has at least as many vectors as there are components to
// find, because a smaller one would miss some of equal variance.
//
// [Wu and Simon 2000]: https://doi.org/10.1137/S0895479898334605
type krylov[T number] struct {
	f     *fitting[T]
	most  int           // the largest number of vectors of the basis
	basis [][]float64   // V, a row for each vector
	h     *mat.SymDense // H, for the largest basis
	next  [][]float64   // N, the block that is multiplied next
	rest  [][]float64   // R': the parts of N in the products of the last block, a row for each
	drawn int           // the number of random vectors so far
}

const (
	krylovBlock     = 8     // the fewest vectors of a block
	krylovBasis     = 128   // the fewest vectors of the largest basis
	krylovProducts  = 500   // the most blocks that are multiplied
	krylovTolerance = 1e-11 // of |Cv - av|, for a variance a with loadings v, as a part of the largest variance
)

// newKrylov returns nil if the options ask for so many components that it is faster to compute
// all, even if variances are almost equal. Then some 35 blocks are multiplied.
func (f *fitting[T]) newKrylov() *krylov[T] {
	block := max(f.o.Components, krylovBlock)
	most := max(4*block, krylovBasis)
	limit := min(f.n, f.dim) / 8
	if f.o.iterate {
		limit = min(f.n, f.dim) / 2
	}
	if f.o.Components == 0 || most > limit {
		return nil
	}
	k := &krylov[T]{f: f, most: most, h: mat.NewSymDense(most, nil)}
	for range block {
		k.next = append(k.next, k.draw())
	}
	return k
}

// components finds the components. It returns false if it does not converge.
func (k *krylov[T]) components(ctx context.Context, m *Model) (bool, error) {
	squares, err := k.f.columnSquares()
	if err != nil {
		return false, err
	}
	if err := k.f.setTotal(m, sumOf(squares)/float64(k.f.n-1)); err != nil {
		return false, err
	}
	for range krylovProducts {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := k.extend(); err != nil {
			return false, err
		}
		size, full := len(k.basis), len(k.basis)+len(k.next) > k.most
		if size < 2*len(k.next) {
			continue
		}
		values, vectors, err := eigenSym(mat.NewSymDense(size, k.projection(size)))
		if err != nil {
			return false, err
		}
		if k.converged(values, vectors) {
			m.Variances = values[:k.f.o.Components]
			m.Loadings = k.combine(vectors, k.f.o.Components)
			return true, nil
		}
		if full {
			k.restart(values, vectors)
		}
	}
	return false, nil
}

// extend adds the next block to the basis, and what its product with C adds becomes the next
// one.
func (k *krylov[T]) extend() error {
	products, err := k.multiply()
	if err != nil {
		return err
	}
	before := len(k.basis)
	k.basis = append(k.basis, k.next...)
	k.next, k.rest = nil, nil
	for i, w := range products {
		along := k.orthogonalize(w)
		for j, v := range along[:before+i+1] {
			k.h.SetSym(j, before+i, v)
		}
		rest, length := slices.Clone(along[len(k.basis):]), norm(w)
		if length <= 64*epsilon*k.h.At(0, 0) { // the basis has all of the product
			w, length = k.draw(), 0
		} else {
			floats.Scale(1/length, w)
		}
		k.rest = append(k.rest, append(rest, length))
		k.next = append(k.next, w)
	}
	return nil
}

// multiply returns the products of C and the vectors of the next block.
func (k *krylov[T]) multiply() ([][]float64, error) {
	f := k.f
	block := matrix.From(len(k.next), f.dim, slices.Concat(k.next...), f.home)
	defer block.Free()
	left, right := f.centred(), f.centred()
	scores := dots.Apply(left, block)
	products := gram.Apply(scores, right)
	defer products.Free()
	left.Free() // now, so that pages do not save what has been computed for them
	scores.Free()
	right.Free()
	elements, err := products.Host()
	if err != nil {
		return nil, err
	}
	elements = slices.Clone(elements)
	floats.Scale(1/float64(f.n-1), elements)
	return slices.Collect(slices.Chunk(elements, f.dim)), nil
}

// orthogonalize subtracts from w the multiples of the basis and the next block that it has,
// and returns the coefficients.
func (k *krylov[T]) orthogonalize(w []float64) []float64 {
	all := slices.Concat(k.basis, k.next)
	along := make([]float64, len(all))
	for range 2 { // once leaves errors of rounding
		for j, v := range all {
			a := floats.Dot(v, w)
			floats.AddScaled(w, -a, v)
			along[j] += a
		}
	}
	return along
}

// draw returns a random vector of length 1 that is orthogonal to the basis and the next block.
func (k *krylov[T]) draw() []float64 {
	w := make([]float64, k.f.dim)
	stream := fit.Stream(0, k.drawn)
	k.drawn++
	for j := range w {
		w[j] = fit.Uniform(fit.Stream(stream, j)) - 0.5
	}
	k.orthogonalize(w)
	floats.Scale(1/norm(w), w)
	return w
}

// projection returns the elements of H for a basis of the given size.
func (k *krylov[T]) projection(size int) []float64 {
	h := make([]float64, 0, size*size)
	for i := range size {
		for j := range size {
			h = append(h, k.h.At(i, j))
		}
	}
	return h
}

// converged reports whether the first components, for eigenvectors y of H, are precise. As
// CV' = V'H + N'R, where N is the next block, V'y misses an eigenvector of C by N'Ry.
func (k *krylov[T]) converged(values []float64, vectors *mat.Dense) bool {
	first := len(values) - len(k.rest)
	for c := range k.f.o.Components {
		miss := make([]float64, len(k.rest))
		for i, rest := range k.rest {
			floats.AddScaled(miss[:len(rest)], vectors.At(first+i, c), rest)
		}
		if !(norm(miss) <= krylovTolerance*values[0]) {
			return false
		}
	}
	return true
}

// combine returns V'y for the first eigenvectors y of H.
func (k *krylov[T]) combine(vectors *mat.Dense, count int) (combined [][]float64) {
	for c := range count {
		sum := make([]float64, k.f.dim)
		for j, v := range k.basis {
			floats.AddScaled(sum, vectors.At(j, c), v)
		}
		combined = append(combined, sum)
	}
	return combined
}

// restart replaces the basis by the better half of its approximations. Their products with
// C have parts of the next block, which extend finds by multiplying that.
func (k *krylov[T]) restart(values []float64, vectors *mat.Dense) {
	keep := k.most / 2
	k.basis = k.combine(vectors, keep)
	k.h.Zero()
	for c := range keep {
		k.h.SetSym(c, c, values[c])
	}
}
