package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/vector"
)

// small is a device that reports less memory than it has.
type small struct{ driver.Device }

const smallMemory = 48 << 20

func (s small) Info() driver.Info {
	info := s.Device.Info()
	info.Memory = smallMemory
	return info
}

// TestDroppedResults checks that a program that drops its results without Free does not fill the device.
func TestDroppedResults(t *testing.T) {
	all := map[string]driver.Device{}
	for _, drv := range []driver.Driver{cpu.Driver{}, opencl.Driver{}} {
		if devs, err := drv.Devices(); err == nil && len(devs) > 0 {
			all[drv.Name()] = devs[0]
		}
	}
	if d, err := emulator.New(); err == nil {
		all["emulated"] = d
	}
	for name, dev := range all {
		t.Run(name, func(t *testing.T) {
			d := devices.Wrap("small:0", small{dev})
			x := vector.New[float32](64<<10, vector.Single(d))
			for range 300 { // 75 MiB
				if err := squares.Apply(x).Wait(); err != nil {
					t.Fatal(err)
				}
			}
			if peak := d.Stats().PeakBytes; peak > smallMemory/2 {
				t.Errorf("peak use is %d MiB, want at most %d", peak>>20, smallMemory/2>>20)
			}
			x.Free()
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
