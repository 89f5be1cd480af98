package cuda_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// devices opens all devices and closes them at the end of the test, when no
// CUDA objects may be left.
func devices(t testing.TB) []driver.Device {
	t.Helper()
	devs, err := cuda.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	if len(devs) == 0 {
		why := cuda.Driver{}.Missing()
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "cuda") {
			t.Fatal("SKEL_REQUIRE asks for CUDA: ", why)
		}
		t.Skip("no CUDA: ", why)
	}
	t.Cleanup(func() {
		for _, d := range devs {
			if err := d.Close(); err != nil {
				t.Error("close:", err)
			}
		}
		if left := cu.Live(); left != (cu.Counts{}) {
			t.Errorf("CUDA objects left over: %+v", left)
		}
	})
	return devs
}

func TestSuite(t *testing.T) {
	for i, d := range devices(t) {
		t.Run(fmt.Sprintf("cuda:%d", i), func(t *testing.T) { drivertest.Run(t, d) })
	}
}

var add = driver.Program{Name: "add", C: `KERNEL add(CTX_K GLOBAL i32 *x, i32 by) {
	x[group_id() * lanes() + lane_id()] += by;
}`}

func TestLaunchErrors(t *testing.T) {
	d := devices(t)[0]
	k := build(t, d, add)
	b := alloc(t, d, 4*64)
	one := driver.Value(int32(1))
	grid := driver.Grid{Groups: 1, Lanes: 64}
	for _, c := range []struct {
		grid driver.Grid
		args []driver.Arg
		want string
	}{
		{driver.Grid{Groups: -1, Lanes: 64}, []driver.Arg{driver.Memory(b), one}, "-1 groups of 64"},
		{driver.Grid{Groups: 1, Lanes: 0}, []driver.Arg{driver.Memory(b), one}, "1 groups of 0"},
		{driver.Grid{Groups: 1 << 31, Lanes: 64}, []driver.Arg{driver.Memory(b), one}, "allows at most 2147483647"},
		{driver.Grid{Groups: 1, Lanes: d.Info().MaxGroup + 1}, []driver.Arg{driver.Memory(b), one}, "allow"},
		{grid, []driver.Arg{driver.Memory(b)}, "1 arguments for 2 parameters"},
		{grid, []driver.Arg{one, one}, "argument 0: a value of 4 bytes for a parameter of 8"},
		{grid, []driver.Arg{driver.Memory(b), driver.Memory(b)}, "argument 1: a buffer for a value of 4 bytes"},
		{grid, []driver.Arg{driver.Memory(b), driver.Value(int64(1))}, "8 bytes for a parameter of 4"},
		{grid, []driver.Arg{driver.Memory(b), {}}, "neither a buffer nor a value"},
	} {
		_, err := k.Launch(c.grid, c.args...)
		if err == nil || !strings.Contains(err.Error(), "add") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.grid, err, c.want)
		}
	}
	if ev, err := k.Launch(driver.Grid{Groups: 0, Lanes: 0}, one); ev != driver.Done || err != nil {
		t.Errorf("a launch of nothing: %v, %v", ev, err)
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
	must(t)(k.Launch(grid, driver.Memory(b), driver.Value(int64(1))))
	var elapsed, wall time.Duration
	for range 10 { // the GPU or the cores may be busy with other programs
		start := time.Now()
		ev, err := k.Launch(grid, driver.Memory(b), driver.Value(int64(5_000_000)))
		must(t)(ev, err)
		if elapsed, wall = ev.Elapsed(), time.Since(start); elapsed >= wall/2 {
			break
		}
	}
	if elapsed < wall/2 || elapsed > wall+wall/10 {
		t.Errorf("%v on the device, %v in all", elapsed, wall)
	}
	d.(driver.Timing).SetTiming(false)
	ev, err := k.Launch(grid, driver.Memory(b), driver.Value(int64(5)))
	must(t)(ev, err)
	if ev.Elapsed() != 0 {
		t.Errorf("%v, with times turned off", ev.Elapsed())
	}
}

func TestBuildError(t *testing.T) {
	d := devices(t)[0]
	_, err := d.Build(driver.Program{Name: "map",
		C: "FUNC i32 f(void) {\n#line 31 \"kmeans.go\"\n\treturn bad_name;\n}\n#line 7 \"map.cl\"\nKERNEL " +
			"map(GLOBAL i32 *x) { x[0] = f() + worse_name; }\n"})
	b, ok := errors.AsType[*cuda.BuildError](err)
	if !ok || !errors.Is(err, cu.NVRTCCompilation) {
		t.Fatalf("got %v", err)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if !strings.HasPrefix(first, "kmeans.go:31: ") || !strings.Contains(first, "bad_name") {
		t.Errorf("the first line is %q", first)
	}
	if !strings.Contains(err.Error(), "worse_name") || !strings.Contains(err.Error(), strings.TrimSpace(b.Log)) {
		t.Errorf("got %v", err)
	}
}

func TestRecording(t *testing.T) { recording(t, devices(t)[0]) }

// recording records launches, a copy and a clear, and replays them.
func recording(t *testing.T, d driver.Device) {
	const n = 100 << 10
	k := build(t, d, driver.Program{Name: "advance", C: `KERNEL advance(CTX_K GLOBAL i32 *x, i64 n, i32 k) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		x[i] = (i32)(3u * (u32)x[i] + (u32)k);
}`})
	a, b := alloc(t, d, 4*n), alloc(t, d, 4*n)
	gone, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]int32, n)
	must(t)(a.Write(0, driver.Bytes(x))) // pending when the recording begins
	r := d.(driver.Recorder)
	if err := r.Record(); err != nil {
		t.Fatal(err)
	}
	if r.Record() == nil {
		t.Error("a recording in a recording")
	}
	must2(t, k, a, n, 5)
	must2(t, k, a, n, 6)
	must(t)(b.Copy(0, a, 0, 4*n))
	must(t)(b.(driver.Clearer).Clear(4, 4))
	if err := gone.Free(); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"a short write": second(a.Write(0, driver.Bytes(x[:5]))), "a long write": second(a.Write(0, driver.Bytes(x))),
		"a short read": second(a.Read(0, driver.Bytes(x[:5]))), "a long read": second(a.Read(0, driver.Bytes(x))),
		"sync": d.Sync(), "alloc": second(d.Alloc(4)),
	} {
		if err == nil || !strings.Contains(err.Error(), "recorded") {
			t.Errorf("%s while recording: %v", what, err)
		}
	}
	rec, err := r.EndRecord()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.EndRecord(); err == nil {
		t.Error("a recording ended twice")
	}
	once := func(v int32) int32 { return 3*(3*v+5) + 6 }
	for i := range int32(5) {
		for j := range x {
			x[j] = i
		}
		if i > 0 { // the first write preceded the recording
			must(t)(a.Write(0, driver.Bytes(x)))
		}
		for range 2 {
			if _, err := rec.Replay(); err != nil {
				t.Fatal(err)
			}
		}
		must(t)(b.Read(0, driver.Bytes(x)))
		if want := once(once(i)); x[0] != want || x[1] != 0 || x[n-1] != want {
			t.Errorf("replay %d: %v ... %d, want %d 0 ... %d", i, x[:2], x[n-1], want, want)
		}
	}
	for range 2 {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := rec.Replay(); err == nil {
		t.Error("a closed recording was replayed")
	}
}

func second[T any](_ T, err error) error { return err }

func TestPeers(t *testing.T) {
	devs := devices(t)
	if len(devs) < 2 {
		t.Skip("one device only")
	}
	peerCopies(t, devs[0], devs[1])
	drivertest.RunPeers(t, devs[0], devs[1])
}

func peerCopies(t *testing.T, d, e driver.Device) {
	t.Run("short", func(t *testing.T) { peerCopiesOf(t, d, e, 1001) })
	t.Run("long", func(t *testing.T) { peerCopiesOf(t, d, e, 100<<10) })
	t.Run("bytes", func(t *testing.T) {
		p := make([]byte, 1000)
		for i := range p {
			p[i] = byte(i*i + i)
		}
		a, b := alloc(t, d, 1000), alloc(t, e, 1000)
		must(t)(a.Write(0, p))
		want := make([]byte, 1000)
		must(t)(b.Write(0, want))
		for _, c := range [][3]int64{{0, 0, 16}, {20, 36, 300}, {401, 3, 7}, {500, 502, 250}, {999, 0, 1}} {
			to, from, n := c[0], c[1], c[2]
			must(t)(b.(driver.PeerCopy).CopyPeer(to, a, from, n))
			copy(want[to:], p[from:from+n])
		}
		got := make([]byte, 1000)
		must(t)(b.Read(0, got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// peerCopiesOf copies n numbers in both directions, each time after a launch whose result
// matters.
func peerCopiesOf(t *testing.T, d, e driver.Device, n int64) {
	kd, ke := build(t, d, advance2), build(t, e, advance2)
	a, b := alloc(t, d, 4*n), alloc(t, e, 4*n)
	x := make([]int32, n)
	must(t)(a.Write(0, driver.Bytes(x)))
	want := int32(0)
	for range 10 {
		must2(t, kd, a, n, 1)
		if _, err := b.(driver.PeerCopy).CopyPeer(0, a, 0, 4*n); err != nil {
			t.Fatal(err)
		}
		must2(t, kd, a, n, 77) // after the copy
		must2(t, ke, b, n, 2)
		if _, err := a.(driver.PeerCopy).CopyPeer(0, b, 0, 4*n); err != nil {
			t.Fatal(err)
		}
		want = 3*(3*want+1) + 2
	}
	for _, buf := range []driver.Buffer{a, b} {
		must(t)(buf.Read(0, driver.Bytes(x)))
		if x[0] != want || x[n-1] != want {
			t.Errorf("%d ... %d, want %d", x[0], x[n-1], want)
		}
	}
	if _, err := a.Copy(0, b, 0, 4); err == nil {
		t.Error("a copy from another device's buffer was accepted")
	}
	if _, err := kd.Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(b), driver.Value(int64(1)),
		driver.Value(int32(1))); err == nil || !strings.Contains(err.Error(), "another device") {
		t.Errorf("a launch on another device's buffer: %v", err)
	}
}

var advance2 = driver.Program{Name: "advance", C: `KERNEL advance(CTX_K GLOBAL i32 *x, i64 n, i32 k) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		x[i] = (i32)(3u * (u32)x[i] + (u32)k);
}`}

// TestConcurrentTransfers runs long transfers in both directions from many
// goroutines.
func TestConcurrentTransfers(t *testing.T) {
	d := devices(t)[0]
	const n = 5<<20 + 3
	var wg sync.WaitGroup
	for g := range 4 {
		b := alloc(t, d, n)
		wg.Go(func() {
			p, q := make([]byte, n), make([]byte, n)
			for i := range 10 {
				for j := range p {
					p[j] = byte(j*g + i)
				}
				_, err := b.Write(0, p)
				if err == nil {
					_, err = b.Read(0, q)
				}
				if err != nil || string(p) != string(q) {
					t.Errorf("goroutine %d, round %d: %v", g, i, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func alloc(t testing.TB, d driver.Device, n int64) driver.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func build(t testing.TB, d driver.Device, p driver.Program) driver.Kernel {
	t.Helper()
	k, err := d.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// must waits for enqueued work.
func must(t testing.TB) func(driver.Event, error) {
	return func(ev driver.Event, err error) {
		t.Helper()
		if err == nil {
			err = ev.Wait()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func ints(t testing.TB, b driver.Buffer) []int32 {
	t.Helper()
	x := make([]int32, b.Len()/4)
	must(t)(b.Read(0, driver.Bytes(x)))
	return x
}
