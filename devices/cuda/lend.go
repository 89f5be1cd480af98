package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// loan is memory that one process lends to another, and events of both.
type loan struct {
	dev      *Device
	buf      *Buffer
	borrowed bool
	own      []*cu.Event // recorded by this process
	others   []*cu.Event // by the other one
	handle   []byte
}

const handleSize = len(cu.IPCHandle{})

// Lend implements driver.Lender.
func (d *Device) Lend(n int64, marks int) (driver.Loan, error) {
	b, err := d.Alloc(n)
	if err != nil {
		return nil, err
	}
	l := &loan{dev: d, buf: b.(*Buffer)}
	h, err := d.ctx.IPCMemHandle(l.buf.ptr)
	if err == nil {
		l.handle = append(binary.LittleEndian.AppendUint64(nil, uint64(n)), h[:]...)
		err = l.makeMarks(marks)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cuda: lending %d bytes: %w", n, err), l.Close())
	}
	return l, nil
}

// Borrow implements driver.Lender.
func (d *Device) Borrow(handle []byte) (driver.Loan, error) {
	if len(handle) < 8+handleSize || len(handle)%handleSize != 8 {
		return nil, fmt.Errorf("cuda: a handle has %d bytes", len(handle))
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	p, err := d.ctx.OpenIPCMem(cu.IPCHandle(handle[8:]))
	if err != nil {
		return nil, fmt.Errorf("cuda: memory of another process: %w", err)
	}
	d.holders.Add(1)
	l := &loan{dev: d, borrowed: true,
		buf: &Buffer{dev: d, ptr: p, n: int64(binary.LittleEndian.Uint64(handle))}}
	marks := handle[8+handleSize:]
	if err = l.Join(marks); err == nil {
		err = l.makeMarks(len(marks) / handleSize)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// makeMarks makes the events of this process.
func (l *loan) makeMarks(n int) error {
	for range n {
		e, err := l.dev.ctx.MakeEvent(cu.EventDisableTiming | cu.EventInterprocess)
		if err != nil {
			return err
		}
		l.own = append(l.own, e)
		h, err := e.IPCHandle()
		if err != nil {
			return err
		}
		l.handle = append(l.handle, h[:]...)
	}
	return nil
}

// Join implements driver.Loan.
func (l *loan) Join(handle []byte) error {
	for ; len(handle) >= handleSize; handle = handle[handleSize:] {
		e, err := l.dev.ctx.OpenIPCEvent(cu.IPCHandle(handle))
		if err != nil {
			return fmt.Errorf("cuda: an event of another process: %w", err)
		}
		l.others = append(l.others, e)
	}
	return nil
}

// Handle implements driver.Loan.
func (l *loan) Handle() []byte { return l.handle }

// Memory implements driver.Loan.
func (l *loan) Memory() driver.Buffer { return l.buf }

// Mark implements driver.Loan.
func (l *loan) Mark(i int) error {
	return l.enqueue(func() error { return l.own[i].Record(l.dev.queue) })
}

// Wait implements driver.Loan.
func (l *loan) Wait(i int) error {
	return l.enqueue(func() error { return l.dev.queue.WaitEvent(l.others[i]) })
}

func (l *loan) enqueue(f func() error) error {
	d := l.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rec != nil {
		return errRecording
	}
	return f()
}

// Err implements driver.Loan.
func (l *loan) Err() error {
	return l.enqueue(func() error {
		_, err := l.own[0].Query()
		return err
	})
}

// Close implements driver.Loan.
func (l *loan) Close() error {
	err := l.destroyMarks()
	switch {
	case !l.borrowed:
		return errors.Join(err, l.buf.Free())
	case l.buf.freed.Swap(true):
		return err
	}
	return errors.Join(err, l.dev.wait(l.buf.use), l.dev.ctx.CloseIPCMem(l.buf.ptr), l.dev.drop())
}

func (l *loan) destroyMarks() error {
	var errs []error
	for _, e := range append(l.own, l.others...) {
		errs = append(errs, e.Destroy())
	}
	l.own, l.others = nil, nil
	return errors.Join(errs...)
}
