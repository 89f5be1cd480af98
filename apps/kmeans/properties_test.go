package kmeans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// on puts rows onto a device.
func on[T number](d *devices.Device, points [][]float64) *matrix.Matrix[T] {
	var flat []T
	for _, row := range points {
		for _, v := range row {
			flat = append(flat, T(v))
		}
	}
	return matrix.From(len(points), len(points[0]), flat, vector.Single(d))
}

// found is a result in host memory.
type found struct {
	Centers    [][]float64
	Labels     []int32
	Sizes      []int
	Moved      []int
	Iterations int
	Inertia    float64
	RMSE       float64
}

// clusterOn runs Cluster and brings everything back.
func clusterOn[T number](t testing.TB, d *devices.Device, points [][]float64, o Options) (found, error) {
	t.Helper()
	var f found
	o.Progress = func(_, iteration, moved int) {
		if iteration > 0 {
			f.Moved = append(f.Moved, moved)
		}
	}
	x := on[T](d, points)
	defer x.Free()
	r, err := Cluster(context.Background(), x, o)
	if err != nil {
		return f, err
	}
	defer r.Free()
	labels, err := r.Labels.Host()
	if err != nil {
		t.Fatal(err)
	}
	f.Centers, f.Labels, f.Sizes = host(t, r.Centers), slices.Clone(labels), r.Sizes
	f.Iterations, f.Inertia, f.RMSE = r.Iterations, r.Inertia, r.RMSE
	return f, nil
}

// lattice draws points with small integer coordinates, so that ties, duplicates
// and empty clusters are common and float64 sums are exact.
func lattice(t *rapid.T, n, dim int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, dim)
		for j := range points[i] {
			points[i][j] = float64(rapid.IntRange(-4, 4).Draw(t, "x"))
		}
	}
	return points
}

func TestAgainstReference(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		rapid.Check(t, func(rt *rapid.T) {
			n := rapid.IntRange(1, 40).Draw(rt, "n")
			dim := rapid.IntRange(1, 5).Draw(rt, "dim")
			k := rapid.IntRange(1, min(n, 11)).Draw(rt, "k")
			points, start := lattice(rt, n, dim), lattice(rt, k, dim)
			empty := rapid.SampledFrom([]Empty{Keep, Farthest, Drop}).Draw(rt, "empty")
			maxIter := rapid.SampledFrom([]int{1, 2, 20}).Draw(rt, "maxIter")
			threshold := rapid.SampledFrom([]int{0, 0, 3}).Draw(rt, "threshold")
			var weights []float64
			if rapid.Bool().Draw(rt, "weighted") {
				weights = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 0.5}), n, n).Draw(rt, "weights")
			}
			got, err := clusterOn[float64](t, d, points, Options{
				K: k, Start: start, Empty: empty, MaxIter: maxIter, Threshold: threshold, Weights: weights,
			})
			if app.IsInputError(err) {
				if distinct(points, weights) >= k {
					rt.Fatalf("%v, of %v", err, points)
				}
				return
			}
			if err != nil {
				rt.Fatal(err)
			}
			want := reference(points, start, weights, string(empty), maxIter, threshold)
			if distinct(points, weights) < k && slices.Contains(want.sizes, 0) {
				rt.Fatal("fewer distinct points than clusters, and no error")
			}
			if diff := gocmp.Diff(found{
				want.centers, want.labels, want.sizes, want.moved, want.iterations, want.inertia,
				rmse(want.inertia, weights, n),
			}, got, approx); diff != "" {
				rt.Error(diff)
			}
		})
	})
}

func rmse(inertia float64, weights []float64, n int) float64 {
	total := float64(n)
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	return math.Sqrt(inertia / total)
}

// distinct counts the distinct points that have a weight.
func distinct(points [][]float64, weights []float64) int {
	seen := map[string]bool{}
	for i, x := range points {
		if weights == nil || weights[i] > 0 {
			seen[fmt.Sprint(x)] = true
		}
	}
	return len(seen)
}

// blobs are n points around k places.
func blobs(n, dim, k int, seed uint64) [][]float64 {
	t := generate[float64](n, dim, k, seed)
	return rows(t)
}

func TestInits(t *testing.T) {
	points := blobs(3000, 3, 6, 1)
	best := math.Inf(1)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, init := range []Init{First, Random, PlusPlus, Parallel} {
			got, err := clusterOn[float32](t, d, points, Options{K: 6, Init: init, NInit: 8, Seed: 3})
			if err != nil {
				t.Fatalf("%s: %v", init, err)
			}
			// The places are far from each other, so the optimum is about
			// dim per point.
			if init != First && got.Inertia > 1.2*3*3000 {
				t.Errorf("%s: inertia %v in %d starts", init, got.Inertia, 8)
			}
			best = min(best, got.Inertia)
			again, err := clusterOn[float32](t, d, points, Options{K: 6, Init: init, NInit: 8, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(got, again); diff != "" {
				t.Errorf("%s: two runs differ: %s", init, diff)
			}
		}
	})
}

// Every device must find the same, to the last bit.
func TestDevicesAgree(t *testing.T) {
	points := blobs(5000, 7, 9, 2)
	r := rand.New(rand.NewPCG(5, 5))
	weights := make([]float64, len(points))
	for i := range weights {
		weights[i] = float64(r.Float32())
	}
	devs := devicestest.All(t)
	for _, init := range []Init{First, Random, PlusPlus, Parallel} {
		for _, w := range [][]float64{nil, weights} {
			o := Options{K: 9, Init: init, Seed: 11, Weights: w}
			var first found
			for i, d := range devs {
				got, err := clusterOn[float32](t, d, points, o)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = got
				} else if diff := gocmp.Diff(first, got); diff != "" {
					t.Errorf("%s, weighted %t: %s and %s differ: %s", init, w != nil, devs[0], d, diff)
				}
			}
		}
	}
}

// A point of weight 3 is three points.
func TestWeightsAreRepetitions(t *testing.T) {
	points := blobs(60, 2, 4, 3)
	var repeated [][]float64
	var weights []float64
	for i, x := range points {
		w := i % 4
		weights = append(weights, float64(w))
		repeated = append(repeated, slices.Repeat([][]float64{x}, w)...)
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		start := points[1:5]
		weighted, err := clusterOn[float64](t, d, points, Options{Start: start, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := clusterOn[float64](t, d, repeated, Options{Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(plain.Centers, weighted.Centers, approx); diff != "" {
			t.Error(diff)
		}
		if diff := gocmp.Diff(plain.Inertia, weighted.Inertia, approx); diff != "" {
			t.Error(diff)
		}
		// What weighs nothing is never chosen.
		for _, init := range []Init{Random, PlusPlus, Parallel} {
			only := make([]float64, len(points))
			for i := range 4 {
				only[i*7] = 1
			}
			got, err := clusterOn[float64](t, d, points, Options{K: 4, Init: init, Weights: only})
			if err != nil {
				t.Fatal(err)
			}
			if got.Inertia != 0 {
				t.Errorf("%s: inertia %v: a point without weight was chosen", init, got.Inertia)
			}
		}
	})
}

// Centres of float32 points must be near the mean that float64 gives.
func TestCentersAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([][]float64, 20_000)
	want := make([]float64, 3)
	for i := range points {
		points[i] = []float64{float64(float32(1000 + r.Float64())), float64(float32(1e-3 * r.Float64())),
			float64(float32(1e6 * r.ExpFloat64()))}
		for j, v := range points[i] {
			want[j] += v / 20_000
		}
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		got, err := clusterOn[float32](t, d, points, Options{K: 1, Init: First})
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range got.Centers[0] {
			if math.Abs(v-want[j]) > 1e-7*math.Abs(want[j]) {
				t.Errorf("mean %v, want %v", v, want[j])
			}
		}
	})
}

func TestPredict(t *testing.T) {
	points := blobs(500, 3, 5, 4)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := on[float32](d, points)
		defer x.Free()
		r, err := Cluster(context.Background(), x, Options{K: 5})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		labels, err := Predict(x, r.Centers)
		if err != nil {
			t.Fatal(err)
		}
		defer labels.Free()
		got, err1 := labels.Host()
		want, err2 := r.Labels.Host()
		if diff := gocmp.Diff(want, got); cmp.Or(err1, err2) != nil || diff != "" {
			t.Error(err1, err2, diff)
		}
		narrow := on[float32](d, [][]float64{{1}})
		defer narrow.Free()
		if _, err := Predict(x, narrow); err == nil {
			t.Error("points and centres of different dimension")
		}
	})
}

func TestInputErrors(t *testing.T) {
	three := [][]float64{{1, 2}, {3, 4}, {1, 2}}
	tests := []struct {
		points [][]float64
		o      Options
		want   string
	}{
		{three, Options{}, "k-means: k is 0; it must be at least 1"},
		{three, Options{K: -1}, "k-means: k is -1; it must be at least 1"},
		{three, Options{K: 4}, "k-means: k is 4, which is more than the 3 points"},
		{three, Options{K: 3}, "k-means: k is 3, which is more than the 2 distinct points"},
		{three, Options{K: 3, Init: First}, "k-means: k is 3, which is more than the 2 distinct points"},
		{three, Options{K: 3, Init: Random, Empty: Farthest},
			"k-means: k is 3, which is more than the 2 distinct points"},
		{three, Options{K: 3, Init: Parallel}, "k-means: k is 3, which is more than the 2 distinct points"},
		{three, Options{Start: three, Empty: Drop}, "k-means: k is 3, which is more than the 2 distinct points"},
		{three, Options{K: 1, Weights: []float64{1}}, "k-means: 1 weight for 3 points; there must be one for each"},
		{three, Options{K: 1, Weights: []float64{1, -2, 1}},
			"k-means: weight 1 is -2; it must be finite and not negative"},
		{three, Options{K: 1, Weights: []float64{1, 1, math.NaN()}},
			"k-means: weight 2 is NaN; it must be finite and not negative"},
		{three, Options{K: 2, Weights: []float64{0, 1, 0}},
			"k-means: k is 2, which is more than the 1 point of positive weight"},
		{three, Options{K: 2, Start: three}, "k-means: k is 2, and the number of start centres is 3"},
		{three, Options{Start: [][]float64{{1}}}, "k-means: start centre 0 has 1 coordinate; the points have 2"},
		{three, Options{K: 1, Init: "best"}, `k-means: unknown init "best"`},
		{three, Options{K: 1, Empty: "leave"}, `k-means: unknown policy for empty clusters "leave"`},
		{three, Options{K: 1, MaxIter: -1}, "k-means: at most -1 iterations; it must be at least 1"},
		{three, Options{K: 1, Threshold: -1}, "k-means: the threshold is -1; it must not be negative"},
		{[][]float64{{1e30}, {2}}, Options{K: 1},
			"k-means: the largest number is 1e+30; squared distances of such numbers do not fit float32: " +
				"divide the columns by a unit of their size"},
		{[][]float64{{1e-30}, {2e-30}}, Options{K: 1},
			"k-means: the largest number is 2e-30; squared distances of such numbers do not fit float32: " +
				"divide the columns by a unit of their size"},
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, test := range tests {
			_, err := clusterOn[float32](t, d, test.points, test.o)
			if err == nil || err.Error() != test.want || !app.IsInputError(err) {
				t.Errorf("%+v: error\n%v, want\n%s", test.o, err, test.want)
			}
		}
	})
}

func TestCancel(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := on[float32](d, blobs(200, 2, 3, 1))
		defer x.Free()
		for _, init := range []Init{First, Random, PlusPlus, Parallel} {
			ctx, cancel := context.WithCancel(context.Background())
			if init == First {
				_, err := Cluster(ctx, x, Options{K: 3, Init: init, Progress: func(_, _, _ int) { cancel() }})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled while iterating: %v", err)
				}
			}
			cancel()
			if _, err := Cluster(ctx, x, Options{K: 3, Init: init}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", init, err)
			}
		}
	})
}

// An iteration is four launches, and brings a number to the host.
func TestCostOfAnIteration(t *testing.T) {
	points := blobs(10_000, 4, 5, 7)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := on[float32](d, points)
		defer x.Free()
		var at []devices.Stats
		r, err := Cluster(context.Background(), x,
			Options{K: 5, Init: First, Progress: func(_, _, _ int) { at = append(at, d.Stats()) }})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		// The first iteration also settles the labels, and one more than there are may
		// be under way.
		n := int64(len(at) - 1)
		if s := at[n].Sub(at[1]); n < 5 || s.Launches > 6*n || s.DownloadBytes > 8*n || s.UploadBytes > 0 {
			t.Errorf("%d iterations after the first: %d launches, %d bytes down, %d up", n-1, s.Launches,
				s.DownloadBytes, s.UploadBytes)
		}
	})
}

func TestNonFinite(t *testing.T) {
	points := [][]float64{{0}, {1}, {math.NaN()}, {10}, {math.Inf(1)}}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		got, err := clusterOn[float32](t, d, points, Options{Start: [][]float64{{0}, {10}}, MaxIter: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Labels) != 5 || !strings.Contains(fmt.Sprint(got.Inertia), "N") && !math.IsInf(got.Inertia, 1) {
			t.Errorf("%+v", got)
		}
	})
}

// Lots must fall by weight.
func TestDraw(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		rates := vector.From([]float64{1, 0, 3, 4}, vector.Single(d))
		defer rates.Free()
		var hits [4]int
		const n = 4000
		for seed := range uint64(n) {
			i, err := drawOne(rates, seed)
			if err != nil {
				t.Fatal(err)
			}
			hits[i]++
		}
		for i, share := range []float64{1. / 8, 0, 3. / 8, 4. / 8} {
			if got := float64(hits[i]) / n; math.Abs(got-share) > 4*math.Sqrt(share*(1-share)/n) {
				t.Errorf("element %d was drawn with frequency %v, want %v", i, got, share)
			}
		}
		zero := vector.From([]float64{0, 0}, vector.Single(d))
		defer zero.Free()
		if i, err := drawOne(zero, 1); i != -1 || err != nil {
			t.Errorf("drew %d of nothing: %v", i, err)
		}
	})
}

func TestNoLeaks(t *testing.T) {
	devs := devicestest.All(t)
	devicestest.NoLeaks(t, devs...)
	for _, d := range devs {
		for _, o := range []Options{{K: 4, NInit: 3}, {K: 4, Init: Parallel}, {K: 4, Init: Random, Empty: Drop},
			{Start: [][]float64{{0, 0}, {0, 0}}, Empty: Farthest}} {
			if _, err := clusterOn[float32](t, d, blobs(300, 2, 4, 1), o); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSeveralDevices clusters the same points on one device and over several,
// which gives the same bits.
func TestSeveralDevices(t *testing.T) {
	all := devicestest.All(t)
	host, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 1 {
		t.Skip("there is one device")
	}
	if !slices.Contains(all, host[0]) { // of another kind, and with memory of its own
		all = append(all, host[0])
	}
	const n = 3000
	points := KDD(n)
	run := func(where vector.Distribution) (centers []float32, labels []int32, inertia float64) {
		t.Helper()
		x := matrix.From(n, KDDDim, points, where)
		defer x.Free()
		r, err := Cluster(context.Background(), x, Options{K: 7, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		c, err := r.Centers.Host()
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.Labels.Host()
		if err != nil {
			t.Fatal(err)
		}
		return append(centers, c...), append(labels, l...), r.Inertia
	}
	centers, labels, inertia := run(vector.Single(all[0]))
	for _, where := range []vector.Distribution{vector.Block(all...), vector.Block(all...).Measured(),
		vector.Copy(all...)} {
		c, l, i := run(where)
		if diff := gocmp.Diff(centers, c) + gocmp.Diff(labels, l); diff != "" || i != inertia {
			t.Errorf("%v: inertia %v, want %v\n%s", where, i, inertia, diff)
		}
	}
}
