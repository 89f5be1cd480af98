package mpi

import (
	"encoding/binary"
	"math"
	"time"
)

// Waiting polls: first without a pause, because a message of another process takes a few us,
// then more and more seldom, so that ranks that share a core let each other run.
const (
	spins    = 200
	yields   = 2000
	longest  = 200 * time.Microsecond
	shortest = 5 * time.Microsecond
)

// wait waits for a call of the network. While it waits for long, it compares the calls of this
// rank with those of other ranks that wait, too: they might wait for each other.
func (w *World) wait(r Request, err error) error {
	if err != nil {
		return err
	}
	var begin time.Time
	asked, pause := false, shortest
	for i := 0; ; i++ {
		done, err := r.Test()
		if done || err != nil {
			return err
		}
		switch {
		case i < spins:
			continue
		case i < yields:
			yield()
			continue
		case i == yields:
			begin = time.Now()
		}
		nap(pause)
		pause = min(2*pause, longest)
		if time.Since(begin) > w.patient {
			var err error
			if !asked {
				asked = true
				err = w.tell(false)
			}
			if err == nil {
				err = w.consult()
			}
			if err == nil {
				err = w.broken()
			}
			if err != nil {
				w.lost = append(w.lost, r)
				return err
			}
		}
	}
}

// tell tells the others which calls this rank has made, and whether it has found that they have made
// others.
func (w *World) tell(diverged bool) error {
	state := make([]byte, stateSize)
	w.state(state)
	if diverged {
		state[flagAt] = 1
	}
	w.tells++
	for other := range w.Size() {
		if other == w.Rank() {
			continue
		}
		r, err := w.control.Isend(state, other, controlTag)
		if err != nil {
			return err
		}
		w.sending = append(w.sending, sending{r, state})
	}
	return nil
}

// consult compares what the others tell.
func (w *World) consult() error {
	me := w.Rank()
	if w.told == nil {
		w.told = map[int]report{}
	}
	for other := range w.Size() {
		if other == me {
			continue
		}
		r := w.told[other]
		if r.request != nil {
			done, err := r.request.Test()
			if err != nil {
				return err
			}
			if !done {
				continue
			}
			r.received++
			e := w.compare(me, other, r.state)
			if e == nil && r.state[flagAt] != 0 {
				e = w.somewhere(other, r.state)
			}
			if e != nil {
				return e
			}
		}
		r.state = make([]byte, stateSize)
		var err error
		if r.request, err = w.control.Irecv(r.state, other, controlTag); err != nil {
			return err
		}
		w.told[other] = r
	}
	return nil
}

// drain receives all states that other ranks have sent, because libraries complain of messages
// that nobody receives.
func (w *World) drain() error {
	w.patient = math.MaxInt64 // all ranks are here
	for other := range w.Size() {
		count := make([]byte, 8)
		binary.LittleEndian.PutUint64(count, w.tells)
		if err := w.wait(w.net.Ibcast(count, other)); err != nil {
			return err
		}
		if other == w.Rank() {
			continue
		}
		r := w.told[other]
		for ; r.received < binary.LittleEndian.Uint64(count); r.received++ {
			if r.request == nil {
				var err error
				if r.request, err = w.control.Irecv(make([]byte, stateSize), other, controlTag); err != nil {
					return err
				}
			}
			if err := w.wait(r.request, nil); err != nil {
				return err
			}
			r.request = nil
		}
		if r.request != nil {
			if err := r.request.Cancel(); err != nil {
				return err
			}
		}
	}
	w.told = nil
	return nil
}
