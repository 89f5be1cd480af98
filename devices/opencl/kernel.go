package opencl

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Kernel is a program built for a device.
type Kernel struct {
	dev    *Device
	prog   *cl.Program
	kernel *cl.Kernel
	text   [sha256.Size]byte // PoCL only

	// In OpenCL the arguments are part of the kernel, so mu guards setting them
	// and the enqueue that uses them.
	mu            sync.Mutex
	args          []argument
	global, local [1]int
}

// argument is the current value of a parameter. Setting an argument costs more
// than checking whether it has changed, and most stay the same between
// launches.
type argument struct {
	parameter
	set  bool
	buf  uint64 // the ID of a buffer, or 0 for a value
	bits driver.Arg
	data []byte // a value of more than 8 bytes
}

// Launch enqueues the kernel. A launch with no groups does nothing.
func (k *Kernel) Launch(g driver.Grid, args ...driver.Arg) (driver.Event, error) {
	switch {
	case g.Groups == 0:
		return driver.Done, nil
	case g.Groups < 0, g.Lanes < 1, g.Groups > math.MaxInt64/int64(g.Lanes):
		return driver.Done, fmt.Errorf("opencl: %s: cannot launch %d groups of %d work-items",
			k.kernel.Name(), g.Groups, g.Lanes)
	case g.Lanes > k.dev.info.MaxGroup:
		return driver.Done, fmt.Errorf("opencl: %s: groups of %d work-items, but %s allows at most %d",
			k.kernel.Name(), g.Lanes, k.dev.info.Name, k.dev.info.MaxGroup)
	case len(args)+dynamic(g) != len(k.args):
		return driver.Done, fmt.Errorf("opencl: %s: %d arguments for %d parameters",
			k.kernel.Name(), len(args), len(k.args))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if g.Local > 0 {
		if err := k.kernel.SetArgLocal(len(args), g.Local); err != nil {
			return driver.Done, fmt.Errorf("opencl: %s: %d bytes of local memory: %w", k.kernel.Name(), g.Local, err)
		}
	}
	for i := range args {
		if err := k.set(i, &args[i]); err != nil {
			return driver.Done, fmt.Errorf("opencl: %s: argument %d: %w", k.kernel.Name(), i, err)
		}
	}
	k.global[0], k.local[0] = int(g.Groups)*g.Lanes, g.Lanes
	enqueue := func(ev *cl.Event) error {
		return k.dev.queue.EnqueueNDRangeKernel(k.kernel, nil, k.global[:], k.local[:], nil, ev)
	}
	if k.dev.isPocl() {
		return k.dev.poclCommand(loaded{text: k.text, lanes: g.Lanes}, k.global[0], enqueue)
	}
	return k.dev.command(enqueue)
}

// Handle returns the cl_kernel.
func (k *Kernel) Handle() uintptr { return k.kernel.Handle() }

// dynamic returns the number of parameters for local memory, 0 or 1.
func dynamic(g driver.Grid) int { return min(g.Local, 1) }

// set sets parameter i unless it already has the value.
func (k *Kernel) set(i int, a *driver.Arg) error {
	p := &k.args[i]
	if err := p.accepts(a.Buf != nil, a.Size); err != nil {
		return err
	}
	if a.Buf != nil {
		return k.setBuffer(i, p, a.Buf)
	}
	v := a.Bytes()
	if p.set && p.buf == 0 && bytes.Equal(p.value(), v) {
		return nil
	}
	p.set, p.buf = false, 0
	if len(v) > 8 {
		p.data = append(p.data[:0], v...)
	} else {
		p.data, p.bits = nil, driver.Arg{Bits: a.Bits, Size: a.Size}
	}
	err := k.kernel.SetArgBytes(i, p.value())
	p.set = err == nil
	return err
}

// value returns the bytes of an argument that is not a buffer.
func (p *argument) value() []byte {
	if p.data != nil {
		return p.data
	}
	return p.bits.Bytes()
}

func (k *Kernel) setBuffer(i int, p *argument, buf driver.Buffer) error {
	b, ok := buf.(*Buffer)
	switch {
	case !ok || b.dev != k.dev:
		return fmt.Errorf("a buffer of another device (%T)", buf)
	case b.freed.Load():
		return errors.New("a freed buffer")
	case p.set && p.buf == b.id:
		return nil
	}
	p.set, p.buf = false, b.id
	err := k.kernel.SetArgBuffer(i, b.mem)
	p.set = err == nil
	return err
}

// Close releases the kernel. Running launches still finish.
func (k *Kernel) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return errors.Join(k.kernel.Release(), k.prog.Release())
}
