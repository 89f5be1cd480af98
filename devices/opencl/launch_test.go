package opencl_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

var add = driver.Program{Name: "add",
	C: `KERNEL add(CTX_K GLOBAL i32 *x, i32 by) { x[group_id() * lanes() + lane_id()] += by; }`}

func ints(t testing.TB, b driver.Buffer) []int32 {
	t.Helper()
	got := make([]int32, b.Len()/4)
	must(t)(b.Read(0, driver.Bytes(got)))
	return got
}

// TestArgumentsOfFreedBuffers checks that a kernel's cached arguments are not
// confused by a new buffer with the OpenCL handle, and perhaps the address, of
// a freed one.
func TestArgumentsOfFreedBuffers(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	grid := driver.Grid{Groups: 1, Lanes: 4}
	for i := range 50 {
		b, err := d.Alloc(16)
		if err != nil {
			t.Fatal(err)
		}
		must(t)(b.Write(0, make([]byte, 16)))
		for range 3 { // the second and third launch reuse the arguments
			must(t)(k.Launch(grid, driver.Memory(b), driver.Value(int32(i))))
		}
		if got := ints(t, b); got[0] != int32(3*i) || got[3] != int32(3*i) {
			t.Fatalf("round %d: %v", i, got)
		}
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Launch(grid, driver.Memory(b), driver.Value(int32(i))); err == nil ||
			!strings.Contains(err.Error(), "argument 0: a freed buffer") {
			t.Fatalf("a launch on a freed buffer: %v", err)
		}
	}
}

// TestFreeWhileInUse frees a buffer while work that uses it is running.
func TestFreeWhileInUse(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	for range 20 {
		b, err := d.Alloc(4 << 16)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if _, err := k.Launch(driver.Grid{Groups: 1 << 10, Lanes: 64}, driver.Memory(b),
				driver.Value(int32(1))); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Sync(); err != nil {
		t.Fatal(err)
	}
}

func TestLaunchErrors(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	b := alloc(t, d, 64)
	one := driver.Value(int32(1))
	grid := driver.Grid{Groups: 1, Lanes: 1}
	for _, c := range []struct {
		grid driver.Grid
		args []driver.Arg
		want string
	}{
		{driver.Grid{Groups: -1, Lanes: 1}, []driver.Arg{driver.Memory(b), one}, "-1 groups"},
		{driver.Grid{Groups: 1, Lanes: 0}, []driver.Arg{driver.Memory(b), one}, "groups of 0 work-items"},
		{driver.Grid{Groups: math.MaxInt64, Lanes: 2}, []driver.Arg{driver.Memory(b), one}, "groups of 2 work-items"},
		{driver.Grid{Groups: 1, Lanes: 1 << 30}, []driver.Arg{driver.Memory(b), one}, "allows at most"},
		{grid, []driver.Arg{driver.Memory(b)}, "1 arguments for 2 parameters"},
		{grid, []driver.Arg{one, one}, "argument 0: a value of 4 bytes for the buffer i32* x"},
		{grid, []driver.Arg{driver.Memory(b), driver.Memory(b)}, "argument 1: a buffer for the value i32 by"},
		{grid, []driver.Arg{driver.Memory(b), driver.Value(int64(1))}, "8 bytes for i32 by, which has 4"},
		{grid, []driver.Arg{driver.Memory(b), {}}, "neither a buffer nor a value"},
	} {
		_, err := k.Launch(c.grid, c.args...)
		if err == nil || !strings.Contains(err.Error(), "add") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.grid, err, c.want)
		}
	}
	if ev, err := k.Launch(driver.Grid{Groups: 0, Lanes: 0}, one); ev != driver.Done || err != nil {
		t.Errorf("a launch with no groups: %v, %v", ev, err)
	}
}

// TestForgottenEvents checks that events that are not waited for are limited in
// number, and that all are released when the device is closed, which devices
// checks.
func TestForgottenEvents(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	b := alloc(t, d, 4<<10)
	must(t)(b.Write(0, make([]byte, b.Len())))
	for i := range 3000 {
		if _, err := k.Launch(driver.Grid{Groups: 16, Lanes: 64}, driver.Memory(b),
			driver.Value(int32(1))); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			if _, err := b.Write(0, make([]byte, 4)); err != nil { // resets x[0]
				t.Fatal(err)
			}
		}
	}
	if n := cl.Live().Events; n > 1100 {
		t.Errorf("%d events are pending", n)
	}
	if got := ints(t, b); got[0] != 9 || got[1] != 3000 {
		t.Errorf("%v..., want 9, 3000", got[:2])
	}
	if err := d.Sync(); err != nil {
		t.Fatal(err)
	}
	if n := cl.Live().Events; n != 0 {
		t.Errorf("%d events are pending after Sync", n)
	}
}

func TestElapsed(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, driver.Program{Name: "busy", C: `KERNEL busy(CTX_K GLOBAL f32 *x, i64 n) {
	f32 v = x[0];
	for (i64 i = 0; i < n; i++) v = v * 0.5f + 1;
	x[0] = v;
}`})
	b := alloc(t, d, 64)
	grid := driver.Grid{Groups: 1, Lanes: 1}
	must(t)(k.Launch(grid, driver.Memory(b), driver.Value(int64(1)))) // compiles the kernel
	start := time.Now()
	ev, err := k.Launch(grid, driver.Memory(b), driver.Value(int64(5_000_000)))
	must(t)(ev, err)
	if wall := time.Since(start); ev.Elapsed() < wall/4 || ev.Elapsed() > 2*wall {
		t.Errorf("%v on the device, %v in total", ev.Elapsed(), wall)
	}
	d.(driver.Timing).SetTiming(false)
	before := cl.Live().Events
	ev, err = k.Launch(grid, driver.Memory(b), driver.Value(int64(5)))
	must(t)(ev, err)
	if ev.Elapsed() != 0 || cl.Live().Events != before {
		t.Errorf("%v with timing turned off, want 0", ev.Elapsed())
	}
}

// TestOneKernelManyGoroutines checks that goroutines can share one kernel, each
// with its own arguments.
func TestOneKernelManyGoroutines(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	var wg sync.WaitGroup
	for g := range int32(8) {
		b := alloc(t, d, 256)
		wg.Go(func() {
			must(t)(b.Write(0, make([]byte, 256)))
			for range 50 {
				if _, err := k.Launch(driver.Grid{Groups: 4, Lanes: 16}, driver.Memory(b),
					driver.Value(g)); err != nil {
					t.Error(err)
				}
			}
			for i, v := range ints(t, b) {
				if v != 50*g {
					t.Errorf("goroutine %d: element %d is %d", g, i, v)
				}
			}
		})
	}
	wg.Wait()
}

func TestBuildError(t *testing.T) {
	d := devices(t)[0]
	_, err := d.Build(driver.Program{Name: "map",
		C: "FUNC i32 f(void) {\n#line 31 \"kmeans.go\"\n\treturn bad_name;\n}\n#line 7 \"map.cl\"\nKERNEL " +
			"map(GLOBAL i32 *x) { x[0] = f() + worse_name; }\n"})
	var b *opencl.BuildError
	if !errors.As(err, &b) || !errors.Is(err, cl.BuildProgramFailure) {
		t.Fatalf("got %v", err)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if !strings.HasPrefix(first, "kmeans.go:31: ") || !strings.Contains(first, "bad_name") {
		t.Errorf("the first line is %q", first)
	}
	if !strings.Contains(err.Error(), "worse_name") || !strings.Contains(err.Error(), strings.TrimSpace(b.Log)) {
		t.Errorf("got %v", err)
	}
	if _, err := d.Build(driver.Program{Name: "nothing"}); err == nil || !strings.Contains(err.Error(), "no C form") {
		t.Errorf("a program without text: %v", err)
	}
}

func TestBinaries(t *testing.T) {
	d := devices(t)[0]
	good, err := build(t, d, add).(driver.Binary).Binary()
	if err != nil {
		t.Fatal(err)
	}
	p := add
	bad := map[string][]byte{"empty": {}, "garbage": bytes.Repeat([]byte("garbage"), 1000),
		"longer": append(bytes.Clone(good), 0)}
	for _, n := range []int{1, 16, 40, 48, 49, 100, 1000, len(good) / 2, len(good) - 1} {
		bad[fmt.Sprintf("the first %d bytes", n)] = good[:n]
		flipped := bytes.Clone(good)
		flipped[n] ^= 4
		bad[fmt.Sprintf("byte %d changed", n)] = flipped
	}
	for name, data := range bad {
		p.Binary = data
		if k, err := d.Build(p); err == nil {
			k.Close()
			t.Errorf("%s: no error", name)
		}
	}
	// Launch with group sizes that the binary was not built for.
	k := build(t, d, driver.Program{Name: "add", Binary: good})
	b := alloc(t, d, 4*96)
	must(t)(b.Write(0, make([]byte, b.Len())))
	for _, g := range []driver.Grid{{Groups: 1, Lanes: 96}, {Groups: 3, Lanes: 32}, {Groups: 96, Lanes: 1}} {
		must(t)(k.Launch(g, driver.Memory(b), driver.Value(int32(1))))
	}
	for i, v := range ints(t, b) {
		if v != 3 {
			t.Fatalf("element %d is %d", i, v)
		}
	}
}

func TestMemory(t *testing.T) {
	d := devices(t)[0]
	info := d.Info()
	_, err := d.Alloc(info.MaxAlloc + 1)
	if !errors.Is(err, driver.ErrMemory) || !strings.Contains(err.Error(), fmt.Sprint(info.MaxAlloc)) {
		t.Errorf("a buffer above the limit: %v", err)
	}
	free := d.(driver.FreeMemory).FreeMemory
	before := free()
	empty := alloc(t, d, 0)
	if empty.Len() != 0 || free() != before-16 {
		t.Errorf("an empty buffer has %d bytes and takes %d", empty.Len(), before-free())
	}
	must(t)(build(t, d, add).Launch(driver.Grid{Groups: 1, Lanes: 4}, driver.Memory(empty), driver.Value(int32(1))))
	if _, err := empty.Read(0, make([]byte, 1)); err == nil {
		t.Error("reading from an empty buffer succeeded")
	}
}

// TestMemoryRunsOut fills the device's memory: the last buffers fail with an
// error that has the sizes, and after some are freed allocation works again.
func TestMemoryRunsOut(t *testing.T) {
	d := devices(t)[0]
	if d.Info().Kind != driver.CPU && os.Getenv("SKEL_REQUIRE") == "" {
		t.Skip("would fill the memory of a GPU that others may use; set SKEL_REQUIRE=opencl to run it")
	}
	var all []driver.Buffer
	defer func() {
		for _, b := range all {
			b.Free()
		}
	}()
	for {
		b, err := d.Alloc(d.Info().MaxAlloc)
		if err != nil {
			if !errors.Is(err, driver.ErrMemory) || !strings.Contains(err.Error(), fmt.Sprint(d.Info().MaxAlloc)) {
				t.Errorf("got %v", err)
			}
			break
		}
		all = append(all, b)
		if len(all) > 1000 {
			t.Fatal("allocation never failed")
		}
	}
	if len(all) == 0 {
		t.Fatal("could not allocate one buffer of the largest size")
	}
	last := len(all) - 1
	if err := all[last].Free(); err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(d.Info().MaxAlloc)
	if err != nil {
		t.Fatal(err)
	}
	all[last] = b
}
