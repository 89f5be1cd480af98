package kmeans

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// clouds returns points around a few places.
func clouds[T number](n, dim int) []T {
	r := rand.New(rand.NewPCG(1, 2))
	places := make([]float64, 7*dim)
	for i := range places {
		places[i] = 6 * r.NormFloat64()
	}
	points := make([]T, n*dim)
	for i := range n {
		at := places[r.IntN(7)*dim:]
		for j := range dim {
			points[i*dim+j] = T(at[j] + r.NormFloat64())
		}
	}
	return points
}

func TestClusterFrom(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "2MiB")
	t.Run("float32", func(t *testing.T) { testClusterFrom[float32](t, 5, nil) })
	t.Run("float64", func(t *testing.T) {
		devicestest.Long(t)
		weights := make([]float64, streamed)
		for i := range weights {
			weights[i] = float64(1 + i%3)
		}
		testClusterFrom[float64](t, 4, weights)
	})
}

const streamed = 60_000 // points

// testClusterFrom clusters points in memory, and the same points of a reader on every device.
func testClusterFrom[T number](t *testing.T, dim int, weights []float64) {
	points := clouds[T](streamed, dim)
	for _, o := range []Options{
		{K: 7, Weights: weights, Algorithm: Auto},
		{K: 9, Weights: weights, Init: Parallel, Empty: Farthest},
		{K: 5, Weights: weights, Init: Random, NInit: 2, MaxIter: 4, Empty: Drop},
	} {
		if o.Init != "" && !devicestest.Thorough() {
			continue
		}
		cpu, err := devices.Get("cpu")
		if err != nil {
			t.Fatal(err)
		}
		want, err := Cluster(context.Background(), matrix.From(streamed, dim, points, vector.Single(cpu[0])), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range devicestest.All(t) {
			where := app.Distribute([]*devices.Device{d}, int64(len(devices.Bytes(points))))
			source := bytes.NewReader(devices.Bytes(points))
			got, err := ClusterFrom[T](context.Background(), source, streamed, dim, where, o)
			if err != nil {
				t.Errorf("%v, %v: %v", d, o.Init, err)
				continue
			}
			if !d.Native() && got.Labels.Distribution().Kind() != vector.Blocks {
				t.Errorf("%v: the labels are on %v", d, got.Labels.Distribution())
			}
			if got.Inertia != want.Inertia || got.Iterations != want.Iterations ||
				!slices.Equal(got.Sizes, want.Sizes) {
				t.Errorf("%v, %v: inertia %v, %d iterations, sizes %v; want %v, %d, %v", d, o.Init,
					got.Inertia, got.Iterations, got.Sizes, want.Inertia, want.Iterations, want.Sizes)
			}
			if !slices.Equal(elements(t, got.Labels), elements(t, want.Labels)) ||
				!slices.Equal(elements(t, got.Centers.Vector()), elements(t, want.Centers.Vector())) {
				t.Errorf("%v, %v: other labels or centres than in memory", d, o.Init)
			}
			got.Free()
		}
		want.Free()
	}
}

// TestClusterFromLoads bounds what is moved if most points fit. An iteration loads the others and saves hardly
// anything, because the table of a page is made on the device. The choice of a centre takes two passes. The
// figures depend a little on what earlier tests have left in the pools.
func TestClusterFromLoads(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "2MiB")
	const n, dim = 20_000, 24
	points := clouds[float32](n, dim)
	source := bytes.NewReader(devices.Bytes(points))
	size := int64(len(devices.Bytes(points)))
	for _, d := range devicestest.All(t) {
		if d.Native() {
			continue // it has no pages
		}
		where := app.Distribute([]*devices.Device{d}, size)
		moved := func(o Options) (loaded, saved int64) {
			before := d.Stats()
			r, err := ClusterFrom[float32](context.Background(), source, n, dim, where, o)
			if err != nil {
				t.Fatalf("%v: %v", d, err)
			}
			defer r.Free()
			if r.Iterations != o.MaxIter || slices.Contains(r.Sizes, 0) {
				t.Fatalf("%v: %d iterations, want %d; sizes %v", d, r.Iterations, o.MaxIter, r.Sizes)
			}
			after := d.Stats()
			return after.LoadedBytes - before.LoadedBytes, after.SavedBytes - before.SavedBytes
		}
		one, saved := moved(Options{K: 4, Init: First, MaxIter: 1})
		three, _ := moved(Options{K: 4, Init: First, MaxIter: 3})
		four, _ := moved(Options{K: 4, MaxIter: 1})
		nine, _ := moved(Options{K: 9, MaxIter: 1})
		for _, c := range []struct {
			what        string
			bytes, most int64
		}{
			{"loaded for an iteration, and before and after it", one, 4 * size},
			{"saved", saved, size / 4},
			{"loaded in an iteration", (three - one) / 2, size * 2 / 3},
			{"loaded for the choice of a centre", (nine - four) / 5, size * 9 / 8},
		} {
			if c.bytes > c.most {
				t.Errorf("%v: %d bytes %s; the points have %d, and %d is the most", d, c.bytes, c.what, size, c.most)
			}
		}
		if one < size {
			t.Errorf("%v: %d bytes loaded: the points have fitted", d, one)
		}
	}
}

func elements[T any](t *testing.T, v *vector.Vector[T]) []T {
	t.Helper()
	s, err := v.Host()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestClusterFromErrors(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "2MiB")
	points := clouds[float32](streamed, 5)
	points[5*50_000+3] = float32(math.NaN())
	for _, d := range devicestest.All(t) {
		where := app.Distribute([]*devices.Device{d}, int64(len(devices.Bytes(points))))
		check := func(n, k int, want string) {
			source := bytes.NewReader(devices.Bytes(points))
			_, err := ClusterFrom[float32](context.Background(), source, n, 5, where, Options{K: k})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, %d points, k = %d: %v, want %q", d, n, k, err, want)
			}
		}
		check(streamed, 2, "row 50000, column 3 (from 0): NaN is not finite")
		check(streamed, 0, "k is 0")
		check(streamed+1, 2, "EOF")
	}
}

// TestStreamedFileErrors checks that errors in a file that is read in parts are those of a file that is read at once.
func TestStreamedFileErrors(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "2MiB")
	points := clouds[float32](streamed, 5)
	points[5*50_000+3] = float32(math.NaN())
	file := filepath.Join(t.TempDir(), "points.npy")
	if err := data.WriteArray(nil, file, points, streamed, 5); err != nil {
		t.Fatal(err)
	}
	want := file + ": row 50000, column 3 (from 0): NaN is not finite in float32; use --skip-nonfinite"
	for _, d := range devicestest.All(t) {
		k := 2
		c := Command{File: file, Format: "auto", options: options{
			K: &k, NInit: 1, MaxIter: 3, Algorithm: "auto", Empty: "keep", Precision: "auto",
		}}
		c.Device = d.ID()
		env := &app.Env{Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("")}
		if err := c.Run(t.Context(), env); !app.IsInputError(err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", d, err, want)
		}
	}
}
