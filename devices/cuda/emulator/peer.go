package emulator

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/skelgo/skelgo/devices/driver"
)

// CopyPeer copies n bytes from byte offset from of a buffer of another emulated
// device, as GPUs copy to each other.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok {
		return driver.Done, fmt.Errorf("emulator: copy from a buffer of another driver (%T): %w", src, driver.ErrNoPeer)
	}
	if s.dev == b.dev {
		return b.Copy(off, src, from, n)
	}
	first, second := b.dev, s.dev // always in the same order: otherwise two copies could deadlock
	if uintptr(unsafe.Pointer(second)) < uintptr(unsafe.Pointer(first)) {
		first, second = second, first
	}
	return driver.Done, first.atOnce("copy between devices", func() error {
		return second.atOnce("copy between devices", func() error {
			if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil {
				return err
			}
			copy(b.mem[off:][:n], s.mem[from:])
			return nil
		})
	})
}
