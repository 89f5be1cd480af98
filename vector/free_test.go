package vector_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/vector"
)

// TestGarbageIsFreed checks that the garbage collector frees vectors and that their memory is recycled.
func TestGarbageIsFreed(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	for range 10 {
		vector.New[float64](1000, vector.Single(d))
	}
	for range 200 {
		runtime.GC()
		if d.Stats().LiveBuffers == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if s := d.Stats(); s.LiveBuffers != 0 || s.LiveBytes != 0 {
		t.Errorf("%d buffers with %d bytes are live, want 0", s.LiveBuffers, s.LiveBytes)
	}
	if n := f.Count(drivertest.Alloc); n > 10 {
		t.Errorf("%d allocations, want at most 10", n)
	}
}

// TestGarbageMakesRoom checks that an allocation on a full device succeeds if unreachable containers hold the
// memory. The garbage collector would not have run by itself, because containers are small on the host.
func TestGarbageMakesRoom(t *testing.T) {
	_, d := fake(t, drivertest.Options{Memory: 1 << 20})
	kept := vector.New[byte](300<<10, vector.Single(d))
	for k := range 50 {
		if err := vector.New[byte](200<<10, vector.Single(d)).Wait(); err != nil {
			t.Fatalf("vector %d: %v", k, err)
		}
	}
	if err := vector.New[byte](800<<10, vector.Single(d)).Wait(); err == nil || !strings.Contains(err.Error(),
		"out of memory") {
		t.Errorf("an allocation of more than there is: error %v, want out of memory", err)
	}
	if err := kept.Wait(); err != nil {
		t.Error(err)
	}
	kept.Free()
}

// TestGarbageOnSmallDevices checks that a program that drops its results does not fill its devices, and that one
// collection serves several devices.
func TestGarbageOnSmallDevices(t *testing.T) {
	const memory = 96 << 20
	f := drivertest.NewFake(drivertest.Options{Memory: memory, Devices: 2})
	var devs []*devices.Device
	for k := range 2 {
		d := devices.Wrap(f.Device(k).ID(), f.Device(k))
		devs = append(devs, d)
		t.Cleanup(func() { ok(t, d.Close()) })
	}
	kept := vector.New[byte](memory/4, vector.Block(devs...))
	forced := forcedCollections()
	for range 200 {
		vector.New[byte](1<<20, vector.Block(devs...))
	}
	for _, d := range devs {
		if s := d.Stats(); s.PeakBytes > memory*2/3 { // without collections it would be all memory
			t.Errorf("%v: peak use is %d MiB, want at most %d", d, s.PeakBytes>>20, memory*2/3>>20)
		}
	}
	// Each device asks for a collection after 8 MiB or more; the results take 100 MiB of each.
	if n := forcedCollections() - forced; n < 3 || n > 30 {
		t.Errorf("%d collections, want 3 to 30", n)
	}
	kept.Free()
}

// TestNeededMemoryIsNotCollectedFor checks that a program that keeps its memory does not cause a collection at
// each allocation: the bytes in use must double, or grow by an eighth of the memory.
func TestNeededMemoryIsNotCollectedFor(t *testing.T) {
	_, d := fake(t, drivertest.Options{Memory: 8 << 30})
	forced := forcedCollections()
	var kept []*vector.Vector[byte]
	for range 192 { // 768 MiB: collections at 128, 256 and 512 MiB
		kept = append(kept, vector.New[byte](4<<20, vector.Single(d)))
	}
	if n := forcedCollections() - forced; n > 6 { // an allocation that waits causes two
		t.Errorf("%d collections, want at most 6", n)
	}
	forced = forcedCollections()
	for range 500 {
		vector.New[byte](4<<20, vector.Single(d)).Free()
	}
	if n := forcedCollections() - forced; n > 1 {
		t.Errorf("%d collections for a program that frees what it allocates, want at most 1", n)
	}
	for _, v := range kept {
		v.Free()
	}
}

// forcedCollections returns the number of garbage collections that the program asked for.
func forcedCollections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumForcedGC
}

// TestFreedMemoryIsUsedAgain checks that memory is recycled, and that nothing that still refers to a freed array
// can reach the array that has its memory now.
func TestFreedMemoryIsUsedAgain(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		before := d.Stats().LiveBuffers
		x := vector.From(ints(3), vector.Single(d))
		loop, err := devices.Record(func() error { _, err := arrayOf(x).Memory(); return err })
		if err != nil {
			t.Fatal(err)
		}
		defer loop.Close()
		var freed, kept []*vector.Vector[int32]
		for k := range int32(20) {
			v, w := vector.From([]int32{k}, vector.Single(d)), vector.From([]int32{k, k}, vector.Single(d))
			v.Free()
			freed, kept = append(freed, v), append(kept, w)
			if k == 10 {
				x.Free()
			}
		}
		for k, w := range kept {
			if got, err := w.Host(); err != nil || got[0] != int32(k) || got[1] != int32(k) {
				t.Errorf("vector %d = %v, %v; want [%d %d]", k, got, err, k, k)
			}
			wantPanic(t, "vector: used after Free", freed[k].Free)
		}
		if err := loop.Replay(1); err == nil || !strings.Contains(err.Error(), "was freed") {
			t.Errorf("a replay that uses a freed vector: error %v, want one that says so", err)
		}
		for _, w := range kept {
			w.Free()
		}
		runtime.GC() // must not free anything twice
		runtime.GC()
		if n := d.Stats().LiveBuffers; n != before {
			t.Errorf("%d buffers are live, want %d as before", n, before)
		}
	})
}

func TestFreedPanics(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(ints(3), vector.Single(d))
		v.Free()
		for name, f := range map[string]func(){
			"Host":  func() { _, _ = v.Host() },
			"At":    func() { _, _ = v.At(0) },
			"Set":   func() { _ = v.Set(0, 1) },
			"Write": func() { _ = v.Write(0, []int32{1}) },
			"Clone": func() { v.Clone() },
			"Wait":  func() { _ = v.Wait() },
			"View":  func() { v.View() },
			"Free":  func() { v.Free() },
		} {
			t.Run(name, func(t *testing.T) { wantPanic(t, "vector: used after Free", f) })
		}
	})
}
