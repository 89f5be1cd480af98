package kmeans

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestCheckpoint interrupts clusterings at random iterations and goes on from their checkpoints, on
// another number of devices, until they end. The results must be those of an uninterrupted one.
func TestCheckpoint(t *testing.T) {
	for i, o := range []Options{
		{K: 5, NInit: 3},
		{K: 7, NInit: 2, Empty: Farthest, Init: Random},
		{K: 9, NInit: 2, Empty: Drop, Init: Random},
		{K: 4, Algorithm: Bounds},
		{K: 40, Algorithm: Auto, MaxIter: 25},
		{K: 4, NInit: 2, MaxIter: 3, Threshold: 2},
		{K: 6, Empty: Farthest, Start: [][]float64{{0, 0}, {0, 0}, {9, 9}, {1, 1}, {50, 50}, {50, 50}}},
		{K: 3, Weights: []float64{1, 2, 0.5}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			testCheckpoint[float32](t, o, uint64(i))
			testCheckpoint[float64](t, o, uint64(i))
		})
	}
}

func testCheckpoint[T number](t *testing.T, o Options, seed uint64) {
	t.Helper()
	devs := devicestest.Processors(t, 3)
	r := rand.New(rand.NewPCG(seed, 1))
	const n, dim = 600, 2
	points := make([]T, n*dim)
	for i := range points {
		points[i] = T(10*(i/dim%5)) + T(4*r.NormFloat64())
	}
	if o.Weights != nil {
		for len(o.Weights) < n {
			o.Weights = append(o.Weights, o.Weights[:3]...)
		}
	}
	run := func(ctx context.Context, o Options, devices int) (*Result[T], error) {
		x := matrix.From(n, dim, points, vector.Block(devs[:devices]...))
		defer x.Free()
		return Cluster(ctx, x, o)
	}
	want, err := run(t.Context(), o, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Free()

	var got *Result[T]
	runs, saves := 0, 0
	for name := filepath.Join(t.TempDir(), "state"); got == nil; runs++ {
		if runs > 1000 {
			t.Fatal("the clustering does not come to its end")
		}
		ctx, cancel := context.WithCancel(t.Context())
		part, left := o, 2+r.IntN(6)
		part.Progress = func(int, int, int) {
			if left--; left == 0 {
				cancel()
			}
		}
		if part.checkpoint, err = checkpoint.Open(name, 0, nil); err != nil {
			t.Fatal(err)
		}
		part.checkpoint.Failed = func(err error) { t.Error(err) }
		if !part.checkpoint.Saved.IsZero() {
			saves++
		}
		got, err = run(ctx, part, 1+runs%len(devs))
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	defer got.Free()
	if saves == 0 && want.Iterations > 12 {
		t.Errorf("%d runs, none of which went on from a checkpoint", runs)
	}
	equalResults(t, got, want)
}

// equalResults reports differences between results.
func equalResults[T number](t *testing.T, got, want *Result[T]) {
	t.Helper()
	if got.Inertia != want.Inertia || got.RMSE != want.RMSE || got.Iterations != want.Iterations ||
		got.Moved != want.Moved || got.Start != want.Start || !slices.Equal(got.Sizes, want.Sizes) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if diff := cmp.Diff(host(t, want.Centers), host(t, got.Centers)); diff != "" {
		t.Error("centres:", diff)
	}
	a, err := got.Labels.Host()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := want.Labels.Host(); err != nil || !slices.Equal(a, b) {
		t.Errorf("labels %v, want %v, %v", a, b, err)
	}
}
