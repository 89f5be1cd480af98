package cuda_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// launcher builds a small kernel and returns a function that launches it.
func launcher(b *testing.B, timing bool) (driver.Device, driver.Buffer, func() (driver.Event, error)) {
	d := devices(b)[0]
	d.(driver.Timing).SetTiming(timing)
	k := build(b, d, add)
	m := alloc(b, d, 4<<10)
	args := []driver.Arg{driver.Memory(m), driver.Value(int32(1))}
	launch := func() (driver.Event, error) { return k.Launch(driver.Grid{Groups: 16, Lanes: 64}, args...) }
	must(b)(launch())
	return d, m, launch
}

// BenchmarkLaunch measures launches in a program that waits now and then.
func BenchmarkLaunch(b *testing.B) {
	for _, timing := range []bool{true, false} {
		b.Run(fmt.Sprintf("timing=%t", timing), func(b *testing.B) {
			d, _, launch := launcher(b, timing)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := launch(); err != nil {
					b.Fatal(err)
				}
				if i%200 == 199 {
					b.StopTimer()
					if err := d.Sync(); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
			}
		})
	}
}

// BenchmarkRoundTrip measures a launch and the wait for it, or a read of its
// result.
func BenchmarkRoundTrip(b *testing.B) {
	for _, timing := range []bool{true, false} {
		b.Run(fmt.Sprintf("wait/timing=%t", timing), func(b *testing.B) {
			_, _, launch := launcher(b, timing)
			b.ReportAllocs()
			for b.Loop() {
				must(b)(launch())
			}
		})
	}
	for _, n := range []int{4, 4000} {
		b.Run(fmt.Sprintf("read/n=%d", n), func(b *testing.B) {
			_, m, launch := launcher(b, false)
			p := make([]byte, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := launch(); err != nil {
					b.Fatal(err)
				}
				must(b)(m.Read(0, p))
			}
		})
	}
}

// BenchmarkRaw measures the same with raw calls, which shows the overhead of
// this package and the best way to wait.
func BenchmarkRaw(b *testing.B) {
	devs, err := cu.Devices()
	if err != nil || len(devs) == 0 {
		b.Skip("no CUDA: ", err)
	}
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	ctx, err := devs[0].Retain()
	must(err)
	defer ctx.Release()
	major, minor, err := devs[0].ComputeCapability()
	must(err)
	prog, err := cu.Compile("add.cu", `extern "C" __global__ void add(int *x, int by) { x[threadIdx.x] += by; }`,
		fmt.Sprintf("--gpu-architecture=sm_%d%d", major, minor))
	must(err)
	defer prog.Destroy()
	cubin, err := prog.CUBIN()
	must(err)
	mod, err := ctx.LoadData(cubin)
	must(err)
	defer mod.Unload()
	fn, err := mod.Function("add")
	must(err)
	s, err := ctx.MakeStream(cu.StreamNonBlocking)
	must(err)
	defer s.Destroy()
	x, err := ctx.MemAlloc(4 << 10)
	must(err)
	defer ctx.MemFree(x)
	call := fn.NewCall(8, 4)
	call.SetPtr(0, x)
	call.SetBits(1, 1)
	launch := func() { must(call.Launch(s, cu.Dim3{X: 1}, cu.Dim3{X: 64}, 0)) }
	b.Run("launch", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			launch()
			if i%200 == 199 {
				b.StopTimer()
				must(s.Synchronize())
				b.StartTimer()
			}
		}
	})
	b.Run("setcurrent", func(b *testing.B) {
		for b.Loop() {
			must(ctx.SetCurrent())
		}
	})
	b.Run("roundtrip/synchronize", func(b *testing.B) {
		for b.Loop() {
			launch()
			must(s.Synchronize())
		}
	})
	b.Run("roundtrip/query", func(b *testing.B) {
		for b.Loop() {
			launch()
			for done := false; !done; {
				done, err = s.Query()
				must(err)
			}
		}
	})
}

// BenchmarkTransfer measures long transfers done in several ways, and a
// pageable cuMemcpy for comparison.
func BenchmarkTransfer(b *testing.B) {
	d := devices(b)[0]
	const most = 1 << 30
	m, p := alloc(b, d, most), make([]byte, most)
	for i := range p {
		p[i] = byte(i >> 12)
	}
	both := func(name string, n int64, write, read func() (driver.Event, error)) {
		for _, dir := range []string{"write", "read"} {
			f := write
			if dir == "read" {
				f = read
			}
			b.Run(fmt.Sprintf("%s/%s/n=%d", dir, name, n), func(b *testing.B) {
				must(b)(f())
				b.SetBytes(n)
				b.ReportAllocs()
				for b.Loop() {
					must(b)(f())
					if err := d.Sync(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	ours := func(name string, n int64) {
		both(name, n, func() (driver.Event, error) { return m.Write(0, p[:n]) },
			func() (driver.Event, error) { return m.Read(0, p[:n]) })
	}
	for _, workers := range []int{1, 2, 4, 6, 8} {
		cuda.SetStaging(d, workers, 0)
		ours(fmt.Sprintf("workers=%d", workers), most)
	}
	for _, n := range []int64{4, 4 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20, 256 << 20} {
		ours("workers=8", n)
	}
	cuda.SetStaging(d, 8, 1)
	ours("registered", most)
	cuda.SetStaging(d, 8, 0)
	devs, err := cu.Devices()
	if err != nil {
		b.Fatal(err)
	}
	ctx, err := devs[0].Retain()
	if err != nil {
		b.Fatal(err)
	}
	defer ctx.Release()
	ptr := cu.DevicePtr(m.(driver.Handle).Handle())
	both("pageable", most,
		func() (driver.Event, error) { return driver.Done, ctx.MemcpyHtoD(ptr, p) },
		func() (driver.Event, error) { return driver.Done, ctx.MemcpyDtoH(p, ptr) })
}

// BenchmarkReplay measures a recording of 100 launches and reports the time per
// launch.
func BenchmarkReplay(b *testing.B) {
	for _, timing := range []bool{true, false} {
		b.Run(fmt.Sprintf("timing=%t", timing), func(b *testing.B) {
			const launches = 100
			d, _, launch := launcher(b, timing)
			r := d.(driver.Recorder)
			if err := r.Record(); err != nil {
				b.Fatal(err)
			}
			for range launches {
				if _, err := launch(); err != nil {
					b.Fatal(err)
				}
			}
			rec, err := r.EndRecord()
			if err != nil {
				b.Fatal(err)
			}
			defer rec.Close()
			b.ReportAllocs()
			for b.Loop() {
				must(b)(rec.Replay())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/launches, "ns/launch")
		})
	}
}

// BenchmarkMake measures allocating a buffer, building a kernel, and building
// one from a binary.
func BenchmarkMake(b *testing.B) {
	d := devices(b)[0]
	for _, n := range []int64{4 << 10, 64 << 20, 1 << 30} {
		b.Run(fmt.Sprintf("alloc/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				m, err := d.Alloc(n)
				if err == nil {
					err = m.Free()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	binary, err := build(b, d, add).(driver.Binary).Binary()
	if err != nil {
		b.Fatal(err)
	}
	with := add
	with.Binary = binary
	for name, p := range map[string]driver.Program{"text": add, "binary": with} {
		b.Run("build/"+name, func(b *testing.B) {
			for b.Loop() {
				k, err := d.Build(p)
				if err == nil {
					err = k.Close()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
