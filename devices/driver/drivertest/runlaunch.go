package drivertest

import (
	"strings"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// launch runs a kernel on grids smaller and larger than its data.
func (s suite) launch(t *testing.T) {
	k := s.build(t, fill)
	for _, grid := range []driver.Grid{{Groups: 1, Lanes: 1}, {Groups: 1, Lanes: 64}, {Groups: 7, Lanes: 16},
		{Groups: 1000, Lanes: 64}} {
		t.Run(gridName(grid), func(t *testing.T) {
			for _, n := range []int64{1, 63, 64, 65, 100_003} {
				b := s.alloc(t, 4*n+4)
				must(t, "write")(b.Write(4*n, []byte{1, 2, 3, 4}))
				must(t, "launch")(k.Launch(grid, driver.Memory(b), driver.Value(n), driver.Value(int32(42))))
				s.want(t, b, 0, driver.Bytes(ramp(n, 42)))
				s.want(t, b, 4*n, []byte{1, 2, 3, 4})
			}
		})
	}
}

// order enqueues work that depends on earlier work, and waits only at the end.
func (s suite) order(t *testing.T) {
	const n = 5000
	grid := driver.Grid{Groups: 8, Lanes: 32}
	k := s.build(t, step)
	a, b := s.alloc(t, 4*n), s.alloc(t, 4*n)
	start := driver.Bytes(ramp(n, 1))
	must(t, "write")(a.Write(0, start))
	want := ramp(n, 1)
	for i := range int32(50) {
		enqueued(t)(k.Launch(grid, driver.Memory(a), driver.Value(int64(n)), driver.Value(i)))
		enqueued(t)(b.Copy(0, a, 0, 4*n))
		enqueued(t)(k.Launch(grid, driver.Memory(b), driver.Value(int64(n)), driver.Value(-i)))
		enqueued(t)(a.Copy(0, b, 0, 4*n))
		for j := range want {
			want[j] = 3*(3*want[j]+i) - i
		}
	}
	s.want(t, a, 0, driver.Bytes(want))
	if err := s.dev.Sync(); err != nil {
		t.Fatal("sync:", err)
	}
}

func enqueued(t *testing.T) func(driver.Event, error) {
	return func(_ driver.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// events waits for one event repeatedly, from many goroutines and after Sync.
func (s suite) events(t *testing.T) {
	b := s.filled(t, 100, 1)
	p := pattern(400)
	ev, err := b.Write(0, p)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := ev.Wait(); err != nil {
				t.Error("wait:", err)
			}
		})
	}
	wg.Wait()
	clear(p) // may be reused now
	s.want(t, b, 0, pattern(400))
	if err := s.dev.Sync(); err != nil {
		t.Fatal("sync:", err)
	}
	if err := ev.Wait(); err != nil {
		t.Error("wait after sync:", err)
	}
	if ev.Elapsed() < 0 {
		t.Errorf("it took %v", ev.Elapsed())
	}
}

func (s suite) scalars(t *testing.T) {
	out := s.alloc(t, 19*8)
	r := record{A: -1, B: -70000, C: 1 << 40, D: [3]float32{1, 2, 77}, E: 200}
	must(t, "launch")(s.build(t, scalars).Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(out),
		driver.Value(int8(-8)), driver.Value(uint8(200)), driver.Value(int16(-3000)), driver.Value(uint16(60000)),
		driver.Value(int32(-1<<31)), driver.Value(uint32(1<<32-1)), driver.Value(int64(-1<<63)),
		driver.Value(uint64(1<<63-1)),
		driver.Value(float32(-2.5)), driver.Value(r), driver.Value(pair{-5, 6}), driver.Value(colour{10, 20, 30})))
	s.want(t, out, 0, driver.Bytes([]int64{
		-8, 200, -3000, 60000, -1 << 31, 1<<32 - 1, -1 << 63, 1<<63 - 1, -2,
		-1, -70000, 1 << 40, 77, 200, -5, 6, 10, 20, 30,
	}))
}

// argumentsAreCopied modifies the arguments after Launch has returned.
func (s suite) argumentsAreCopied(t *testing.T) {
	out := s.alloc(t, 19*8)
	zero := driver.Value(int64(0))
	args := []driver.Arg{driver.Memory(out)}
	for range 9 {
		args = append(args, zero)
	}
	for i, size := range []int{1, 1, 2, 2, 4, 4, 8, 8, 4} {
		args[1+i].Size = size
	}
	args = append(args, driver.Value(record{C: 123456789}), driver.Value(pair{}), driver.Value(colour{}))
	k := s.build(t, scalars)
	ev, err := k.Launch(driver.Grid{Groups: 1, Lanes: 1}, args...)
	clear(args[10].Data)
	clear(args)
	must(t, "launch")(ev, err)
	s.want(t, out, 11*8, driver.Bytes([]int64{123456789}))
}

// goroutines shares the device and one kernel between many goroutines.
func (s suite) goroutines(t *testing.T) {
	const n = 3000
	k := s.build(t, fill)
	var wg sync.WaitGroup
	for g := range int32(8) {
		b := s.alloc(t, 4*n)
		wg.Go(func() {
			for i := range int32(20) {
				ev, err := k.Launch(driver.Grid{Groups: 3, Lanes: 16}, driver.Memory(b), driver.Value(int64(n)),
					driver.Value(1000*g+i))
				if err == nil {
					err = ev.Wait()
				}
				got := make([]int32, n)
				if err == nil {
					ev, err = b.Read(0, driver.Bytes(got))
				}
				if err == nil {
					err = ev.Wait()
				}
				if err != nil {
					t.Error(err)
					return
				}
				if v := 1000*g + i; got[0] != v || got[n-1] != v+n-1 {
					t.Errorf("goroutine %d, launch %d: %d .. %d, want %d .. %d", g, i, got[0], got[n-1], v, v+n-1)
					return
				}
			}
		})
	}
	wg.Wait()
}

// nativePanic checks that a panic in a native kernel becomes an error with its
// line.
func (s suite) nativePanic(t *testing.T) {
	for _, groups := range []int64{1, 2, 100} {
		k := s.build(t, driver.Program{Name: "panics", Go: func(g driver.Group, _ []driver.Arg) {
			if g.ID == g.Count/2 {
				var none []int
				none[g.ID] = 1
			}
		}})
		fails(t, "panic in a kernel", "runlaunch.go:",
			"index out of range")(k.Launch(driver.Grid{Groups: groups, Lanes: 1}))
	}
	if _, err := s.dev.Build(driver.Program{Name: "nothing", C: fill.C}); err == nil ||
		!strings.Contains(err.Error(), "nothing") {
		t.Errorf("a program without a Go form: %v", err)
	}
}
