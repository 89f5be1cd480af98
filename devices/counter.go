package devices

import (
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// counter is a word of device memory that lives as long as the device.
type counter struct {
	mu  sync.Mutex
	buf driver.Buffer
}

// Counter is the argument of a kernel whose last group finishes the work of
// all: a 32-bit word that is zero when a kernel starts and that the kernel
// leaves at zero. The launches of a device run in order, so they share it.
func (d *Device) Counter() (driver.Arg, error) {
	c := &d.counter
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf == nil {
		b, err := d.dev.Alloc(minClass)
		if err != nil {
			return driver.Arg{}, fmt.Errorf("%s: counter: %w", d.id, err)
		}
		if err := wait(b.Write(0, make([]byte, minClass))); err != nil {
			return driver.Arg{}, fmt.Errorf("%s: counter: %w", d.id, errors.Join(err, b.Free()))
		}
		c.buf = b
	}
	return driver.Memory(c.buf), nil
}

func (c *counter) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf == nil {
		return nil
	}
	err := c.buf.Free()
	c.buf = nil
	return err
}
