package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// course is the number of labels that moved in each iteration, and the result.
type course struct {
	Moved   []int
	Labels  []int32
	Centers []float64
}

func courseOf[T number](t *testing.T, d vector.Distribution, rows, cols int, x []T, o Options) course {
	t.Helper()
	points := matrix.From(rows, cols, x, d)
	defer points.Free()
	var c course
	o.Progress = func(_, iteration, moved int) {
		if iteration > 0 {
			c.Moved = append(c.Moved, moved)
		}
	}
	r, err := Cluster(context.Background(), points, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	labels, err := r.Labels.Host()
	if err != nil {
		t.Fatal(err)
	}
	centers, err := r.Centers.Host()
	if err != nil {
		t.Fatal(err)
	}
	c.Labels = slices.Clone(labels)
	for _, v := range centers {
		c.Centers = append(c.Centers, float64(v))
	}
	return c
}

// distinctRows returns the number of distinct rows.
func distinctRows[T number](x []T, cols int) int {
	seen := map[string]bool{}
	for row := range slices.Chunk(x, cols) {
		seen[fmt.Sprint(row)] = true
	}
	return len(seen)
}

// boundCase is a set of points.
type boundCase struct {
	name       string
	rows, cols int
	at         func(r *rand.Rand, i, j int) float64
	scale      float64
}

// pointSets are points for which bounds are hard: with many ties, duplicates, large offsets
// that cancel, and numbers whose squares underflow.
func pointSets() []boundCase {
	grid := func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(9)) }
	blobs := func(r *rand.Rand, i, j int) float64 { return float64((i%13*7+j*3)%11) + r.Float64() }
	offset := func(r *rand.Rand, i, j int) float64 { return 1e4 + blobs(r, i, j)/64 }
	noise := func(r *rand.Rand, _, _ int) float64 { return r.NormFloat64() }
	return []boundCase{
		{"grid", 600, 2, grid, 1}, {"line", 500, 1, grid, 1}, {"grid5", 700, 5, grid, 1},
		{"blobs", 1500, 8, blobs, 1}, {"offset", 900, 3, offset, 1}, {"noise", 800, 7, noise, 1},
		{"tiny", 600, 3, blobs, 1e-17}, {"huge", 600, 3, blobs, 1e16}, {"wide", 300, 40, blobs, 1},
	}
}

// TestBoundsAreLloyd checks that in every iteration as many labels move as with lloyd, and
// that labels and centres are bit-identical in the end.
func TestBoundsAreLloyd(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		boundsAreLloyd[float32](t, vector.Single(d))
		if d.Info().Float64 {
			boundsAreLloyd[float64](t, vector.Single(d))
		}
	})
}

func boundsAreLloyd[T number](t *testing.T, where vector.Distribution) {
	r := rand.New(rand.NewPCG(3, 4))
	defer func(steps int) { recordAfter = steps }(recordAfter)
	for _, p := range pointSets() {
		x := make([]T, p.rows*p.cols)
		for i := range x {
			x[i] = T(p.at(r, i/p.cols, i%p.cols) * p.scale)
		}
		for _, k := range []int{1, 2, 5, 9, 33, 70} {
			if k > distinctRows(x, p.cols) {
				continue
			}
			name := fmt.Sprintf("%T/%s/k=%d", x[0], p.name, k)
			o := Options{K: k, Init: First, MaxIter: 40, Algorithm: Lloyd}
			want := courseOf(t, where, p.rows, p.cols, x, o)
			recordAfter = k % 4
			for _, o.Algorithm = range []Algorithm{Bounds, Auto} {
				if diff := cmp.Diff(want, courseOf(t, where, p.rows, p.cols, x, o)); diff != "" {
					t.Fatalf("%s: %s differs from lloyd: %s", name, o.Algorithm, diff)
				}
			}
		}
	}
}

// TestBoundsWithOptions checks the iterations that the host takes part in.
func TestBoundsWithOptions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, cols = 700, 4
	x, weights := make([]float64, rows*cols), make([]float64, rows)
	for i := range x {
		x[i] = float64(i/cols%17) + r.Float64()
	}
	for i := range weights {
		weights[i] = float64(1 + r.IntN(3))
	}
	far := [][]float64{{1, 1, 1, 1}, {5, 5, 5, 5}, {900, 900, 900, 900}, {1, 1, 1, 1}}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if !d.Info().Float64 {
			t.Skip("no float64")
		}
		for _, o := range []Options{
			{K: 8, Weights: weights}, {K: 8, Threshold: 10}, {K: 8, MaxIter: 3}, {K: 8, MaxIter: 1}, {K: 5, NInit: 3},
			{Start: far, Empty: Keep}, {Start: far, Empty: Farthest}, {Start: far, Empty: Drop}, {K: 64, Init: Random},
		} {
			o.Algorithm = Lloyd
			want := courseOf(t, vector.Single(d), rows, cols, x, o)
			for _, o.Algorithm = range []Algorithm{Bounds, Auto} {
				if diff := cmp.Diff(want, courseOf(t, vector.Single(d), rows, cols, x, o)); diff != "" {
					t.Fatalf("%+v differs from lloyd: %s", o, diff)
				}
			}
		}
	})
}

// TestBoundsAvoidDistances checks that bounds leave out most points once the centres rest.
func TestBoundsAvoidDistances(t *testing.T) {
	if got := surely(1, 1, marginsOf[float32](2)); got {
		t.Error("equal bounds are sure")
	}
	if got := surely(1, 1+1e-3, marginsOf[float32](32)); !got {
		t.Error("bounds that differ by a thousandth are not sure")
	}
	m := marginsOf[float32](32)
	for _, v := range []float64{0, 1, -1, math.Pi, 1e-44, -1e-44, 1e30, 1 + 0x1p-30} {
		if a, b := above[float32](v, m), below[float32](v, m); float64(a) < v || float64(b) > v {
			t.Errorf("above(%v) = %v, below = %v", v, a, b)
		}
	}
}

// TestBoundsSpread checks bounds over several devices.
func TestBoundsSpread(t *testing.T) {
	all := devicestest.All(t)
	if len(all) == 1 {
		t.Skip("there is one device")
	}
	r := rand.New(rand.NewPCG(8, 9))
	const rows, cols = 1000, 6
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(i/cols%9) + r.Float32()
	}
	for _, where := range []vector.Distribution{vector.Block(all...), vector.Copy(all...)} {
		for _, k := range []int{3, 40} {
			o := Options{K: k, Init: First, MaxIter: 30, Algorithm: Lloyd}
			want := courseOf(t, where, rows, cols, x, o)
			o.Algorithm = Bounds
			if diff := cmp.Diff(want, courseOf(t, where, rows, cols, x, o)); diff != "" {
				t.Fatalf("%v, k=%d: bounds differ from lloyd: %s", where, k, diff)
			}
		}
	}
}
