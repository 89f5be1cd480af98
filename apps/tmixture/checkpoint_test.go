package tmixture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestCheckpoint interrupts fits at random iterations and goes on from their checkpoints, on another
// number of devices, until they end. All iterations and the result, or the error, must be those of an
// uninterrupted fit.
func TestCheckpoint(t *testing.T) {
	for i, c := range []struct {
		same int // rows at three places, where components collapse
		o    Options
	}{
		{0, Options{Components: 3, NInit: 2, Seed: 1}},
		// An extrapolation jumps to many degrees of freedom, and one is undone.
		{0, Options{Components: 1, DF: Each, Covariance: Diagonal}},
		{0, Options{Components: 2, Seed: 2, Covariance: Diagonal}},
		{0, Options{Components: 3, Covariance: Tied, MaxIter: 30}},
		// The first number of components is the best, and the second one.
		{0, Options{MaxComponents: 6, Seed: 2}},
		{0, Options{MaxComponents: 6, Seed: 3, Covariance: Spherical, FirstWorse: true, Penalty: Thesis}},
		// One of the starts collapses, and both.
		{60, Options{Components: 5, NInit: 2, Seed: 1, MaxIter: 100}},
		{60, Options{Components: 5, NInit: 2, Seed: 2, MaxIter: 100}},
		// The last iterations need the prior.
		{60, Options{MaxComponents: 7, NInit: 2, Seed: 1, Covariance: Diagonal, DF: Each}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			rows := generate(150, 2, 3, c.o.Seed).Data
			for k := range c.same {
				rows[2*k], rows[2*k+1] = float64(40*(k%3)), 100
			}
			testCheckpoint(t, rows, c.o, uint64(i))
			testCheckpoint(t, narrowAll(rows), c.o, uint64(i))
		})
	}
}

// trace has the components and the log-likelihood of each iteration of each start.
type trace map[[2]int][2]float64

func testCheckpoint[T number](t *testing.T, rows []T, o Options, seed uint64) {
	t.Helper()
	devs := devicestest.Processors(t, 3)
	run := func(ctx context.Context, o Options, devices int) (*Model, error) {
		x := matrix.From(len(rows)/2, 2, rows, vector.Block(devs[:devices]...))
		defer x.Free()
		return Fit(ctx, x, o)
	}
	all, seen := trace{}, trace{}
	whole := o
	whole.Progress = func(start, i, g int, logLik float64) { all[[2]int{start, i}] = [2]float64{float64(g), logLik} }
	want, failed := run(t.Context(), whole, 1)
	if failed != nil && !app.IsInputError(failed) {
		t.Fatal(failed)
	}

	r := rand.New(rand.NewPCG(seed, 1))
	var got *Model
	var err error
	runs, saves := 0, 0
	for name := filepath.Join(t.TempDir(), "state"); got == nil && !app.IsInputError(err); runs++ {
		if runs > 1000 {
			t.Fatal("the fit does not come to its end")
		}
		ctx, cancel := context.WithCancel(t.Context())
		part, left := o, 1+r.IntN(max(1, len(all)/20))
		part.Progress = func(start, i, g int, logLik float64) {
			seen[[2]int{start, i}] = [2]float64{float64(g), logLik}
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
		if err != nil && !errors.Is(err, context.Canceled) && !app.IsInputError(err) {
			t.Fatal(err)
		}
	}
	if saves == 0 {
		t.Errorf("%d runs, none of which went on from a checkpoint", runs)
	}
	if diff := cmp.Diff(all, seen); diff != "" {
		t.Error("iterations:", diff)
	}
	if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(failed) {
		t.Errorf("%v, want %v: %s", err, failed, diff)
	}
}
