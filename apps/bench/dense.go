package bench

import (
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// denseSide is the side of the small matrices, and the number of columns of the tall one.
const denseSide = 64

// definite returns element i of positive definite matrices, one below the other.
func definite[T float32 | float64](i, first int) T {
	row, col := i/denseSide%denseSide, i%denseSide
	if row == col {
		return denseSide
	}
	at := i - i%(denseSide*denseSide) + max(row, col)*denseSide + min(row, col)
	return benchmark.Uniform[T](at, first)
}

var (
	definite32s = benchmark.NewSource(skel.NewMapWith(definite[float32]), definite[float32])
	definite64s = benchmark.NewSource(skel.NewMapWith(definite[float64]), definite[float64])
)

// denseRows returns the rows of small dense matrices in batches, and of a tall matrix.
func denseRows(s *benchmark.Suite) []*benchmark.Row {
	return append(denseRowsOf(s, "float32", 4, definite32s, benchmark.Float32s, 0x1p-24),
		denseRowsOf(s, "float64", 8, definite64s, benchmark.Float64s, 0x1p-53)...)
}

// denseRowsOf returns the rows of a type whose numbers are rounded by a part of unit. The
// operations are those of LAPACK's algorithms, also for the eigenvalues.
func denseRowsOf[T float32 | float64](
	s *benchmark.Suite, name string, size int, small, tall benchmark.Source[T], unit float64,
) (rows []*benchmark.Row) {
	const cube = denseSide * denseSide * denseSide
	for _, call := range []struct {
		name string
		ops  float64
		f    func(m *matrix.Matrix[T]) []*matrix.Matrix[T]
	}{
		{"Cholesky", cube / 3, func(m *matrix.Matrix[T]) []*matrix.Matrix[T] {
			return []*matrix.Matrix[T]{skel.Cholesky(m)}
		}},
		{"EigenSym", 9 * cube, func(m *matrix.Matrix[T]) []*matrix.Matrix[T] {
			values, vectors := skel.EigenSym(m)
			return []*matrix.Matrix[T]{vectors, values}
		}},
		{"FactorR", 4 * cube / 3, func(m *matrix.Matrix[T]) []*matrix.Matrix[T] {
			return []*matrix.Matrix[T]{skel.FactorR(m, denseSide)}
		}},
	} {
		for _, count := range slices.Compact([]int{s.Size(8), s.Size(100), s.Size(10_000)}) {
			n := count * denseSide * denseSide
			c := &denseCase[T]{name: call.name, source: small, height: denseSide, unit: unit, f: call.f}
			rows = append(rows, &benchmark.Row{
				Name:  fmt.Sprintf("Dense%s/type=%s/count=%d/side=%d", call.name, name, count, denseSide),
				Bytes: 2 * int64(n*size), Ops: call.ops * float64(count), Memory: 3 * int64(n*size),
				Open: func(s *benchmark.Suite) (*benchmark.Case, error) { return c.open(s, count*denseSide) },
			})
		}
	}
	n := s.Size(1_000_000)
	c := &denseCase[T]{name: "FactorR", source: tall, height: n, unit: unit,
		f: func(m *matrix.Matrix[T]) []*matrix.Matrix[T] { return []*matrix.Matrix[T]{skel.TSQR(m)} }}
	return append(rows, &benchmark.Row{
		Name:  fmt.Sprintf("DenseTSQR/type=%s/n=%d/dim=%d", name, n, denseSide),
		Bytes: int64(n * denseSide * size), Ops: 2 * float64(n) * denseSide * denseSide,
		Memory: 2 * int64(n*denseSide*size),
		Open:   func(s *benchmark.Suite) (*benchmark.Case, error) { return c.open(s, n) },
	})
}

// denseCase is a call for matrices of denseSide columns.
type denseCase[T float32 | float64] struct {
	name   string
	source benchmark.Source[T]
	height int     // of a matrix
	unit   float64 // of rounding
	f      func(m *matrix.Matrix[T]) []*matrix.Matrix[T]
}

// open returns the case for matrices with the given number of rows together.
func (c *denseCase[T]) open(s *benchmark.Suite, rows int) (*benchmark.Case, error) {
	x, err := c.source.Fill(s, rows*denseSide, 0)
	if err != nil {
		return nil, err
	}
	m := matrix.Of(x, rows, denseSide)
	return &benchmark.Case{
		Free: benchmark.Containers(x),
		Call: func() error {
			out := c.f(m)
			for _, o := range out {
				defer o.Free()
			}
			return out[0].Err()
		},
		Check: func() error { return c.check(m) },
	}, nil
}

// check compares the product of the factors of the first matrix with the matrix.
func (c *denseCase[T]) check(m *matrix.Matrix[T]) error {
	const n = denseSide
	height := min(c.height, 20_000) // the host takes seconds for more
	elements, err := m.Vector().HostRange(0, height*n)
	if err != nil {
		return err
	}
	if height < c.height {
		m = matrix.From(height, n, elements, m.Vector().Distribution())
		defer m.Free()
	}
	out := c.f(m)
	var parts [2][]T
	for i, o := range out {
		defer o.Free()
		if parts[i], err = o.Vector().HostRange(0, min(n*n, o.Vector().Len())); err != nil {
			return err
		}
	}
	f, largest := parts[0], 0.0
	for i := range n {
		for j := range i + 1 {
			got, want := 0.0, 0.0
			if c.name == "FactorR" { // A'A = R'R; a block may have fewer rows than R
				for at := 0; at < len(elements); at += n {
					want += float64(elements[at+i]) * float64(elements[at+j])
				}
			} else {
				want = float64(elements[i*n+j])
			}
			for k := range n {
				switch c.name {
				case "Cholesky":
					got += float64(f[i*n+k]) * float64(f[j*n+k])
				case "EigenSym":
					got += float64(f[i*n+k]) * float64(parts[1][k]) * float64(f[j*n+k])
				default:
					got += float64(f[k*n+i]) * float64(f[k*n+j])
				}
			}
			largest = max(largest, math.Abs(want))
			if !(math.Abs(got-want) <= 64*n*c.unit*largest) {
				return fmt.Errorf("%s: element (%d, %d) of the product is %v, want %v", c.name, i, j, got, want)
			}
		}
	}
	return nil
}
