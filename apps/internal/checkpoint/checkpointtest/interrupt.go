package checkpointtest

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
)

// mostRuns is the number of runs after which a computation seems to make no progress.
const mostRuns = 10_000

// Run is one of the runs of a computation.
type Run struct {
	Number     int              // from 0
	Checkpoint *checkpoint.File // as the run before has left it
	Context    context.Context

	cancel func()
	open   func() *checkpoint.File
}

// Interrupt calls run until it returns nil, which says that the computation has ended. Each call gets the
// checkpoint that the one before has left, and saves its state at most once in every. A run that is interrupted
// returns context.Canceled; any other error fails the test. Interrupt returns the number of runs that
// went on from a checkpoint.
func Interrupt(t testing.TB, every time.Duration, run func(r *Run) error) (resumed int) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "state")
	open := func() *checkpoint.File {
		t.Helper()
		f, err := checkpoint.Open(name, every, nil)
		if err != nil {
			t.Fatal(err)
		}
		f.Failed = func(err error) { t.Error(err) }
		return f
	}
	for i := range mostRuns {
		r := &Run{Number: i, Checkpoint: open(), open: open}
		if !r.Checkpoint.Saved.IsZero() {
			resumed++
		}
		r.Context, r.cancel = context.WithCancel(t.Context())
		err := run(r)
		r.cancel()
		switch {
		case err == nil:
			return resumed
		case !errors.Is(err, context.Canceled):
			t.Fatal(err)
		}
	}
	t.Fatalf("the computation does not end in %d runs", mostRuns)
	return resumed
}

// After returns a function whose nth call interrupts the run. Several goroutines may call it.
func (r *Run) After(n int) func() {
	var calls atomic.Int64
	return func() {
		if calls.Add(1) == int64(n) {
			r.cancel()
		}
	}
}

// Load loads the state with which the run begins, as Checkpoint.Load, which remains possible.
func (r *Run) Load(state any) error {
	_, err := r.open().Load(state)
	return err
}
