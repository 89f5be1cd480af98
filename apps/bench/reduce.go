package bench

import (
	"fmt"
	"math"
	"math/big"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// lengths returns the lengths of the vectors for Reduce and Scan.
func lengths(s *benchmark.Suite) []int {
	var all []int
	for _, log2 := range []int{20, 24, 28, 30} {
		all = append(all, s.Size(1<<log2))
	}
	return all
}

// reductions returns the rows of Reduce.
func reductions(s *benchmark.Suite) (rows []*benchmark.Row) {
	for _, n := range lengths(s) {
		rows = append(rows, reduceRows(s, float32s, n)...)
	}
	for _, n := range lengths(s) {
		rows = append(rows, reduceRows(s, float64s, n)...)
	}
	for _, n := range lengths(s) {
		rows = append(rows, reduceRows(s, int32s, n)...)
	}
	rows = append(rows, reducePairs(s, "float32", 8, compose8, 0x1p-23),
		reducePairs(s, "float64", 16, compose16, 0x1p-52))
	count := s.Size(1_000_000)
	rows = append(rows, segmentRows(s, count, 100)...)
	return append(rows, segmentRows(s, 1000, count)...)
}

// reduceRows returns the rows that reduce n elements of one type.
func reduceRows[T number](s *benchmark.Suite, k *kind[T], n int) (rows []*benchmark.Row) {
	row := func(op string, open func(*benchmark.Suite) (*benchmark.Case, error)) {
		r := &benchmark.Row{
			Name:  fmt.Sprintf("Reduce/op=%s/type=%s/n=%d", op, k.name, n),
			Bytes: k.size * int64(n), Ops: float64(n), Memory: k.size * int64(n),
			Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("reduce-%s %s %d", op, k.name, n)}},
			Open:     open,
		}
		r.Goals = goals(s, 1, "cub", r.Name, n)
		rows = append(rows, r)
	}
	whole := func(op *skel.Reduce[T], check func(T) error) func(*benchmark.Suite) (*benchmark.Case, error) {
		return func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := k.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			b := scalarCase(func() *vector.Scalar[T] { return op.Apply(x) }, check)
			b.Free = benchmark.Containers(x)
			if op == k.sum {
				return withHand(s, b, "Reduce", x, nil, nil)
			}
			return b, nil
		}
	}
	row("sum", whole(k.sum, func(got T) error {
		want := addition.total(n, k.ticks)
		return wrong(k.sameSum(got, want, n), got, float64(want)*k.unit)
	}))
	row("max", whole(k.largest, func(got T) error {
		want := maximum.total(n, k.ticks)
		return wrong(k.sameValue(got, want), got, float64(want)*k.unit)
	}))
	row("argmin", func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, err := k.random.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		b := scalarCase(func() *vector.Scalar[skel.Indexed[T]] {
			at := k.indexed.Apply(x, vector.Indices(n, s.Distribution()))
			least := k.least.Apply(at)
			at.Free()
			return least
		}, func(got skel.Indexed[T]) error {
			want := leastTicks.total(n,
				func(i int) skel.Indexed[int64] { return skel.Indexed[int64]{Value: k.ticks(i), Index: i} })
			return wrong(k.sameValue(got.Value, want.Value) && got.Index == want.Index, got, want)
		})
		b.Free = benchmark.Containers(x)
		return b, nil
	})
	return rows
}

// scalarCase returns a case whose result is one element.
func scalarCase[T any](apply func() *vector.Scalar[T], check func(got T) error) *benchmark.Case {
	return &benchmark.Case{
		Call: func() error {
			v := apply()
			err := v.Err()
			v.Free()
			return err
		},
		Check: func() error {
			v := apply()
			defer v.Free()
			got, err := v.Value()
			if err != nil {
				return err
			}
			return check(got)
		},
	}
}

func wrong(right bool, got, want any) error {
	if right {
		return nil
	}
	return fmt.Errorf("%v, and the reference gives %v", got, want)
}

// reducePairs returns a row that reduces by an operator that is not commutative.
func reducePairs[T float32 | float64](
	s *benchmark.Suite, name string, size int64, c *composition[T], epsilon float64,
) *benchmark.Row {
	n := s.Size(1 << 28)
	r := &benchmark.Row{
		Name:  fmt.Sprintf("Reduce/op=compose/type=2x%s/n=%d", name, n),
		Bytes: size * int64(n), Ops: 3 * float64(n), Memory: size * int64(n),
		Goals: s.GPUGoals("copy", 0.85),
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, err := c.random.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		b := scalarCase(func() *vector.Scalar[affine[T]] { return c.all.Apply(x) }, func(got affine[T]) error {
			want := composition64.total(n, affineAt)
			return wrong(sameAffine[T](epsilon)(got, want, n), got, want)
		})
		b.Free = benchmark.Containers(x)
		return b, nil
	}
	return r
}

// segmentRows returns the rows that reduce count segments, or rows of a matrix, of length
// elements each. The yardstick is CUB's sum of all elements.
func segmentRows(s *benchmark.Suite, count, length int) []*benchmark.Row {
	n := count * length
	row := func(name string, apply func(x *vector.Vector[float32],
		offsets *vector.Vector[int]) *vector.Vector[float32]) *benchmark.Row {
		return &benchmark.Row{
			Name:  fmt.Sprintf("%s/op=sum/type=float32/segments=%d/length=%d", name, count, length),
			Bytes: 4*int64(n) + 4*int64(count), Ops: float64(n), Memory: 4*int64(n) + 12*int64(count),
			Goals:    s.GPUGoals("cub", 0.8),
			Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("reduce-sum float32 %d", n)}},
			Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
				x, err := float32s.random.Fill(s, n, 0)
				if err != nil {
					return nil, err
				}
				starts := make([]int, count+1)
				for i := range starts {
					starts[i] = i * length
				}
				offsets := vector.From(starts, s.Distribution())
				return &benchmark.Case{
					Free: benchmark.Containers(x, offsets),
					Call: func() error {
						sums := apply(x, offsets)
						err := sums.Err()
						sums.Free()
						return err
					},
					Check: func() error {
						sums := apply(x, offsets)
						defer sums.Free()
						return checkSegments(sums, length)
					},
				}, offsets.Wait()
			},
		}
	}
	return []*benchmark.Row{
		row("ReduceSegments", func(x *vector.Vector[float32], offsets *vector.Vector[int]) *vector.Vector[float32] {
			return float32s.sum.Segments(x, offsets)
		}),
		row("ReduceRows", func(x *vector.Vector[float32], _ *vector.Vector[int]) *vector.Vector[float32] {
			return float32s.sum.Rows(matrix.Of(x, count, length))
		}),
	}
}

// checkSegments compares sums of consecutive segments with the reference.
func checkSegments(sums *vector.Vector[float32], length int) error {
	got, err := sums.Host()
	if err != nil {
		return err
	}
	errs := make([]error, len(got))
	benchmark.Concurrently(len(got), func(i int) {
		want := addition.fold(i*length, (i+1)*length, benchmark.Ticks)
		if !float32s.sameSum(got[i], want, length) {
			errs[i] = fmt.Errorf("sum %d is %v, not %v", i, got[i], float64(want)*benchmark.Unit)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// products returns the rows of functions that BLAS has: dot, asum, nrm2.
func products(s *benchmark.Suite) []*benchmark.Row {
	return append(productRows(s, float32s), productRows(s, float64s)...)
}

func productRows[T float32 | float64](s *benchmark.Suite, k *kind[T]) (rows []*benchmark.Row) {
	n := s.Size(1 << 28)
	row := func(name, ask string, inputs int64, open func(*benchmark.Suite) (*benchmark.Case, error)) {
		r := &benchmark.Row{
			Name:  fmt.Sprintf("%s/type=%s/n=%d", name, k.name, n),
			Bytes: inputs * k.size * int64(n), Ops: 2 * float64(n), Memory: inputs * k.size * int64(n),
			Requests: []benchmark.Request{{Yardstick: "cublas", Text: fmt.Sprintf("%s %s %d", ask, k.name, n)}},
			Open:     open,
		}
		r.Goals = goals(s, 1, "cublas", r.Name, n)
		rows = append(rows, r)
	}
	row("Dot", "dot", 2, func(s *benchmark.Suite) (*benchmark.Case, error) {
		x, y, err := benchmark.Inputs(s, k.random, n)
		if err != nil {
			return nil, err
		}
		b := scalarCase(func() *vector.Scalar[T] { return sumOf(k, k.times.Apply(x, y)) }, func(got T) error {
			return k.sameTotal(got, n, benchmark.Unit*benchmark.Unit,
				func(i int) int64 { return benchmark.Ticks(i) * benchmark.Ticks(benchmark.SecondInput+i) })
		})
		b.Free = benchmark.Containers(x, y)
		return withHand(s, b, "Dot", x, y, nil)
	})
	one := func(name, ask string, f *skel.Map[T, T], scale float64, of func(x int64) int64) {
		row(name, ask, 1, func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := k.random.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			b := scalarCase(func() *vector.Scalar[T] { return sumOf(k, f.Apply(x)) }, func(got T) error {
				return k.sameTotal(got, n, scale, func(i int) int64 { return of(benchmark.Ticks(i)) })
			})
			b.Free = benchmark.Containers(x)
			return b, nil
		})
	}
	one("Asum", "asum", k.magnitude, benchmark.Unit, func(x int64) int64 { return max(x, -x) })
	// The host would compute the square root of the sum.
	one("Nrm2", "nrm2", k.squared, benchmark.Unit*benchmark.Unit, func(x int64) int64 { return x * x })
	return rows
}

// sumOf adds up a pending expression inside the kernel of the reduction.
func sumOf[T number](k *kind[T], terms *vector.Vector[T]) *vector.Scalar[T] {
	sum := k.sum.Apply(terms)
	terms.Free()
	return sum
}

// sameTotal compares a sum of n terms with the sum in integers, times scale. The sum of
// 2^16 terms fits an int64. Each term goes through some 60 additions that round.
func (k *kind[T]) sameTotal(got T, n int, scale float64, term func(i int) int64) error {
	const part = 1 << 16
	sums, sizes := make([]int64, (n+part-1)/part), make([]float64, (n+part-1)/part)
	benchmark.Concurrently(len(sums), func(p int) {
		for i := p * part; i < min(n, (p+1)*part); i++ {
			t := term(i)
			sums[p] += t
			sizes[p] += math.Abs(float64(t))
		}
	})
	total, size := new(big.Int), 0.0
	for p := range sums {
		total.Add(total, big.NewInt(sums[p]))
		size += sizes[p]
	}
	exact, _ := new(big.Float).SetInt(total).Float64()
	want := exact * scale
	return wrong(math.Abs(float64(got)-want) <= 60*k.epsilon*size*scale, got, want)
}
