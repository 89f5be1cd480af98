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
	slot    int64       // bytes of a piece
}

// route is a pair of devices.
type route struct{ from, to *Device }

const (
	slots      = 3
	handleSize = 512 // of what is sent of a handle: its length in two bytes, and the handle
)

// slotSize is the largest number of bytes of a piece. Each piece has a fixed cost, about what the copy of 4 MiB takes.
var slotSize int64 = 32 << 20

// slotOf returns the number of bytes of a piece of lanes from d: less on a device that has little memory.
func slotOf(d *Device) int64 { return min(slotSize, max(4<<20, d.info.Memory>>11)&^(1<<20-1)) }

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

// near reports whether a lane between two devices is possible. All ranks know.
func (w *World) near(from, to *Device) bool {
	return from.lends && to.lends && !w.played && w.machines[from.owner] == w.machines[to.owner]
}

// openLane returns the lane from a device to another one, one of which is of this rank; nil if there is none.
func (w *World) openLane(from, to *Device) (*lane, error) {
	if w.lanes == nil {
		w.lanes, w.owed = map[route]*lane{}, map[int][]*lane{}
	}
	r := route{from, to}
	l := w.lanes[r]
	if l == nil {
		l = &lane{refused: !w.near(from, to), slot: slotOf(from)}
		w.lanes[r] = l
	}
	var err error
	switch {
	case l.loan != nil || l.refused:
	case from.owner == w.Rank():
		err = w.offer(l, to.owner, from)
	default:
		err = w.accept(l, from.owner, to)
	}
	if l.loan == nil || err != nil {
		return nil, err
	}
	return l, nil
}

// givePiece copies the next piece into the lane, and says so. The message of the first piece has the state of this
// rank, or why the copy fails.
func (w *World) givePiece(x *passage) error {
	l, to, i := x.lane, x.Dst.dev.owner, x.next
	x.next++
	slot := int(l.pieces % slots)
	if i == 0 {
		x.failed = firstError(x.Src.unreadable(), l.loan.Err())
	}
	if x.failed == nil && l.pieces >= slots {
		for l.acked+slots <= l.pieces { // until the slot is free
			if err := w.acknowledged(to); err != nil {
				return err
			}
		}
		x.failed = l.loan.Wait(slot)
	}
	if x.failed == nil {
		_, x.failed = l.loan.Memory().Copy(int64(slot)*l.slot, x.Src.raw, x.From+i*l.slot, x.pieceSize(i))
	}
	if x.failed == nil {
		x.failed = l.loan.Mark(slot)
	}
	x.ended = x.failed != nil
	if !x.ended {
		l.pieces++
		w.owed[to] = append(w.owed[to], l)
	}
	switch {
	case i == 0:
		return w.sendHead(to, nil, x.failed)
	case x.ended:
		x.Src.dev.Keep(x.failed)
		return w.isend([]byte{1}, to, pieceTag)
	}
	return w.isend([]byte{0}, to, pieceTag)
}

// takePiece is the other side of givePiece. It goes on after an error of this side, because the other side does.
func (w *World) takePiece(x *passage) error {
	l, at, i := x.lane, x.Src.dev.owner, x.next
	x.next++
	if i == 0 {
		failed, err := w.receiveHead(at, nil)
		if failed != nil || err != nil {
			x.failed, x.ended = failed, true
			return err
		}
	} else {
		ended := []byte{0}
		if err := w.wait(w.net.Irecv(ended, at, pieceTag)); err != nil {
			return err
		}
		if ended[0] != 0 {
			x.failed, x.ended = firstError(x.failed, errBroken), true
			return nil
		}
	}
	slot := int(l.pieces % slots)
	err := l.loan.Wait(slot)
	x.failed = firstError(x.failed, err)
	if x.failed == nil && !x.Dst.missing() {
		_, x.failed = x.Dst.raw.Copy(x.Off+i*l.slot, l.loan.Memory(), int64(slot)*l.slot, x.pieceSize(i))
	}
	err = l.loan.Mark(slot)
	x.failed = firstError(x.failed, err)
	l.pieces++
	return w.isend([]byte{0}, at, ackTag)
}

// pieceSize returns the number of bytes of piece i.
func (x *passage) pieceSize(i int64) int64 { return min(x.N-i*x.lane.slot, x.lane.slot) }

// The outcomes of an offer.
const (
	laneRefused = iota
	laneOpen
	laneLater // there is no memory now
)

// offer lends memory to another rank, which may refuse it.
func (w *World) offer(l *lane, to int, d *Device) error {
	handle, reply, outcome := make([]byte, handleSize), make([]byte, handleSize), []byte{laneRefused}
	loan, err := d.local.(driver.Lender).Lend(slots*l.slot, slots)
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

// accept is the other side of offer.
func (w *World) accept(l *lane, at int, d *Device) error {
	handle, reply, outcome := make([]byte, handleSize), make([]byte, handleSize), make([]byte, 1)
	if _, err := w.receiveHead(at, handle); err != nil { // never an error in its place
		return err
	}
	var loan driver.Loan
	var err error
	if theirs := handleIn(handle); theirs != nil {
		if loan, err = d.local.(driver.Lender).Borrow(theirs); err == nil {
			putHandle(reply, loan.Handle())
		}
	}
	if err := w.isend(reply, at, replyTag); err != nil {
		return err
	}
	if err := w.wait(w.net.Irecv(outcome, at, pieceTag)); err != nil {
		return err
	}
	switch {
	case outcome[0] == laneOpen:
		l.loan = loan
	case loan != nil:
		_ = loan.Close()
	}
	l.refused = outcome[0] == laneRefused
	return nil
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
