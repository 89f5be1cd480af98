package bench

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The inputs of histograms and of reductions by key.

func short(i, first int) uint16     { return uint16(benchmark.Random(first+i) >> 48) }
func shortKey(i, first int) int32   { return int32(benchmark.Random(first+i) >> 48) }
func randomKey(i, _ int) int32      { return int32(benchmark.Random(i) >> 32 % manyKeys) }
func sortedKey(i, length int) int32 { return int32(i * manyKeys / length) }
func keyOf(x uint8) int32           { return int32(x) }
func one(uint8) int32               { return 1 }

// manyKeys is the number of keys of the large reductions by key.
const manyKeys = 1_000_000

var (
	shorts     = benchmark.NewSource(skel.NewMapWith(short), short)
	shortKeys  = benchmark.NewSource(skel.NewMapWith(shortKey), shortKey)
	randomKeys = benchmark.NewSource(skel.NewMapWith(randomKey), randomKey)
	sortedKeys = benchmark.NewSource(skel.NewMapWith(sortedKey), sortedKey)
	keysOf     = skel.NewMap(keyOf)
	ones       = skel.NewMap(one)
)

// histograms returns the rows of histograms and of reductions by key.
func histograms(s *benchmark.Suite) []*benchmark.Row {
	return []*benchmark.Row{
		histogramRow(s, "uint8", 1, 256, octets),
		histogramRow(s, "uint16", 2, 1<<16, shorts),
		histogramRow(s, "int32", 4, 1<<16, shortKeys),
		floatHistogramRow(s, "even", func(x, _ *vector.Vector[float32]) *vector.Vector[int] {
			return skel.HistogramEven(x, -1, 1, floatBins)
		}),
		floatHistogramRow(s, "edges", func(x, edges *vector.Vector[float32]) *vector.Vector[int] {
			return skel.HistogramEdges(x, edges)
		}),
		onesRow(s, "CountByKey", func(x *vector.Vector[uint8]) benchmark.Container {
			return skel.CountByKey(keysOf.Apply(x), 256)
		}),
		onesRow(s, "ByKey/op=sum", func(x *vector.Vector[uint8]) benchmark.Container {
			return int32s.sum.ByKey(ones.Apply(x), keysOf.Apply(x), 256)
		}),
		manyKeysRow(s, "sorted", 4, sortedKeys),
		manyKeysRow(s, "random", 1, randomKeys),
	}
}

// histogramRow returns the row that counts integers from 0 to bins-1.
func histogramRow[T uint8 | uint16 | int32](
	s *benchmark.Suite, name string, size int64, bins int, in benchmark.Source[T],
) *benchmark.Row {
	n := s.Size(1 << 28)
	return &benchmark.Row{
		Name:  fmt.Sprintf("Histogram/bins=%d/type=%s/n=%d", bins, name, n),
		Bytes: size * int64(n), Ops: float64(n), Memory: size * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("histogram-%d %s %d", bins, name, n)}},
		Goals:    s.GPUGoals("cub", 0.9),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			return countCase(s, n, bins, in, func(x *vector.Vector[T]) *vector.Vector[int] {
				return skel.HistogramEven(x, 0, float64(bins), bins)
			}, func(i int) int { return int(in.At(i, 0)) })
		},
	}
}

// floatBins is the number of bins between -1 and 1.
const floatBins = 256

// floatHistogramRow returns the row that counts random floats.
func floatHistogramRow(
	s *benchmark.Suite, form string, count func(x, edges *vector.Vector[float32]) *vector.Vector[int],
) *benchmark.Row {
	n := s.Size(1 << 28)
	return &benchmark.Row{
		Name:  fmt.Sprintf("Histogram/form=%s/bins=%d/type=float32/n=%d", form, floatBins, n),
		Bytes: 4 * int64(n), Ops: float64(n), Memory: 4 * int64(n),
		Requests: []benchmark.Request{{Yardstick: "cub", Text: fmt.Sprintf("histogram-%s float32 %d", form, n)}},
		Goals:    s.GPUGoals("cub", 0.9),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			at := make([]float32, floatBins+1)
			for k := range at {
				at[k] = -1 + float32(k)*2/floatBins
			}
			edges := vector.From(at, s.Distribution())
			own := func(x *vector.Vector[float32]) *vector.Vector[int] { return count(x, edges) }
			c, err := countCase(s, n, floatBins, benchmark.Float32s, own,
				func(i int) int { return int(benchmark.Ticks(i)+1<<23) >> 16 })
			if err == nil {
				c.Free = append(c.Free, edges)
			}
			return c, err
		},
	}
}

// countCase returns the case that counts n elements in bins; binOf returns the bin of element i.
func countCase[T any](
	s *benchmark.Suite, n, bins int, in benchmark.Source[T],
	count func(*vector.Vector[T]) *vector.Vector[int], binOf func(i int) int,
) (*benchmark.Case, error) {
	x, err := in.Fill(s, n, 0)
	if err != nil {
		return nil, err
	}
	return &benchmark.Case{
		Call: func() error {
			v := count(x)
			err := v.Err()
			v.Free()
			return err
		},
		Check: func() error { return checkCounts(count(x), n, bins, binOf) },
		Free:  benchmark.Containers(x),
	}, nil
}

// checkCounts counts again on the host, and frees got.
func checkCounts(got *vector.Vector[int], n, bins int, binOf func(i int) int) error {
	defer got.Free()
	counts, err := got.Host()
	if err != nil {
		return err
	}
	want := make([]int, bins)
	const parts = 64
	var mu sync.Mutex
	benchmark.Concurrently(parts, func(p int) {
		own := make([]int, bins)
		for i := n * p / parts; i < n*(p+1)/parts; i++ {
			own[binOf(i)]++
		}
		mu.Lock()
		defer mu.Unlock()
		for k, c := range own {
			want[k] += c
		}
	})
	for k := range want {
		if counts[k] != want[k] {
			return fmt.Errorf("bin %d: %w", k, wrong(false, counts[k], want[k]))
		}
	}
	return nil
}

// onesRow returns a row that counts 2^28 bytes by key through a Map. The goal is a tenth of the
// time of CuPy's bincount on an H200.
func onesRow(
	s *benchmark.Suite, name string, count func(*vector.Vector[uint8]) benchmark.Container,
) *benchmark.Row {
	n := s.Size(1 << 28)
	r := &benchmark.Row{
		Name:  fmt.Sprintf("%s/keys=256/type=uint8/n=%d", name, n),
		Bytes: int64(n), Ops: float64(n), Memory: int64(n),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := octets.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			return &benchmark.Case{
				Call: func() error {
					count(x).Free()
					return nil
				},
				Check: func() error {
					switch v := count(x).(type) {
					case *vector.Vector[int]:
						return checkCounts(v, n, 256, func(i int) int { return int(octet(i, 0)) })
					case *vector.Vector[int32]:
						return checkCounts(widen.Apply(v), n, 256, func(i int) int { return int(octet(i, 0)) })
					}
					return nil
				},
				Free: benchmark.Containers(x),
			}, nil
		},
	}
	if s.GPU() && n == 1<<28 {
		r.MaxTime = 290 * time.Microsecond
	}
	return r
}

var widen = skel.NewMap(func(x int32) int { return int(x) })

// manyKeysRow returns the row that sums floats by a million keys. The yardstick is JAX's segment_sum
// of sorted keys.
func manyKeysRow(s *benchmark.Suite, order string, ratio float64, in benchmark.Source[int32]) *benchmark.Row {
	n := s.Size(1 << 26)
	return &benchmark.Row{
		Name:  fmt.Sprintf("ByKey/op=sum/keys=%d/order=%s/type=float32/n=%d", manyKeys, order, n),
		Bytes: 8 * int64(n), Ops: float64(n), Memory: 24 * int64(n),
		Goals: s.GPUGoals("jax", ratio),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, err := benchmark.Float32s.Fill(s, n, 0)
			if err != nil {
				return nil, err
			}
			keys, err := in.Fill(s, n, n) // sortedKey takes the length
			if err != nil {
				x.Free()
				return nil, err
			}
			c := &benchmark.Case{
				Call: func() error {
					v := float32s.sum.ByKey(x, keys, manyKeys)
					err := v.Err()
					v.Free()
					return err
				},
				Check: func() error { return checkSums(float32s.sum.ByKey(x, keys, manyKeys), n, in) },
				Free:  benchmark.Containers(x, keys),
			}
			if s.JAX != nil {
				sample := s.JAX.Sampler(fmt.Sprintf("segment-sum %d %d", n, manyKeys))
				c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: "jax", Sample: sample})
			}
			return c, nil
		},
	}
}

// checkSums adds again on the host, and frees got.
func checkSums(got *vector.Vector[float32], n int, keys benchmark.Source[int32]) error {
	defer got.Free()
	sums, err := got.Host()
	if err != nil {
		return err
	}
	want, size := make([]int64, manyKeys), make([]float64, manyKeys)
	for i := range n {
		k, x := keys.At(i, n), benchmark.Ticks(i)
		want[k] += x
		size[k] += math.Abs(float64(x))
	}
	for k, w := range want {
		if math.Abs(float64(sums[k])-float64(w)*benchmark.Unit) > 0x1p-20*size[k]*benchmark.Unit {
			return fmt.Errorf("key %d: %w", k, wrong(false, sums[k], float64(w)*benchmark.Unit))
		}
	}
	return nil
}
