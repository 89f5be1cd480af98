package devices

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// kernelCache holds the kernels built for a device. If many goroutines ask for
// the same new kernel, one builds it and the others wait.
type kernelCache struct {
	mu      sync.RWMutex
	kernels map[kernelKey]*build
}

type kernelKey struct {
	key, name string
	checked   bool
}

type build struct {
	done   chan struct{} // closed when kernel and err are set
	kernel driver.Kernel
	err    error
}

// Built caches the kernels of one Launch.Key, which saves the search by key.
// The zero value is an empty cache.
type Built struct{ kernels atomic.Pointer[[]builtOn] }

type builtOn struct {
	dev     *Device
	checked bool
	kernel  driver.Kernel
}

// maxBuilt is the maximum number of kernels in a Built, including those of
// closed devices.
const maxBuilt = 16

func (b *Built) on(d *Device, checked bool) driver.Kernel {
	if b == nil {
		return nil
	}
	if all := b.kernels.Load(); all != nil {
		for i := range *all {
			if k := &(*all)[i]; k.dev == d && k.checked == checked {
				return k.kernel
			}
		}
	}
	return nil
}

// keep adds a kernel. If concurrent calls overwrite it, the kernel is found by
// its key again.
func (b *Built) keep(d *Device, checked bool, k driver.Kernel) {
	if b == nil || k == nil {
		return
	}
	now := []builtOn{{d, checked, k}}
	if all := b.kernels.Load(); all != nil {
		now = append(now, (*all)[:min(len(*all), maxBuilt-1)]...)
	}
	b.kernels.Store(&now)
}

// kernel returns the kernel of a launch, from the caches or newly built.
func (d *Device) kernel(l *Launch, checked bool) (driver.Kernel, error) {
	if d.base != nil {
		d = d.base
	}
	if k := l.Built.on(d, checked); k != nil {
		return k, nil
	}
	k, err := d.kernels.get(d, l, checked)
	if err == nil {
		l.Built.keep(d, checked, k)
	}
	return k, err
}

// get returns the kernel of a launch and builds it if necessary. It does not
// keep a failed build, so the next launch tries again.
func (c *kernelCache) get(d *Device, l *Launch, checked bool) (driver.Kernel, error) {
	key := kernelKey{l.Key, l.Name, checked}
	c.mu.RLock()
	b := c.kernels[key]
	c.mu.RUnlock()
	if b == nil {
		c.mu.Lock()
		if b = c.kernels[key]; b == nil {
			b = &build{done: make(chan struct{})}
			if c.kernels == nil {
				c.kernels = map[kernelKey]*build{}
			}
			c.kernels[key] = b
			c.mu.Unlock()
			c.fill(d, key, b, l)
			return b.kernel, b.err
		}
		c.mu.Unlock()
	}
	<-b.done
	return b.kernel, b.err
}

// fill builds the kernel and wakes the waiting goroutines, even if the function
// that returns the text panics.
func (c *kernelCache) fill(d *Device, key kernelKey, b *build, l *Launch) {
	b.err = d.errorf(l, "the build was abandoned")
	defer func() {
		if b.err != nil {
			c.mu.Lock()
			delete(c.kernels, key)
			c.mu.Unlock()
		}
		close(b.done)
	}()
	b.kernel, b.err = d.build(l, key.checked)
}

// build builds a kernel or loads it from the cache on disk.
func (d *Device) build(l *Launch, checked bool) (driver.Kernel, error) {
	if l.C == nil {
		return nil, d.errorf(l, "the kernel has no device form (run go generate in the package of its function)")
	}
	p := driver.Program{Name: l.Name, C: l.C(), Checked: checked}
	start := time.Now()
	defer func() {
		took := time.Since(start)
		d.stats.buildTime.Add(int64(took))
		if t := tracer(); t != nil {
			t.span(hostLane, "build", "build "+l.label(), start, took, spanArgs{bytes: int64(len(p.C))})
		}
	}()
	if err := d.dump(l, &p); err != nil {
		return nil, d.errorf(l, "%w", err)
	}
	file := d.cacheFile(&p)
	if p.Binary = file.load(); p.Binary != nil {
		k, err := d.compile(p)
		if err == nil {
			d.stats.cacheHits.Add(1)
			return k, nil
		}
		file.remove() // made for another version: build it again
		p.Binary = nil
	}
	defer d.buildStarted(l.label())()
	k, err := d.compile(p)
	if err != nil {
		return nil, d.errorf(l, "%w", err)
	}
	d.stats.builds.Add(1)
	if bin, ok := k.(driver.Binary); ok && file != "" {
		if data, err := bin.Binary(); err == nil {
			file.store(data)
		}
	}
	return k, nil
}

func (d *Device) compile(p driver.Program) (driver.Kernel, error) {
	d.gate.RLock()
	defer d.gate.RUnlock()
	return d.dev.Build(p)
}

// close closes all kernels.
func (c *kernelCache) close() error {
	c.mu.Lock()
	kernels := c.kernels
	c.kernels = nil
	c.mu.Unlock()
	var errs []error
	for _, b := range kernels {
		<-b.done
		if b.kernel != nil {
			if err := b.kernel.Close(); err != nil {
				errs = append(errs, fmt.Errorf("closing a kernel: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}
