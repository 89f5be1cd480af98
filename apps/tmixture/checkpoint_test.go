package tmixture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint/checkpointtest"
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

	random := rand.New(rand.NewPCG(seed, 1))
	var got *Model
	var err error
	resumed := checkpointtest.Interrupt(t, 0, func(r *checkpointtest.Run) error {
		part, step := o, r.After(1+random.IntN(max(1, len(all)/20)))
		part.Progress = func(start, i, g int, logLik float64) {
			seen[[2]int{start, i}] = [2]float64{float64(g), logLik}
			step()
		}
		part.checkpoint = r.Checkpoint
		if got, err = run(r.Context, part, 1+r.Number%len(devs)); app.IsInputError(err) {
			return nil
		}
		return err
	})
	if resumed == 0 {
		t.Error("no run went on from a checkpoint")
	}
	if diff := cmp.Diff(all, seen); diff != "" {
		t.Error("iterations:", diff)
	}
	if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(failed) {
		t.Errorf("%v, want %v: %s", err, failed, diff)
	}
}
