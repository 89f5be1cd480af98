package mpi

import "time"

// SetPatience sets how long a rank waits before it compares its calls with those of others.
func (w *World) SetPatience(d time.Duration) { w.patient = d }

// Calls returns the number of calls so far.
func (w *World) Calls() uint64 {
	if !w.busy.TryLock() {
		return 1 // a call is being made
	}
	defer w.busy.Unlock()
	return w.n
}

// SetSlotSize sets the number of bytes of a piece of a copy until the returned function is called.
func SetSlotSize(n int64) (reset func()) {
	before := slotSize
	slotSize = n
	return func() { slotSize = before }
}

// LaneSize returns the number of bytes of a lane.
func LaneSize() int { return int(slots * slotSize) }
