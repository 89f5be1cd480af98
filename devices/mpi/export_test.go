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

// Send sends p to a rank, which receives it with Receive. If failed is not nil, it sends that
// instead. All ranks call Send, Receive or Pass. p must not change afterwards.
func (w *World) Send(to int, what, on string, p []byte, failed error) error {
	if err := w.begin(what, on, int64(len(p)), true); err != nil {
		return err
	}
	w.traffic.count(&w.traffic.Sent, len(p))
	return w.end(w.sendHead(to, p, failed))
}

// Receive fills p with what another rank sends. failed is the error that it sent instead.
func (w *World) Receive(from int, what, on string, p []byte) (failed, err error) {
	if err := w.begin(what, on, int64(len(p)), true); err != nil {
		return nil, err
	}
	w.traffic.count(&w.traffic.Received, len(p))
	failed, err = w.receiveHead(from, p)
	if err := w.end(err); err != nil {
		return nil, err
	}
	return failed, nil
}

// Pass notes a message between two other ranks.
func (w *World) Pass(what, on string, n int) error {
	if err := w.begin(what, on, int64(n), true); err != nil {
		return err
	}
	return w.end(nil)
}
