package devices

import (
	"encoding/binary"

	"github.com/skelgo/skelgo/devices/driver"
)

// Checked mode finds elements of out-views that two elements of the input write. Device
// code keeps a 32-bit word for every element of an out-view, its owner: 0, or 1 more than
// the position of the element of the input that has written it. The words follow the
// report, so that a kernel needs no further argument.

// watched is SKEL_WATCHED of the prelude: the most out-views of a launch that have owners.
const watched = 15

// reportHead is the size of the report with the offsets of the owners of each out-view.
const reportHead = reportSize + 8*watched

// prepare empties the report, and the owners of out-views with the given numbers of
// elements.
func (c *checker) prepare(d *Device, writes []int64) error {
	head := make([]byte, reportHead)
	words := int64(reportHead / 4)
	for k, n := range writes[:min(len(writes), watched)] {
		if n > 0 {
			binary.NativeEndian.PutUint64(head[reportSize+8*k:], uint64(words))
			words += n
		}
	}
	if c.report == nil || c.report.Len() < 4*words {
		if c.report != nil {
			if err := c.report.Free(); err != nil {
				return err
			}
			c.report = nil
		}
		b, err := d.pool.fresh(4 * words)
		if err != nil {
			return err
		}
		c.report = b
	}
	if owners := words - reportHead/4; owners > 0 {
		if err := d.zeroRange(c.report, reportHead, 4*owners); err != nil {
			return err
		}
	}
	d.gate.RLock()
	defer d.gate.RUnlock()
	return wait(c.report.Write(0, head))
}

// zeroRange clears n bytes of b from off on.
func (d *Device) zeroRange(b driver.Buffer, off, n int64) error {
	d.gate.RLock()
	defer d.gate.RUnlock()
	if c, ok := b.(driver.Clearer); ok {
		return wait(c.Clear(off, n))
	}
	return wait(b.Write(off, make([]byte, n)))
}
