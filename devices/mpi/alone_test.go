package mpi_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices/mpi"
)

// TestAlone makes calls of one rank alone. One that needs others fails, on this rank, and changes nothing for later
// ones.
func TestAlone(t *testing.T) {
	succeed(t, worlds(3), func(w *mpi.World) error {
		for range 2 {
			end, err := w.Alone("PerRank", "0/cpu,1/cpu")
			if err != nil {
				return err
			}
			w.Note("Map(square)", "0/cpu", int64(w.Rank()))
			if w.Rank() == 1 {
				err = w.Share(1, "read", "0/cpu", make([]byte, 8), nil)
			}
			if ended := end(); (ended != nil) != (w.Rank() == 1) || (err != nil) != (w.Rank() == 1) {
				return fmt.Errorf("rank %d: %w, at the end %w", w.Rank(), err, ended)
			}
			if err := w.Share(1, "read", "0/cpu", make([]byte, 8), nil); err != nil {
				return err
			}
		}
		return w.Close()
	})
	errs := run(worlds(2), func(w *mpi.World) error {
		_, err := w.Alone("PerRank", fmt.Sprint(w.Rank()))
		return err
	})
	diverged(t, errs[1], "PerRank on 0 on rank 0", "PerRank on 1 on rank 1")
}
