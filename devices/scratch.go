package devices

import (
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

// scratch holds memory that the kernels of a device share, which is possible
// because they run in order. It lives as long as the device; outgrown memory
// stays as well because recordings may use it.
type scratch struct {
	mu         sync.Mutex
	buf        driver.Buffer
	persistent map[string]driver.Buffer
	counter    driver.Buffer // persistent["counter"], which every reduction uses
	all        []driver.Buffer
}

// Scratch returns the argument of a kernel that needs at least the given number
// of bytes of working memory. The contents are unspecified when the kernel
// begins and are lost when it ends because the launches of a device share the
// memory. It grows by doubling, so allocations are rare.
func (d *Device) Scratch(bytes int64) (driver.Arg, error) {
	s := &d.scratch
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buf == nil || s.buf.Len() < bytes {
		least := int64(minScratch)
		if s.buf != nil {
			least = 2 * s.buf.Len()
		}
		b, err := d.keepFresh(max(bytes, least), bytes)
		if err != nil {
			return driver.Arg{}, err
		}
		neutral(b)
		s.buf = b
	}
	return driver.Memory(s.buf), nil
}

// neutral tells a page that calls which change a buffer can be left out without harm to others.
func neutral(b driver.Buffer) {
	if v, ok := b.(*paged.Buffer); ok {
		v.Neutral()
	}
}

const minScratch = 64 << 10

// Persistent returns the argument of kernels that pass data to later kernels in
// memory: at least the given number of bytes, shared by all launches with this
// name, and zero at first. Asking for more bytes than ever before makes all of
// them zero again. A launch must not need what a certain earlier one has left,
// because pages leave out launches whose results nothing needs.
func (d *Device) Persistent(name string, bytes int64) (driver.Arg, error) {
	s := &d.scratch
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.persistent[name]
	if b == nil || b.Len() < bytes {
		least := int64(minClass)
		if b != nil {
			least = 2 * b.Len()
		}
		var err error
		if b, err = d.keepFresh(max(bytes, least), bytes); err != nil {
			return driver.Arg{}, fmt.Errorf("%w (for %s)", err, name)
		}
		if err := d.zero(b); err != nil {
			return driver.Arg{}, fmt.Errorf("%s: clearing %s for %s: %w", d.id, size(b.Len()), name, err)
		}
		if s.persistent == nil {
			s.persistent = map[string]driver.Buffer{}
		}
		neutral(b)
		s.persistent[name] = b
	}
	return driver.Memory(b), nil
}

// Counter returns the argument of a kernel whose last group finishes the work
// of all groups: a 32-bit word that is zero when a kernel starts and that the
// kernel must reset to zero. Launches of a device run in order and share it.
func (d *Device) Counter() (driver.Arg, error) {
	s := &d.scratch
	s.mu.Lock()
	b := s.counter
	s.mu.Unlock()
	if b != nil {
		return driver.Memory(b), nil
	}
	arg, err := d.Persistent("counter", 4)
	if err == nil {
		s.mu.Lock()
		s.counter = arg.Buf
		s.mu.Unlock()
	}
	return arg, err
}

// keepFresh allocates wish bytes that live until Close, or fewer but at least
// least bytes if memory is short.
func (d *Device) keepFresh(wish, least int64) (driver.Buffer, error) {
	if err := d.usable("allocation"); err != nil {
		return nil, err
	}
	b, err := d.pool.allocate(wish)
	if err != nil && errors.Is(err, driver.ErrMemory) && least < wish {
		b, err = d.pool.allocate(least)
	}
	if err != nil && d.keeps() {
		b, err = d.joint.Without(wish, err)
	}
	if err != nil {
		return nil, err
	}
	d.scratch.all = append(d.scratch.all, b)
	d.stats.alloc(b.Len())
	return b, nil
}

// zero clears a buffer of the driver.
func (d *Device) zero(b driver.Buffer) error { return d.zeroRange(b, 0, b.Len()) }

func (s *scratch) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, b := range s.all {
		errs = append(errs, b.Free())
	}
	s.buf, s.persistent, s.counter, s.all = nil, nil, nil, nil
	return errors.Join(errs...)
}
