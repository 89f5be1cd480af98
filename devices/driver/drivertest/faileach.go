package drivertest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// FailEach runs work on fakes with the same options: once to count its calls,
// and once for every call, which is made to fail. Each time the work must end
// soon, return an error that names the device and wraps the injected one, and
// leave no buffer allocated. The work must close what it opens.
func FailEach(t *testing.T, opt Options, work func(f *Fake) error) {
	t.Helper()
	count := NewFake(opt)
	if err := run(count, work); err != nil {
		t.Fatalf("with no call failing: %v", err)
	}
	if n, bytes := count.Live(); n != 0 {
		t.Fatalf("with no call failing: %d buffers of %d bytes left", n, bytes)
	}
	for _, op := range []Op{Alloc, Write, Read, Copy, Build, Launch, Sync, Close} {
		injected := ErrInjected
		times := 1
		if op == Alloc { // allocations are retried, so all later ones fail as well
			injected, times = fmt.Errorf("%w: %w", ErrInjected, driver.ErrMemory), 1<<30
		}
		for n := 1; n <= count.Count(op); n++ {
			t.Run(fmt.Sprintf("%s %d", op, n), func(t *testing.T) {
				f := NewFake(opt)
				f.FailAt(op, n, times, injected)
				err := run(f, work)
				switch {
				case err == nil:
					t.Error("no error")
				case !errors.Is(err, ErrInjected):
					t.Errorf("the error does not wrap the injected one: %v", err)
				case !strings.Contains(err.Error(), f.Name()):
					t.Errorf("the error does not name the device: %v", err)
				}
				if n, bytes := f.Live(); n != 0 {
					t.Errorf("%d buffers of %d bytes left", n, bytes)
				}
			})
		}
	}
}

// run runs the work and fails if it takes too long.
func run(f *Fake, work func(f *Fake) error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("panic: %v", v)
			}
		}()
		done <- work(f)
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		return errors.New("the work did not end")
	}
}
