package mpi

import (
	"encoding/binary"
	"errors"

	"github.com/skelgo/skelgo/devices/driver"
)

// A lane is memory that a device lends to a device of another rank on the same machine. A copy between
// them goes through it in pieces: the first device copies a piece into a slot of the lane and says so, the other one
// copies it out and says so. Both only enqueue the copies, so no rank waits for its device.
type lane struct {
	loan    driver.Loan // nil before the first copy, and if there is none
	refused bool        // copies are messages
	pieces  uint64      // that were copied into the lane
	acked   uint64      // and out of it, as far as the sender knows
}

// route is a pair of devices.
type route struct{ from, to *Device }

const (
	slots      = 4
	handleSize = 512 // of what is sent of a handle: its length in two bytes, and the handle
)

// slotSize is the number of bytes of a piece.
var slotSize int64 = 8 << 20

var errBroken = errors.New("mpi: the copy was ended by an error on the rank that it comes from")

func putHandle(p, handle []byte) {
	binary.LittleEndian.PutUint16(p, uint16(len(handle)))
	copy(p[2:], handle)
}

// handleIn returns the handle that putHandle has put into p, or nil.
func handleIn(p []byte) []byte {
	n := int(binary.LittleEndian.Uint16(p))
	if n == 0 || n > len(p)-2 {
		return nil
	}
	return p[2 : 2+n]
}

// lane returns the lane from a device to another one.
func (w *World) lane(from, to *Device) *lane {
	if w.lanes == nil {
		w.lanes, w.owed = map[route]*lane{}, map[int][]*lane{}
	}
	r := route{from, to}
	if w.lanes[r] == nil {
		possible := from.lends && to.lends && !w.played && w.machines[from.owner] == w.machines[to.owner]
		w.lanes[r] = &lane{refused: !possible}
	}
	return w.lanes[r]
}

// give gives n bytes of s to another rank.
func (w *World) give(l *lane, to int, s *Buffer, from, n int64) error {
	failed := s.unreadable()
	if l.loan == nil && !l.refused {
		if failed != nil {
			return w.sendHead(to, nil, failed)
		}
		if err := w.offer(l, to, s.dev); err != nil {
			return err
		}
	}
	if l.loan == nil {
		return w.giveBytes(to, s, from, n, failed)
	}
	if failed == nil {
		failed = l.loan.Err()
	}
	for done := int64(0); ; {
		m := min(n-done, slotSize)
		slot := int(l.pieces % slots)
		if failed == nil && l.pieces >= slots {
			for l.acked+slots <= l.pieces { // until the slot is free
				if err := w.acknowledged(to); err != nil {
					return err
				}
			}
			failed = l.loan.Wait(slot)
		}
		if failed == nil {
			_, failed = l.loan.Memory().Copy(int64(slot)*slotSize, s.raw, from+done, m)
		}
		if failed == nil {
			failed = l.loan.Mark(slot)
		}
		var err error
		switch {
		case done == 0:
			err = w.sendHead(to, nil, failed)
		case failed != nil:
			err = w.isend([]byte{1}, to, pieceTag)
			s.dev.Keep(failed)
		default:
			err = w.isend([]byte{0}, to, pieceTag)
		}
		if err != nil || failed != nil {
			return err
		}
		l.pieces++
		w.owed[to] = append(w.owed[to], l)
		if done += m; done >= n {
			return nil
		}
	}
}

// take is the other side of give.
func (w *World) take(l *lane, at int, b *Buffer, off, n int64) (failed, err error) {
	if l.loan == nil && !l.refused {
		if failed, err = w.accept(l, at, b.dev); failed != nil || err != nil {
			return failed, err
		}
	}
	if l.loan == nil {
		return w.takeBytes(at, b, off, n)
	}
	if failed, err = w.receiveHead(at, nil); failed != nil || err != nil {
		return failed, err
	}
	for done := int64(0); ; {
		m := min(n-done, slotSize)
		slot := int(l.pieces % slots)
		if e := l.loan.Wait(slot); failed == nil {
			failed = e
		}
		if failed == nil && !b.missing() {
			_, failed = b.raw.Copy(off+done, l.loan.Memory(), int64(slot)*slotSize, m)
		}
		if e := l.loan.Mark(slot); failed == nil {
			failed = e
		}
		l.pieces++
		if err := w.isend([]byte{0}, at, ackTag); err != nil {
			return failed, err
		}
		if done += m; done >= n {
			return failed, w.sent(false)
		}
		broken := []byte{0}
		if err := w.wait(w.net.Irecv(broken, at, pieceTag)); err != nil {
			return failed, err
		}
		if broken[0] != 0 {
			return firstError(failed, errBroken), nil
		}
	}
}

// The outcomes of an offer.
const (
	laneRefused = iota
	laneOpen
	laneLater // there is no memory now
)

// offer lends memory to another rank, which may refuse it.
func (w *World) offer(l *lane, to int, d *Device) error {
	handle, reply, outcome := make([]byte, handleSize), make([]byte, handleSize), []byte{laneRefused}
	loan, err := d.local.(driver.Lender).Lend(slots*slotSize, slots)
	switch {
	case errors.Is(err, driver.ErrMemory):
		outcome[0] = laneLater
	case err == nil && 2+len(loan.Handle()) <= handleSize:
		putHandle(handle, loan.Handle())
	}
	if err := w.sendHead(to, handle, nil); err != nil {
		return err
	}
	if err := w.wait(w.net.Irecv(reply, to, replyTag)); err != nil {
		return err
	}
	switch theirs := handleIn(reply); {
	case loan == nil:
	case theirs == nil:
		_ = loan.Close() // a copy by a message needs nothing of it
	case loan.Join(theirs) == nil: // otherwise the loan stays, because the other process has it open
		outcome[0], l.loan = laneOpen, loan
	}
	l.refused = outcome[0] == laneRefused
	return w.isend(outcome, to, pieceTag) // the other side must know
}

// accept is the other side of offer. It returns the error that the other rank sends instead.
func (w *World) accept(l *lane, at int, d *Device) (failed, err error) {
	handle, reply, outcome := make([]byte, handleSize), make([]byte, handleSize), make([]byte, 1)
	if failed, err = w.receiveHead(at, handle); failed != nil || err != nil {
		return failed, err
	}
	var loan driver.Loan
	if theirs := handleIn(handle); theirs != nil {
		if loan, err = d.local.(driver.Lender).Borrow(theirs); err == nil {
			putHandle(reply, loan.Handle())
		}
	}
	if err := w.isend(reply, at, replyTag); err != nil {
		return nil, err
	}
	if err := w.wait(w.net.Irecv(outcome, at, pieceTag)); err != nil {
		return nil, err
	}
	switch {
	case outcome[0] == laneOpen:
		l.loan = loan
	case loan != nil:
		_ = loan.Close()
	}
	l.refused = outcome[0] == laneRefused
	return nil, nil
}

// acknowledged waits until a rank has enqueued the copy of a further piece out of a lane.
func (w *World) acknowledged(by int) error {
	if err := w.wait(w.net.Irecv(make([]byte, 1), by, ackTag)); err != nil {
		return err
	}
	l := w.owed[by][0]
	w.owed[by] = w.owed[by][1:]
	l.acked++
	return nil
}

// settleLanes receives what others have sent about lanes. The lanes stay until the process ends: memory
// and marks must not be released while the other process has them open.
func (w *World) settleLanes() error {
	for by := range w.Size() {
		for len(w.owed[by]) > 0 {
			if err := w.acknowledged(by); err != nil {
				return err
			}
		}
	}
	return nil
}

// broken returns the error of a device of this rank that has lanes. The queue of the other rank's device
// waits for a mark that it will not make, and that rank for the queue, so that neither would
// ever tell.
func (w *World) broken() error {
	for _, l := range w.lanes {
		if l.loan != nil {
			if err := l.loan.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}
