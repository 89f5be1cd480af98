package devices_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// TestGarbageLimitIgnoresReuse lets a program take from the pool what a collection has just
// returned, before the collection ends. The next one must not wait for more garbage for that.
func TestGarbageLimitIgnoresReuse(t *testing.T) {
	const (
		n, each = 30, 1 << 20 // too few to request a collection
		kept    = 3
		memory  = 480 << 20
	)
	d, _ := fake(t, drivertest.Options{Memory: memory})
	var live []*devices.Buffer
	for range kept {
		live = append(live, alloc(t, d, each))
	}
	type container struct{ b *devices.Buffer }
	var dropped atomic.Int64
	refilled := make(chan []*devices.Buffer, 1)
	var containers []*container
	for range n {
		c := &container{alloc(t, d, each)}
		runtime.SetFinalizer(c, func(c *container) {
			c.b.Free()
			if dropped.Add(1) < n {
				return
			}
			var again []*devices.Buffer
			for range n {
				b, err := d.Alloc(each)
				if err != nil {
					t.Error(err)
					break
				}
				again = append(again, b)
			}
			refilled <- again
		})
		containers = append(containers, c)
	}
	runtime.KeepAlive(containers) // not collected before
	ask := devices.Collect(d)
	select {
	case again := <-refilled:
		live = append(live, again...)
	default:
		t.Fatalf("%d of %d buffers were collected", dropped.Load(), n)
	}
	if want := int64(kept*each + memory/12); ask != want {
		t.Errorf("the next collection is requested above %d bytes, want %d", ask, want)
	}
	for _, b := range live {
		b.Free()
	}
}
