package skel_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest"
	"github.com/skelgo/skelgo/vector"
)

// processors are n devices that are this processor.
func processors(t *testing.T, n int) []*devices.Device {
	t.Helper()
	var devs []*devices.Device
	for k := range n {
		found, err := cpu.Driver{}.Devices()
		if err != nil {
			t.Fatal(err)
		}
		d := devices.Wrap(fmt.Sprintf("processor:%d", k), found[0])
		devicestest.NoLeaks(t, d)
		devs = append(devs, d)
	}
	return devs
}

// TestSeveralProcessors runs the suite with all containers spread over devices
// that are this processor.
func TestSeveralProcessors(t *testing.T) {
	devs := processors(t, 3)
	for name, where := range map[string]vector.Distribution{
		"block":    vector.Block(devs...),
		"weighted": vector.Block(devs...).Weighted(1, 2, 4),
		"copy":     vector.Copy(devs...),
		"overlap":  vector.Overlap(2, vector.Wrap, devs[:2]...),
	} {
		t.Run(name, func(t *testing.T) { skeltest.RunOver(t, where) })
	}
}
