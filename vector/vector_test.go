package vector_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

type point struct {
	X float64
	N uint8
}

// each runs a test on every device, and on a fake whose memory the CPU cannot
// access.
func each(t *testing.T, f func(t *testing.T, d *devices.Device)) {
	devicestest.Each(t, f)
	_, d := fake(t, drivertest.Options{Lazy: true})
	t.Run("fake", func(t *testing.T) {
		devicestest.NoLeaks(t, d)
		f(t, d)
	})
}

// fake returns a device that records calls, and the fake driver, which can make them fail.
func fake(t *testing.T, opt drivertest.Options) (*drivertest.Fake, *devices.Device) {
	f := drivertest.NewFake(opt)
	d := devices.Wrap("fake:0", f.Device(0))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, d
}

func ints(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i*i + 1)
	}
	return s
}

// wantHost checks the elements of a vector.
func wantHost[T any](t *testing.T, v *vector.Vector[T], want []T) {
	t.Helper()
	got, err := v.Host()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// ok stops the test if err is not nil.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantPanic checks that f panics with a message that contains want.
func wantPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, _ := recover().(string); !strings.Contains(got, want) {
			t.Errorf("panic %q, want one with %q", got, want)
		}
	}()
	f()
}

func TestFromAndHost(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		for _, n := range []int{0, 1, 2, 1000} {
			s := ints(n)
			v := vector.From(s, on)
			if v.Len() != n || v.Device() != d || v.Distribution() != on || v.Err() != nil {
				t.Errorf("%v: length %d on %v, error %v; want %d on %v, nil", v, v.Len(), v.Device(), v.Err(), n, d)
			}
			clear(s) // From copies
			wantHost(t, v, ints(n))
			ok(t, v.Wait())
		}
		points := []point{{1.5, 2}, {-3, 4}}
		wantHost(t, vector.From(points, on), points)
		wantHost(t, vector.From([][3]bool{{true}, {false, true}}, on), [][3]bool{{true}, {false, true}})
	})
}

func TestNewIsZero(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		const n = 1 << 19 // zeros are written in several pieces
		on := vector.Single(d)
		dirty := slices.Repeat([]int32{-1}, n)
		vector.From(dirty, on).Free() // the pool recycles this memory
		got, err := vector.New[int32](n, on).Host()
		ok(t, err)
		if i := slices.IndexFunc(got, func(x int32) bool { return x != 0 }); i >= 0 {
			t.Errorf("element %d = %d, want 0", i, got[i])
		}
	})
}

func TestSetWriteAt(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(ints(10), vector.Single(d))
		want := ints(10)
		ok(t, v.Set(3, -1))
		ok(t, v.Write(7, []int32{7, 8, 9}))
		ok(t, v.Write(10, nil))
		want[3], want[7], want[8], want[9] = -1, 7, 8, 9
		for i, w := range want {
			if x, err := v.At(i); err != nil || x != w {
				t.Errorf("element %d = %d, %v; want %d", i, x, err, w)
			}
		}
		wantHost(t, v, want)
		ok(t, v.Set(0, 5))
		want[0] = 5
		wantHost(t, v, want)
		part, err := v.HostRange(2, 5)
		ok(t, err)
		if diff := cmp.Diff(want[2:5], part); diff != "" || cap(part) != 3 {
			t.Errorf("HostRange(2, 5) = %v with capacity %d, want capacity 3 (-want +got):\n%s", part, cap(part), diff)
		}
	})
}

func TestCloneCopyTo(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		v := vector.From(ints(100), on)
		c := v.Clone()
		ok(t, c.Set(0, -9))
		wantHost(t, v, ints(100))
		wantHost(t, c, append([]int32{-9}, ints(100)[1:]...))
		ok(t, v.CopyFrom(c))
		wantHost(t, v, append([]int32{-9}, ints(100)[1:]...))
		ok(t, v.CopyFrom(v))
		wantHost(t, v, append([]int32{-9}, ints(100)[1:]...))
		wantHost(t, vector.New[int32](0, on).Clone(), []int32{})
		if v.To(on) != v {
			t.Error("To(the same distribution) returns a copy, want the vector itself")
		}
		_, other := fake(t, drivertest.Options{})
		moved := v.To(vector.Single(other))
		if moved.Device() != other {
			t.Errorf("moved to %v, want %v", moved.Device(), other)
		}
		wantHost(t, moved, append([]int32{-9}, ints(100)[1:]...))
		moved.Free()
	})
}

// TestHostOutlivesVector checks that the slice from Host keeps its elements after the vector was collected and its
// memory was recycled.
func TestHostOutlivesVector(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		const n = 1 << 14
		s, err := vector.From(ints(n), vector.Single(d)).Host()
		ok(t, err)
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		other := vector.New[int32](n, vector.Single(d))
		if diff := cmp.Diff(ints(n), s); diff != "" {
			t.Errorf("slice from Host (-want +got):\n%s", diff)
		}
		other.Free()
	})
}

func TestBadArguments(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	v := vector.From(ints(10), on)
	defer v.Free()
	wantPanic(t, "vector: At: index 10 out of range [0, 10)", func() { _, _ = v.At(10) })
	wantPanic(t, "vector: Set: index -1 out of range [0, 10)", func() { _ = v.Set(-1, 0) })
	wantPanic(t, "vector: Write: [8:11] out of range [0:10]", func() { _ = v.Write(8, ints(3)) })
	wantPanic(t, "vector: Write: [-1:0] out of range [0:10]", func() { _ = v.Write(-1, ints(1)) })
	wantPanic(t, "vector: HostRange: [3:11] out of range [0:10]", func() { _, _ = v.HostRange(3, 11) })
	wantPanic(t, "vector: HostRange: [5:4] out of range [0:10]", func() { _, _ = v.HostRange(5, 4) })
	wantPanic(t, "vector: New: length -1 is negative", func() { vector.New[int8](-1, on) })
	wantPanic(t, "vector: Indices: length -2 is negative", func() { vector.Indices(-2) })
	wantPanic(t, "vector: Single: the device is nil", func() { vector.Single(nil) })
	wantPanic(t, "vector: CopyFrom: lengths differ: 10 and 0", func() { _ = v.CopyFrom(vector.New[int32](0, on)) })
}

// TestRefusedElements checks that elements other than plain data panic, with a message that names the field.
func TestRefusedElements(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	type inner struct{ Names [2]string }
	type outer struct {
		N  int
		In [3]inner
	}
	for want, f := range map[string]func(){
		"type *int cannot live on a device: *int is a ptr": func() { vector.New[*int](1, on) },
		"type string cannot live on a device: string is a string; use numbers": func() {
			vector.From([]string{"a"}, on)
		},
		"type map[int]int cannot live on a device: map[int]int is a map": func() {
			vector.New[map[int]int](1, on)
		},
		"type []uint8 cannot live on a device: []uint8 is a slice":       func() { vector.New[[]byte](1, on) },
		"type interface {} cannot live on a device":                      func() { vector.New[any](1, on) },
		"type func() cannot live on a device":                            func() { vector.New[func()](1, on) },
		"type complex64 cannot live on a device":                         func() { vector.New[complex64](1, on) },
		"type struct {} cannot live on a device: struct {} has no bytes": func() { vector.New[struct{}](1, on) },
		"type [0]int cannot live on a device: [0]int has no bytes":       func() { vector.New[[0]int](1, on) },
		"type vector_test.outer cannot live on a device: vector_test.outer.In[].Names[] is a string; " +
			"use numbers, bools, and arrays and structs": func() { vector.New[outer](1, on) },
	} {
		wantPanic(t, "vector: elements of "+want, f)
	}
}

func TestErrorsStick(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	v := vector.From(ints(10), on)
	f.FailAt(drivertest.Read, 1, 1, nil)
	_, err := v.Host()
	if !errors.Is(err, drivertest.ErrInjected) {
		t.Fatalf("Host: error %v, want the injected one", err)
	}
	for name, again := range map[string]error{"Err": v.Err(), "Wait": v.Wait(), "Set": v.Set(0, 1),
		"Clone": v.Clone().Err(), "To": v.To(vector.Distribution{}).Err()} {
		if !errors.Is(again, drivertest.ErrInjected) {
			t.Errorf("%s after the error: %v, want the same error", name, again)
		}
	}
	if _, err := v.At(3); !errors.Is(err, drivertest.ErrInjected) {
		t.Errorf("At after the error: %v, want the same error", err)
	}
	if s := v.String(); !strings.Contains(s, "vector of 10 int32, failed: ") || !strings.Contains(s, "injected") {
		t.Errorf("String() = %q, want one that shows the error", s)
	}

	f.FailAt(drivertest.Alloc, 1, 2, nil)
	if w := vector.New[int64](1<<20, on); !errors.Is(w.Err(), drivertest.ErrInjected) {
		t.Errorf("New, when Alloc fails: error %v, want the injected one", w.Err())
	}
	f.FailAt(drivertest.Write, 1, 1, nil)
	if w := vector.From(ints(4), on); !errors.Is(w.Err(), drivertest.ErrInjected) {
		t.Errorf("From, when Write fails: error %v, want the injected one", w.Err())
	}
	u := vector.From(ints(4), on)
	f.FailAt(drivertest.Write, 1, 1, nil)
	if err := u.Set(1, 1); !errors.Is(err, drivertest.ErrInjected) || !errors.Is(u.Err(), drivertest.ErrInjected) {
		t.Errorf("Set, when Write fails: error %v, then Err() = %v; want the injected one", err, u.Err())
	}
	if w := (*vector.Vector[int32])(array.Failed[int32](3, drivertest.ErrInjected)); w.Len() != 3 ||
		w.Err() != drivertest.ErrInjected {
		t.Errorf("Failed: length %d, error %v; want 3 and the given error", w.Len(), w.Err())
	} else if x := vector.From(ints(4), w.Distribution()); x.Err() != drivertest.ErrInjected {
		t.Errorf("From with the distribution of a failed vector: error %v, want its error", x.Err())
	}
}

// TestOtherDevice checks that elements take the shortest path between devices.
func TestOtherDevice(t *testing.T) {
	const n = 6 << 20 // through the host in two pieces
	for _, c := range []struct {
		name         string
		opt          drivertest.Options
		host, direct int64 // bytes that pass through the host, and bytes that do not
	}{
		{"peers", drivertest.Options{Devices: 2}, 0, 4 * n},
		{"through the host", drivertest.Options{Devices: 2, Apart: true}, 8 * n, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := drivertest.NewFake(c.opt)
			d, e := devices.Wrap("fake:0", f.Device(0)), devices.Wrap("fake:1", f.Device(1))
			defer d.Close()
			defer e.Close()
			devicestest.NoLeaks(t, d, e)
			s := make([]int32, n)
			for i := range s {
				s[i] = int32(i)
			}
			v := vector.From(s, vector.Single(d))
			defer v.Free()
			up, down, direct := traffic(d, e)
			w := v.To(vector.Single(e))
			defer w.Free()
			ok(t, w.Wait())
			up2, down2, direct2 := traffic(d, e)
			if host := up2 - up + down2 - down; host != c.host || direct2-direct != c.direct {
				t.Errorf("To copies %d bytes to or from the host and %d between devices, want %d and %d",
					host, direct2-direct, c.host, c.direct)
			}
			ok(t, v.Set(3, -1))
			if x, err := w.At(3); x != 3 || err != nil {
				t.Errorf("element 3 of the copy = %d, %v; want 3", x, err)
			}
			ok(t, w.CopyFrom(v))
			if got, err := w.Host(); err != nil || got[3] != -1 || got[n-1] != n-1 {
				t.Errorf("CopyFrom: elements 3 and %d are %d and %d, %v; want -1, %d", n-1, got[3], got[n-1], err, n-1)
			}
		})
	}
}

// traffic returns how many bytes were copied to devices, from devices, and on or between
// devices.
func traffic(devs ...*devices.Device) (up, down, direct int64) {
	for _, d := range devs {
		s := d.Stats()
		up, down, direct = up+s.UploadBytes, down+s.DownloadBytes, direct+s.CopyBytes
	}
	return up, down, direct
}

// TestOtherDeviceNative checks that elements are copied once between a native device and another one.
func TestOtherDeviceNative(t *testing.T) {
	_, c := fake(t, drivertest.Options{Native: true})
	_, d := fake(t, drivertest.Options{})
	v := vector.From(ints(4), vector.Single(c))
	defer v.Free()
	up, down, _ := traffic(c, d)
	w := v.To(vector.Single(d))
	defer w.Free()
	x := w.To(vector.Single(c))
	defer x.Free()
	if up2, down2, _ := traffic(c, d); up2-up != 16 || down2-down != 16 {
		t.Errorf("%d bytes uploaded and %d downloaded, want 16 and 16", up2-up, down2-down)
	}
	if y, err := x.At(3); y != 10 || err != nil {
		t.Errorf("element 3 = %d, %v; want 10", y, err)
	}
}

// TestOtherDeviceRecorded records and replays a copy from another device.
func TestOtherDeviceRecorded(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Devices: 2})
	d, e := devices.Wrap("fake:0", f.Device(0)), devices.Wrap("fake:1", f.Device(1))
	defer d.Close()
	defer e.Close()
	v, w := vector.From(ints(4), vector.Single(d)), vector.New[int32](4, vector.Single(e))
	defer v.Free()
	defer w.Free()
	r, err := devices.Record(func() error { return v.CopyFrom(w) })
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if x, err := v.At(3); x != 10 || err != nil {
		t.Errorf("before a replay: element 3 = %d, %v; want 10", x, err)
	}
	if err := w.Set(3, 7); err != nil {
		t.Fatal(err)
	}
	if err := r.Replay(1); err != nil {
		t.Fatal(err)
	}
	if x, err := v.At(3); x != 7 || err != nil {
		t.Errorf("after a replay: element 3 = %d, %v; want 7", x, err)
	}
}

// TestOtherDeviceFails makes a copy between devices fail. The error must name both devices, and nothing may leak.
func TestOtherDeviceFails(t *testing.T) {
	for _, c := range []struct {
		op    drivertest.Op
		apart bool
	}{{drivertest.Peer, false}, {drivertest.Alloc, false}, {drivertest.Read, true}, {drivertest.Write, true}} {
		op := c.op
		f := drivertest.NewFake(drivertest.Options{Devices: 2, Apart: c.apart})
		d, e := devices.Wrap("fake:0", f.Device(0)), devices.Wrap("fake:1", f.Device(1))
		devicestest.NoLeaks(t, d, e)
		v := vector.From(ints(4), vector.Single(d))
		f.FailAt(op, 1, 1, nil)
		w := v.To(vector.Single(e))
		if err := w.Err(); !errors.Is(err, drivertest.ErrInjected) || !strings.Contains(err.Error(), "fake:1") {
			t.Errorf("%s fails: error %v, want the injected one with the name fake:1", op, err)
		} else if op != drivertest.Alloc && !strings.Contains(err.Error(), "from fake:0") {
			t.Errorf("%s fails: error %q does not name the source", op, err)
		}
		w.Free()
		if x, err := v.At(3); x != 10 || err != nil {
			t.Errorf("after %s failed: element 3 of the source = %d, %v; want 10", op, x, err)
		}
		v.Free()
		ok(t, d.Close())
		ok(t, e.Close())
	}
}

func TestZeroDistribution(t *testing.T) {
	def, err := devices.Default()
	ok(t, err)
	v := vector.From(ints(4), vector.Distribution{})
	defer v.Free()
	if v.Err() != nil || v.Device() != def {
		t.Errorf("on %v, error %v; want the default device %v", v.Device(), v.Err(), def)
	}
}

func TestString(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	v := vector.New[point](7, vector.Single(d))
	defer v.Free()
	if got, want := v.String(), "vector of 7 vector_test.point on fake:0"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if d.Stats().Downloads != 0 {
		t.Error("String downloads")
	}
}

// TestTransfers checks that reads and writes transfer only the bytes that they need.
func TestTransfers(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	v := vector.From(make([]float64, 1000), vector.Single(d))
	defer v.Free()
	want := func(what string, op drivertest.Op, calls int, bytes int64, do func()) {
		t.Helper()
		f.Reset()
		do()
		if c, b := len(f.Calls(op)), f.Bytes(op); c != calls || b != bytes {
			t.Errorf("%s: %d calls of %d bytes, want %d of %d", what, c, b, calls, bytes)
		}
	}
	part := func(lo, hi int) func() { return func() { _, err := v.HostRange(lo, hi); ok(t, err) } }
	want("one element", drivertest.Read, 1, 8, part(500, 501))
	want("the same element again", drivertest.Read, 0, 0, part(500, 501))
	want("elements around it", drivertest.Read, 2, 8*98, part(450, 549))
	want("a write", drivertest.Write, 1, 16, func() { ok(t, v.Write(448, []float64{1, 2})) })
	want("the written elements", drivertest.Read, 0, 0, part(448, 549))
	want("all elements", drivertest.Read, 2, 8*(1000-101), part(0, 1000))
	want("all elements again", drivertest.Read, 0, 0, part(0, 1000))
	f.Reset()
	ok(t, v.Set(999, 3))
	if c := f.Calls(drivertest.Write); len(c) != 1 || c[0].Off != 8*999 || c[0].Bytes != 8 {
		t.Errorf("Set makes the calls %v, want one of 8 bytes at %d", c, 8*999)
	}
}

// TestAtIsSmall checks that reading a few elements of a long vector keeps them on the host without memory for all.
func TestAtIsSmall(t *testing.T) {
	f, d := fake(t, drivertest.Options{})
	v := vector.New[int64](1<<20, vector.Single(d))
	defer v.Free()
	at := func(i int, want int64) {
		t.Helper()
		if x, err := v.At(i); err != nil || x != want {
			t.Errorf("element %d = %d, %v; want %d", i, x, err, want)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 50 {
		at(i*1000, 0)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("50 elements allocate %d bytes, want at most %d", n, 1<<20)
	}
	reads := f.Count(drivertest.Read)
	at(1000, 0)
	ok(t, v.Set(2000, 7))
	at(3000, 0)
	if n := f.Count(drivertest.Read); n != reads {
		t.Errorf("%d reads of elements that the host has, want 0", n-reads)
	}
	at(2000, 7)
	for i := range 200 { // so many that the host now has memory for all
		at(i*1000, map[int]int64{2: 7}[i])
	}
	reads = f.Count(drivertest.Read)
	for i := range 200 {
		at(i*1000, map[int]int64{2: 7}[i])
	}
	if n := f.Count(drivertest.Read); n != reads || f.Bytes(drivertest.Read) > 8*202 {
		t.Errorf("%d reads of elements that the host has, want 0; %d bytes in all, want at most %d",
			n-reads, f.Bytes(drivertest.Read), 8*202)
	}
}
