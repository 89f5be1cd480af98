package cuda_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	devs "github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/cuda/internal/fakecuda"
	"github.com/skelgo/skelgo/devices/driver"
)

// TestCallsOfTheDriver checks that frequent operations take no more calls of
// the driver than in C: each call takes a tenth of a small operation, or more.
func TestCallsOfTheDriver(t *testing.T) {
	const n = 100 << 10
	c, raw := fakes(t, fakecuda.Options{})
	cuda.SetPatience(raw[0], time.Hour) // however slow this machine is
	d := devs.Wrap("cuda:0", raw[0])
	defer d.Close()
	d.SetTiming(false)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	x, err := d.Alloc(4 * n)
	ok(err)
	defer x.Free()
	ok(x.Write(0, make([]byte, 4*n))) // a long write, which the queue waits for once
	arg, zeros := x.Arg(), make([]byte, 4000)
	launch := func() error {
		return d.Launch(devs.Launch{
			Name: advance.Name, Key: "advance", C: func() string { return advance.C },
			Grid: driver.Grid{Groups: 3, Lanes: 32}, Args: []driver.Arg{arg, driver.Value(int64(n)),
				driver.Value(int32(5))},
		})
	}
	recording, err := devs.Record(func() error {
		for range 100 {
			if err := launch(); err != nil {
				return err
			}
		}
		return nil
	})
	ok(err)
	defer recording.Close()
	if diff := cmp.Diff(slices.Repeat([]string{"cuLaunchKernel"}, 100), c.GraphNodes()); diff != "" {
		t.Errorf("the graph of 100 launches:\n%s", diff)
	}
	if c.Count("cuGraphUpload") != 1 {
		t.Error("the graph was not uploaded before it is first run")
	}
	var p [4]byte
	for _, s := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"launch, wait", func() error { return first(launch, d.Sync) },
			[]string{"cuLaunchKernel", "cuStreamSynchronize"}},
		{"launch, read", func() error { return first(launch, func() error { return x.Read(8, p[:]) }) },
			[]string{"cuLaunchKernel", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize"}},
		{"wait for nothing", d.Sync, nil},
		{"short write, launch", func() error { return first(func() error { return x.Write(0, zeros[:8]) }, launch) },
			[]string{"cuMemcpyHtoDAsync_v2", "cuLaunchKernel"}},
		{"memory from the pool", func() error {
			b, err := d.Alloc(5000)
			if err == nil {
				b.Free()
			}
			return err
		}, nil},
		{"replay, wait", func() error { return first(func() error { return recording.Replay(1) }, d.Sync) },
			[]string{"cuGraphLaunch", "cuStreamSynchronize"}},
		{"three replays", func() error { return recording.Replay(3) },
			[]string{"cuGraphLaunch", "cuGraphLaunch", "cuGraphLaunch"}},
	} {
		for range 2 { // the first pass builds, allocates, and waits for earlier work
			ok(s.do())
		}
		ok(d.Sync())
		before := len(c.Calls())
		ok(s.do())
		if diff := cmp.Diff(s.want, c.Calls()[before:]); diff != "" && len(s.want)+len(c.Calls()[before:]) > 0 {
			t.Errorf("%s:\n%s", s.name, diff)
		}
	}
}

// first calls the functions in order until one fails.
func first(steps ...func() error) error {
	for _, f := range steps {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}
