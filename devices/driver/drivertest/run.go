package drivertest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Run tests that a device behaves as package driver specifies. It leaves the
// device open and frees everything that it allocated.
func Run(t *testing.T, dev driver.Device) {
	s := suite{dev: dev}
	_, fake := dev.(*FakeDevice)
	t.Run("Info", s.info)
	t.Run("Transfers", s.transfers)
	t.Run("BadRanges", s.badRanges)
	t.Run("CopyInOneBuffer", s.copyInOneBuffer)
	t.Run("Memory", s.memory)
	t.Run("DoubleFree", s.doubleFree)
	t.Run("Events", s.events)
	t.Run("Launch", s.launch)
	t.Run("Order", s.order)
	t.Run("Scalars", s.scalars)
	t.Run("ArgumentsAreCopied", s.argumentsAreCopied)
	t.Run("Goroutines", s.goroutines)
	t.Run("Clear", s.clear)
	t.Run("Fetch", s.fetches)
	t.Run("ShortWrites", s.shortWrites)
	t.Run("Recordings", s.recordings)
	t.Run("Leaks", s.leaks)
	switch {
	case dev.Info().Native:
		t.Run("NativePanic", s.nativePanic)
	case !fake:
		t.Run("Geometry", s.geometry)
		t.Run("LocalMemory", s.localMemory)
		t.Run("BuildErrors", s.buildErrors)
		t.Run("LaunchErrors", s.launchErrors)
		t.Run("Binary", s.binary)
		t.Run("Checked", s.checked)
	}
}

type suite struct{ dev driver.Device }

func (s suite) info(t *testing.T) {
	i := s.dev.Info()
	if i.Name == "" || i.Platform == "" || i.Version == "" {
		t.Errorf("no name, platform or version: %+v", i)
	}
	if i.Units < 1 || i.MaxGroup < 1 {
		t.Errorf("%d units, groups of at most %d", i.Units, i.MaxGroup)
	}
	if i.Memory <= 0 || i.MaxAlloc <= 0 || i.MaxAlloc > i.Memory {
		t.Errorf("%d bytes of memory, at most %d in one buffer", i.Memory, i.MaxAlloc)
	}
}

// transfers writes, copies and reads back, with odd sizes and offsets.
func (s suite) transfers(t *testing.T) {
	large := min(32<<20, s.dev.Info().Memory/256) + 13
	for _, n := range []int64{1, 2, 3, 7, 16, 63, 64, 65, 255, 256, 257, 4095, 4097, 1<<20 + 1, large} {
		src := pattern(n)
		a, b := s.alloc(t, n), s.alloc(t, n)
		if a.Len() != n {
			t.Fatalf("a buffer of %d bytes has length %d", n, a.Len())
		}
		must(t, "write")(a.Write(0, src))
		must(t, "copy")(b.Copy(0, a, 0, n))
		s.want(t, b, 0, src)
		lo, hi := n/3, n-n/5
		must(t, "write")(b.Write(lo, make([]byte, hi-lo)))
		must(t, "copy")(b.Copy(lo, a, 0, hi-lo))
		s.want(t, b, lo, src[:hi-lo])
		s.want(t, b, hi, src[hi:])
		s.want(t, b, 0, src[:lo])
	}
	a := s.alloc(t, 16)
	must(t, "write of nothing")(a.Write(16, nil))
	must(t, "read of nothing")(a.Read(16, nil))
	must(t, "copy of nothing")(a.Copy(16, a, 0, 0))
	if b, err := s.dev.Alloc(0); err == nil { // a device may refuse it
		if err := b.Free(); err != nil {
			t.Error("free of an empty buffer:", err)
		}
	}
}

func (s suite) badRanges(t *testing.T) {
	a, b := s.alloc(t, 64), s.alloc(t, 64)
	p := make([]byte, 65)
	fails(t, "write past the end")(a.Write(0, p))
	fails(t, "write past the end")(a.Write(60, p[:5]))
	fails(t, "write before the beginning")(a.Write(-1, p[:2]))
	fails(t, "write at a huge offset")(a.Write(math.MaxInt64, p[:2]))
	fails(t, "read past the end")(a.Read(0, p))
	fails(t, "read before the beginning")(a.Read(-8, p[:16]))
	fails(t, "copy past the end")(a.Copy(1, b, 0, 64))
	fails(t, "copy from past the end")(a.Copy(0, b, 1, 64))
	fails(t, "copy of a negative length")(a.Copy(0, b, 0, -1))
	fails(t, "copy from a huge offset")(a.Copy(0, b, math.MaxInt64, 2))
}

// copyInOneBuffer copies between adjacent and between overlapping ranges.
func (s suite) copyInOneBuffer(t *testing.T) {
	a := s.alloc(t, 1024)
	src := pattern(1024)
	must(t, "write")(a.Write(0, src))
	must(t, "copy")(a.Copy(512, a, 0, 512))
	s.want(t, a, 512, src[:512])
	s.want(t, a, 0, src[:512])
	fails(t, "copy that overlaps")(a.Copy(4, a, 0, 512))
	fails(t, "copy that overlaps")(a.Copy(0, a, 4, 512))
}

// memory allocates more than the device has.
func (s suite) memory(t *testing.T) {
	for _, n := range []int64{1 << 60, math.MaxInt64, s.dev.Info().Memory + 1} {
		b, err := s.dev.Alloc(n)
		if err == nil {
			_ = b.Free()
			t.Fatalf("allocated a buffer of %d bytes on a device with %d", n, s.dev.Info().Memory)
		}
		if !errors.Is(err, driver.ErrMemory) {
			t.Errorf("the error does not wrap driver.ErrMemory: %v", err)
		}
	}
	if b, err := s.dev.Alloc(-1); err == nil {
		_ = b.Free()
		t.Error("Alloc(-1) succeeded")
	}
	s.want(t, s.filled(t, 1000, 5), 0, driver.Bytes(ramp(1000, 5))) // the device still works
}

func (s suite) doubleFree(t *testing.T) {
	b, err := s.dev.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Free(); err != nil {
		t.Error("free:", err)
	}
	if b.Free() == nil {
		t.Error("a second Free returned no error")
	}
}

// leaks allocates and frees, and checks that the memory comes back: by the
// device's count of free memory or, if it has none, by allocating more in total
// than the device has. Other programs may allocate meanwhile, so only memory
// that is missing every time is a leak.
func (s suite) leaks(t *testing.T) {
	n := min(s.dev.Info().Memory/16, s.dev.Info().MaxAlloc, 256<<20)
	count, counts := s.dev.(driver.FreeMemory)
	if !counts {
		s.allocate(t, n, 2*s.dev.Info().Memory/n+10)
		return
	}
	var gone int64
	for try := range 8 {
		before := count.FreeMemory()
		s.allocate(t, n, 10)
		if gone = before - count.FreeMemory(); gone < n {
			return
		}
		time.Sleep(time.Duration(try) * 100 * time.Millisecond)
	}
	t.Errorf("%d bytes leaked, after 10 buffers of %d", gone, n)
}

// allocate allocates and frees a buffer of n bytes the given number of times.
func (s suite) allocate(t *testing.T, n, times int64) {
	t.Helper()
	for i := range times {
		b, err := s.dev.Alloc(n)
		if err != nil {
			t.Fatalf("buffer %d of %d bytes, after freeing the others: %v", i, n, err)
		}
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
}

// alloc returns a buffer that is freed at the end of the test.
func (s suite) alloc(t *testing.T, n int64) driver.Buffer {
	t.Helper()
	b, err := s.dev.Alloc(n)
	if err != nil {
		t.Fatalf("alloc of %d bytes: %v", n, err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Errorf("free of %d bytes: %v", n, err)
		}
	})
	return b
}

// build returns a kernel that is closed at the end of the test.
func (s suite) build(t *testing.T, p driver.Program) driver.Kernel {
	t.Helper()
	k, err := s.dev.Build(p)
	if err != nil {
		t.Fatalf("build of %s: %v", p.Name, err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("close of %s: %v", p.Name, err)
		}
	})
	return k
}

// filled returns a buffer that the kernel fill has filled.
func (s suite) filled(t *testing.T, n int64, v int32) driver.Buffer {
	t.Helper()
	b := s.alloc(t, 4*n)
	must(t, "launch")(s.build(t, fill).Launch(driver.Grid{Groups: 4, Lanes: 16}, driver.Memory(b), driver.Value(n),
		driver.Value(v)))
	return b
}

// want compares a part of a buffer.
func (s suite) want(t *testing.T, b driver.Buffer, off int64, want []byte) {
	t.Helper()
	got := make([]byte, len(want))
	must(t, "read")(b.Read(off, got))
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("byte %d of %d is %d, want %d", off+int64(i), len(want), got[i], want[i])
		}
	}
}

// must waits for enqueued work and fails the test if it failed.
func must(t *testing.T, what string) func(driver.Event, error) {
	return func(ev driver.Event, err error) {
		t.Helper()
		if err == nil {
			err = ev.Wait()
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// fails checks that a call or its event returns an error that contains the
// texts.
func fails(t *testing.T, what string, text ...string) func(driver.Event, error) {
	return func(ev driver.Event, err error) {
		t.Helper()
		if err == nil {
			err = ev.Wait()
		}
		if err == nil {
			t.Fatalf("%s: no error", what)
		}
		for _, x := range text {
			if !strings.Contains(err.Error(), x) {
				t.Errorf("%s: the error does not contain %q: %v", what, x, err)
			}
		}
	}
}

// pattern returns n bytes that differ between positions.
func pattern(n int64) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7 + i>>8*13 + i>>16*29 + 1)
	}
	return p
}

// ramp returns what the kernel fill computes.
func ramp(n int64, v int32) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = v + int32(i)
	}
	return x
}

func gridName(g driver.Grid) string { return fmt.Sprintf("%dx%d", g.Groups, g.Lanes) }
