package baseline_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/internal/data"
	raw "github.com/skelgo/skelgo/apps/kmeans/baseline"
)

const maxIter = 501

// result is the result of a version.
type result struct {
	Labels     []int32
	Centres    []float32
	Iterations int
}

// versions run the two hand-written versions from beginning to end.
var versions = map[string]func(points []float32, n, dim int, start []float32, maxIter int) (result, error){
	"paper": func(points []float32, n, dim int, start []float32, maxIter int) (result, error) {
		p, err := raw.OpenPaper(0)
		if err != nil {
			return result{}, err
		}
		defer p.Close()
		if err := p.Build(); err != nil {
			return result{}, err
		}
		if err := p.Upload(points, n, dim, len(start)/dim); err != nil {
			return result{}, err
		}
		centres := slices.Clone(start)
		labels, iterations, err := p.Run(centres, maxIter)
		return result{labels, centres, iterations}, err
	},
	"on device": func(points []float32, n, dim int, start []float32, maxIter int) (result, error) {
		p, err := raw.OpenOnDevice(0)
		if err != nil {
			return result{}, err
		}
		defer p.Close()
		if err := p.Build(); err != nil {
			return result{}, err
		}
		if err := p.Upload(points, n, dim, len(start)/dim); err != nil {
			return result{}, err
		}
		iterations, err := p.Run(start, maxIter)
		if err != nil {
			return result{}, err
		}
		labels, centres, err := p.Download()
		return result{labels, centres, iterations}, err
	},
}

// plain is the same algorithm as plain Go, with distances in float32.
func plain(points []float32, n, dim int, start []float32, maxIter int) result {
	k := len(start) / dim
	r := result{slices.Repeat([]int32{-1}, n), slices.Clone(start), 0}
	for moved := n; moved > 0; r.Iterations++ {
		moved = 0
		sums, sizes := make([]float64, k*dim), make([]float64, k)
		for i := range n {
			x := points[i*dim : (i+1)*dim]
			best, least := int32(0), float32(math.MaxFloat32)
			for c := range k {
				var dist float32
				for j := range x {
					diff := x[j] - r.Centres[c*dim+j]
					dist += float32(diff * diff)
				}
				if dist < least {
					best, least = int32(c), dist
				}
			}
			if r.Labels[i] != best {
				moved++
			}
			r.Labels[i] = best
			sizes[best]++
			for j := range x {
				sums[int(best)*dim+j] += float64(x[j])
			}
		}
		if r.Iterations == maxIter { // only the labels were missing
			break
		}
		for v := range sums {
			if sizes[v/dim] > 0 {
				r.Centres[v] = float32(sums[v] / sizes[v/dim])
			}
		}
	}
	return r
}

// inertia returns the sum of the squared distances to the centres.
func (r result) inertia(points []float32, dim int) (sum float64) {
	for i, x := range points {
		d := float64(x) - float64(r.Centres[int(r.Labels[i/dim])*dim+i%dim])
		sum += d * d
	}
	return sum
}

// TestGoldens compares with known results: iterations, inertia or RMSE, and sizes.
func TestGoldens(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, c := range []struct {
		file       string
		format     data.Format
		k          int
		start      []float32 // nil: the first k points
		iterations int
		inertia    float64
		rmse       float64
		sizes      []int
	}{
		{"seed8.txt", data.Rodinia, 2, []float32{3, 2, 4, 2}, 3, 4, 0, []int{4, 4}},
		{"seed8.txt", data.Rodinia, 3, []float32{1, 1, 1, 1, 4, 4}, 3, 10. / 3, 0, []int{3, 1, 4}},
		{"rodinia_100.txt", data.Rodinia, 2, nil, 6, 0, 9160.345776, []int{2, 98}},
		{"rodinia_100.txt", data.Rodinia, 8, nil, 7, 0, 3078.087003, []int{2, 19, 4, 3, 6, 6, 55, 5}},
		{"../iris.csv", data.CSV, 3, nil, 12, 78.855666, 0, []int{39, 61, 50}},
	} {
		table, err := data.Read[float32](context.Background(), "../testdata/"+c.file, data.Options{Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		n, dim := table.Rows, table.Cols
		var points []float32
		for i := range n {
			points = append(points, table.Row(i)...)
		}
		start := c.start
		if start == nil {
			start = points[:c.k*dim]
		}
		for name, run := range versions {
			t.Run(fmt.Sprintf("%s,k=%d/%s", c.file, c.k, name), func(t *testing.T) {
				got, err := run(points, n, dim, start, maxIter)
				if err != nil {
					t.Fatal(err)
				}
				sizes := make([]int, c.k)
				for _, l := range got.Labels {
					sizes[l]++
				}
				inertia := got.inertia(points, dim)
				rmse := math.Sqrt(inertia / float64(n))
				if got.Iterations != c.iterations || !slices.Equal(sizes, c.sizes) ||
					c.inertia > 0 && math.Abs(inertia-c.inertia) > 1e-5 ||
					c.rmse > 0 && math.Abs(rmse/c.rmse-1) > 1e-9 {
					t.Errorf("iterations %d, sizes %v, inertia %v, RMSE %v; want %+v", got.Iterations, sizes,
						inertia, rmse, c)
				}
			})
		}
	}
}

// TestPlain has sizes around those of a tile and a work-group, and a run that is stopped
// early.
func TestPlain(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, c := range []struct{ n, dim, k, maxIter int }{
		{1, 1, 1, maxIter}, {15, 2, 3, maxIter}, {256, 5, 2, maxIter}, {257, 3, 7, maxIter}, {10_007, 34, 5, 4},
	} {
		r := rand.New(rand.NewPCG(3, uint64(c.n)))
		points := make([]float32, c.n*c.dim)
		for i := range points {
			points[i] = float32(r.NormFloat64()) + float32(i/c.dim%4)
		}
		start := points[:c.k*c.dim]
		want := plain(points, c.n, c.dim, start, c.maxIter)
		for name, run := range versions {
			t.Run(fmt.Sprintf("n=%d/%s", c.n, name), func(t *testing.T) {
				got, err := run(points, c.n, c.dim, start, c.maxIter)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 1e-7)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
