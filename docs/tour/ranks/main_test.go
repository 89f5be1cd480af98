package main

import (
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func TestMain(m *testing.M) {
	if os.Getenv("RANKS_MAIN") != "" {
		main()
		return
	}
	os.Exit(devicestest.Main(m))
}

// TestMPIRun runs the program alone and on several ranks: the result is the same to the last bit.
func TestMPIRun(t *testing.T) {
	for _, n := range []int{1, 3} {
		out, err := devicestest.MPIRun(t, n, []string{"RANKS_MAIN=1", "SKEL_DEVICE=cpu"}, os.Args[0])
		if want := "6.65667e+11"; err != nil || strings.TrimSpace(out) != want {
			t.Errorf("%d ranks: %v\n%s, want %s", n, err, out, want)
		}
	}
}

// BenchmarkRanks measures calls, alone or under mpirun; see docs/performance.md. All ranks must make
// the same calls, so it needs a fixed number of iterations (-test.benchtime 5000x).
func BenchmarkRanks(b *testing.B) {
	devs, err := devices.Defaults()
	if err != nil {
		b.Fatal(err)
	}
	first, last := vector.Single(devs[0]), vector.Single(devs[len(devs)-1])
	x := make([]float64, 1000)
	measure := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	in, out, far := vector.From(x, first), vector.From(x, first), vector.From(x, last)
	measure("call", func() error { return squares.ApplyTo(out, in) })
	measure("read", func() error {
		if err := far.Set(0, 1); err != nil { // or the value would be known
			return err
		}
		_, err := far.At(0)
		return err
	})
	measure("sum", func() error {
		_, err := sum.Apply(squares.Apply(in)).Value()
		return err
	})
	near, there := vector.From(x[:128], first), vector.From(x[:128], last)
	measure("exchange", func() error {
		if err := there.CopyFrom(near); err != nil {
			return err
		}
		return near.CopyFrom(there)
	})
	spread := vector.From(make([]float64, 1<<20), vector.Block(devs...))
	measure("spread", func() error {
		_, err := sum.Apply(spread).Value()
		return err
	})
	rows := matrix.From(16*len(devs), 256, make([]float32, 16*256*len(devs)), vector.Block(devs...))
	columns := skel.NewReduce(skel.Sum[float32]())
	measure("allreduce", func() error { // 1 KiB of each device
		_, err := columns.Cols(rows).Host()
		return err
	})
	measure("agree", func() error {
		devices.Agree(true)
		return nil
	})
}
