package pca

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// tsqr computes the components from the singular values of the triangular factor R of the
// centred data: X = QR = Q(USV'), so the components are the columns of V and the variances
// are S^2/(n-1). Blocks of rows are reduced to their factors, the stacked factors are again
// divided into blocks, and so on until one is left. The blocks depend on the shape of the
// data alone.
func (f *fitting[T]) tsqr(ctx context.Context, m *Model) error {
	stack, rows, err := factors(ctx, f.n, f.dim, f.readCentred)
	for err == nil && rows > min(f.n, f.dim) {
		below := stack
		stack, rows, err = factors(ctx, rows, f.dim, func(lo, hi int) ([]float64, error) {
			return below[lo*f.dim : hi*f.dim], nil
		})
	}
	if err != nil {
		return err
	}
	for _, v := range stack {
		if v-v != 0 {
			return f.tooLarge()
		}
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(rows, f.dim, stack), mat.SVDThinV) {
		return errors.New("pca: the singular values do not converge")
	}
	var v mat.Dense
	svd.VTo(&v)
	for k, s := range svd.Values(nil) {
		m.Variances = append(m.Variances, s*s/float64(f.n-1))
		m.Loadings = append(m.Loadings, mat.Col(nil, k, &v))
		m.Total += m.Variances[k]
	}
	return nil
}

// blockRows returns the number of rows in a block of a matrix with the given number of
// columns. A tree of such blocks costs a third more than the first level alone.
func blockRows(cols int) int { return max(256, 4*cols) }

// readSize is the number of elements that are read at a time.
const readSize = 1 << 21

// factors divides a matrix into blocks of rows, and returns the R factors of the blocks,
// one below the other, and the number of their rows. A block with at least as many rows as
// columns has a factor with as many rows as columns; a factor of fewer rows has these. read
// returns the rows from lo to hi in memory that factors may overwrite.
func factors(
	ctx context.Context, rows, cols int, read func(lo, hi int) ([]float64, error),
) (stack []float64, height int, err error) {
	size := blockRows(cols)
	step := max(1, readSize/(size*cols)) * size
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		part, err := read(lo, min(lo+step, rows))
		if err != nil {
			return nil, 0, err
		}
		var blocks [][]float64
		for len(part) > 0 {
			end := min(size*cols, len(part))
			blocks = append(blocks, part[:end:end])
			part = part[end:]
		}
		inParallel(len(blocks), func(i int) { factor(blocks[i], len(blocks[i])/cols, cols) })
		for _, b := range blocks {
			stack = append(stack, b[:min(len(b), cols*cols)]...)
		}
	}
	return stack, len(stack) / cols, nil
}

// factor replaces a block, stored row by row, by its factor R, with LAPACK's blocked form
// of Householder's transformations. The rows below those of R are left undefined.
func factor(block []float64, rows, cols int) {
	a := blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: block}
	tau, size := make([]float64, min(rows, cols)), []float64{0}
	lapack64.Geqrf(a, tau, size, -1) // asks for the size
	lapack64.Geqrf(a, tau, make([]float64, int(size[0])), int(size[0]))
	for i := range min(rows, cols) {
		clear(block[i*cols : i*cols+i]) // parts of the transformations
	}
}

// readCentred returns rows of the centred data in new memory.
func (f *fitting[T]) readCentred(lo, hi int) ([]float64, error) {
	elements, err := f.x.Vector().HostRange(lo*f.dim, hi*f.dim)
	if err != nil {
		return nil, err
	}
	centred := make([]float64, len(elements))
	for at := 0; at < len(centred); at += f.dim {
		for j, mean := range f.mean {
			centred[at+j] = minus(elements[at+j], mean)
		}
	}
	return centred, nil
}

// inParallel calls f(0) to f(n-1) on all cores.
func inParallel(n int, f func(i int)) {
	var group sync.WaitGroup
	workers := min(n, runtime.GOMAXPROCS(0))
	for w := range workers {
		group.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	group.Wait()
}
