package checkpointtest

import (
	"testing"
)

// TestInterrupt interrupts a sum that saves each step.
func TestInterrupt(t *testing.T) {
	type state struct{ Next, Sum int }
	var s state
	runs := 0
	resumed := Interrupt(t, 0, func(r *Run) error {
		runs++
		var before state
		s = state{}
		if err := r.Load(&before); err != nil {
			return err
		}
		if found, err := r.Checkpoint.Load(&s); err != nil || found != (r.Number > 0) || s != before {
			t.Errorf("run %d finds %+v, %t and %+v: %v", r.Number, before, found, s, err)
		}
		step := r.After(3)
		for ; s.Next < 10; s.Next++ {
			if err := r.Context.Err(); err != nil {
				return err
			}
			r.Checkpoint.Save(s)
			s.Sum += s.Next
			step()
		}
		return nil
	})
	if s.Sum != 45 || runs != 5 || resumed != 4 {
		t.Errorf("a sum of %d after %d runs, of which %d went on", s.Sum, runs, resumed)
	}
}
