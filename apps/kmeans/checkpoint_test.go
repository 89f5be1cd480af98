package kmeans

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/checkpoint/checkpointtest"
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
	random := rand.New(rand.NewPCG(seed, 1))
	const n, dim = 600, 2
	points := make([]T, n*dim)
	for i := range points {
		points[i] = T(10*(i/dim%5)) + T(4*random.NormFloat64())
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
	resumed := checkpointtest.Interrupt(t, 0, func(r *checkpointtest.Run) (err error) {
		part, step := o, r.After(2+random.IntN(6))
		part.Progress = func(int, int, int) { step() }
		part.checkpoint = r.Checkpoint
		got, err = run(r.Context, part, 1+r.Number%len(devs))
		return err
	})
	defer got.Free()
	if resumed == 0 && want.Iterations > 12 {
		t.Error("no run went on from a checkpoint")
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
