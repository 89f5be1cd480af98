package cpu_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestDriver(t *testing.T) {
	devs, err := cpu.Driver{}.Devices()
	if err != nil || len(devs) != 1 {
		t.Fatal(devs, err)
	}
	drivertest.Run(t, devs[0])
	if f, total := devs[0].(driver.FreeMemory).FreeMemory(), devs[0].Info().Memory; f != total {
		t.Errorf("%d of %d bytes are free in the end", f, total)
	}
}

func TestEveryGroupRunsOnce(t *testing.T) {
	for _, groups := range []int64{0, 1, 2, 3, 7, 64, 10_000} {
		ran := make([]atomic.Int32, groups)
		err := cpu.Run(groups, func(g driver.Group) {
			if g.Count != groups {
				t.Errorf("group %d of %d, want of %d", g.ID, g.Count, groups)
			}
			ran[g.ID].Add(1)
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range ran {
			if n := ran[i].Load(); n != 1 {
				t.Fatalf("of %d groups, group %d ran %d times", groups, i, n)
			}
		}
	}
	if err := cpu.Run(-1, nil); err == nil {
		t.Error("launching -1 groups succeeded")
	}
}

// TestLaunchesInLaunches launches from groups of launches, on many goroutines.
func TestLaunchesInLaunches(t *testing.T) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			cpu.Run(20, func(driver.Group) {
				cpu.Run(20, func(driver.Group) { n.Add(1) })
			})
		})
	}
	wg.Wait()
	if n.Load() != 8*20*20 {
		t.Errorf("%d groups ran", n.Load())
	}
}

type point struct{ x []int }

func (p *point) at(i int) int { return p.x[i] } // line 72

func generic[T any](s []T, i int) T { return s[i] } // line 74

func TestPanicReportsTheLine(t *testing.T) {
	mine := errors.New("mine")
	zero := 0
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"index": {func() { (&point{}).at(17) },
			"cpu_test.go:72: runtime error: index out of range [17] with length 0 (in cpu_test.(*point).at)"},
		"generic": {func() { generic([]point{}, 3) },
			"cpu_test.go:74: runtime error: index out of range [3] with length 0 (in cpu_test.generic[...])"},
		"nil":       {func() { _ = (*point)(nil).x }, "nil pointer dereference"},
		"divide":    {func() { _ = 1 / zero }, "integer divide by zero"},
		"framework": {func() { driver.Slice[int64](make([]byte, 24))[zero+9] = 1 }, "cpu_test.go:"},
		"math":      {func() { var p *float64; _ = math.Sqrt(*p) }, "cpu_test.go:"},
		"value":     {func() { panic(mine) }, ": mine (in cpu_test.TestPanicReportsTheLine.func"},
	} {
		for _, groups := range []int64{1, 50} {
			t.Run(fmt.Sprintf("%s/%d", name, groups), func(t *testing.T) {
				f := func(g driver.Group) {
					if g.ID <= groups/2 && groups/2 <= g.ID+g.More {
						c.f()
					}
				}
				err := cpu.Run(groups, f)
				if merged := cpu.RunMerged(groups, f); fmt.Sprint(merged) != fmt.Sprint(err) {
					t.Errorf("groups that may be merged: %v, want %v", merged, err)
				}
				p, ok := errors.AsType[*cpu.PanicError](err)
				if !ok {
					t.Fatalf("not a PanicError: %v", err)
				}
				if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(p.Pos, "cpu_test.go:") {
					t.Errorf("%v\nwant %s", err, c.want)
				}
				if name == "value" && !errors.Is(err, mine) {
					t.Error("PanicError does not wrap the panic's error")
				}
			})
		}
	}
}

// TestGoexit ends goroutines in kernels, as t.FailNow does.
func TestGoexit(t *testing.T) {
	for at := range int64(10) {
		done := make(chan error, 1)
		go func() {
			defer close(done) // even if Goexit ends this goroutine
			done <- cpu.Run(10, func(g driver.Group) {
				if g.ID == at {
					runtime.Goexit()
				}
			})
		}()
		if err, returned := <-done; returned && err == nil {
			t.Errorf("Goexit in group %d: no error", at)
		}
	}
}

func TestBuffersAreAlignedAndZero(t *testing.T) {
	d := cpu.New()
	for _, n := range []int64{1, 63, 64, 65, 4096, 300 << 10, 5 << 20} {
		b, err := d.Alloc(n)
		if err != nil {
			t.Fatal(err)
		}
		p := b.(driver.HostMemory).Bytes()
		if int64(len(p)) != n || uintptr(unsafe.Pointer(&p[0]))%64 != 0 {
			t.Errorf("%d bytes at %p, want %d", len(p), &p[0], n)
		}
		for i := range p {
			if p[i] != 0 {
				t.Fatalf("byte %d of %d is %d", i, n, p[i])
			}
		}
		clear(p)
		b.Free()
		if _, err := b.Write(0, nil); err == nil {
			t.Error("writing to a freed buffer succeeded")
		}
	}
}

// TestMemoryIsCounted allocates all memory without touching it.
func TestMemoryIsCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("reserves much memory")
	}
	d := cpu.New()
	var bufs []driver.Buffer
	var err error
	for err == nil && len(bufs) < 10_000 {
		var b driver.Buffer
		if b, err = d.Alloc(d.Info().Memory / 16); err == nil {
			bufs = append(bufs, b)
		}
		if raceEnabled && len(bufs) == 2 {
			break // it would come from the Go heap
		}
	}
	if !raceEnabled && (!errors.Is(err, driver.ErrMemory) || len(bufs) != 16) {
		t.Errorf("%d buffers of a sixteenth of the memory, then %v", len(bufs), err)
	}
	for _, b := range bufs {
		b.Free()
	}
	if d.FreeMemory() != d.Info().Memory {
		t.Errorf("%d bytes are free in the end", d.FreeMemory())
	}
}

func BenchmarkRun(b *testing.B) {
	runs := map[string]func(int64, func(driver.Group)) error{"each": cpu.Run, "merged": cpu.RunMerged}
	for _, groups := range []int64{1, 2, 16, 256} {
		for name, run := range runs {
			b.Run(fmt.Sprintf("groups=%d/%s", groups, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run(groups, func(driver.Group) {})
				}
			})
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, n := range []int64{1 << 10, 1 << 20, 64 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", n), func(b *testing.B) {
			buf, err := cpu.New().Alloc(n)
			if err != nil {
				b.Fatal(err)
			}
			defer buf.Free()
			p := make([]byte, n)
			copy(p, "data, so that the system's shared zero page is not used")
			b.SetBytes(n)
			for b.Loop() {
				buf.Write(0, p)
			}
		})
	}
}
