package opencl_test

import (
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

var busy = driver.Program{Name: "busy", C: `KERNEL busy(CTX_K GLOBAL i32 *x, i32 rounds) {
	i32 v = x[lane_id()];
	for (i32 i = 0; i < rounds; i++) v = v * 3 + i;
	x[lane_id()] = v;
}`}

// gridsOfManySizes runs one kernel on several devices concurrently with grids
// of different sizes: PoCL 3.1 ends the process if a short launch with a wider
// grid starts and finishes during a long launch with a narrower one.
func gridsOfManySizes(t *testing.T, devs []driver.Device) {
	const lanes = 16
	var kernels []driver.Kernel
	var buffers []driver.Buffer
	for _, d := range devs {
		kernels = append(kernels, build(t, d, busy))
		buffers = append(buffers, alloc(t, d, 4*lanes))
	}
	launch := func(i int, groups int64, rounds int32) {
		if _, err := kernels[i].Launch(driver.Grid{Groups: groups, Lanes: lanes}, driver.Memory(buffers[i]),
			driver.Value(rounds)); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 4 {
		narrow := int64(1 + 2*round)
		launch(0, narrow, 1<<24)
		launch(1, narrow, 1<<24)
		time.Sleep(10 * time.Millisecond)
		launch(2, narrow+1, 16)
		for _, d := range devs {
			if err := d.Sync(); err != nil {
				t.Error(err)
			}
		}
	}
}
