package cuda_test

import (
	"testing"

	devs "github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/internal/dl"
)

// idle is a CUDA library that does nothing and takes no time.
type idle struct{}

func (idle) Load(string) error            { return nil }
func (idle) Has(string) bool              { return true }
func (idle) Call(string, []uintptr) int32 { return 0 }

// BenchmarkHost measures the overhead of calls on the host, without CUDA
// itself.
func BenchmarkHost(b *testing.B) {
	c := fakecuda.Install(b, fakecuda.Options{Memory: 1 << 30, Kernels: kernels})
	raw := devices(b)[0]
	d := devs.Wrap("cuda:0", raw)
	defer d.Close()
	d.SetTiming(false)
	x, err := d.Alloc(4000)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Free()
	var built devs.Built
	args := []driver.Arg{x.Arg(), driver.Value(int64(1000)), driver.Value(int32(5))}
	launch := func() error {
		return d.Launch(devs.Launch{
			Name: advance.Name, Key: "advance", Built: &built, C: func() string { return advance.C },
			Grid: driver.Grid{Groups: 3, Lanes: 32}, Args: args,
		})
	}
	recording, err := devs.Record(launch)
	if err != nil {
		b.Fatal(err)
	}
	defer recording.Close()
	if err := first(launch, d.Sync); err != nil {
		b.Fatal(err)
	}
	dl.Fake(idle{})
	defer dl.Fake(c)
	var p [4]byte
	for _, s := range []struct {
		name string
		do   func() error
	}{
		{"launch", launch},
		{"launch+sync", func() error { return first(launch, d.Sync) }},
		{"launch+read", func() error { return first(launch, func() error { return x.Read(0, p[:]) }) }},
		{"replay", func() error { return recording.Replay(1) }},
	} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
