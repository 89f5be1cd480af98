package devices_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// ownParts computes a vector of which each rank fills and reads only its own part.
func ownParts(devs []*devices.Device) error {
	const n = 10_000
	rank, filled, blocks := devices.Rank(), 0, vector.Block(devs...)
	lo, hi := blocks.Part(n, rank)
	v := vector.FromFunc(n, func(first int, dst []int) error {
		for i := range dst {
			dst[i] = 3 * (first + i)
		}
		filled += len(dst)
		return nil
	}, blocks)
	defer v.Free()
	var got []int
	for p, err := range v.HostParts(999) {
		if err != nil {
			return err
		}
		if p.First != lo+len(got) {
			return fmt.Errorf("rank %d: a part begins at %d, want %d", rank, p.First, lo+len(got))
		}
		got = append(got, p.Elements...)
	}
	if len(got) != hi-lo || filled != len(got) {
		return fmt.Errorf("rank %d has %d elements and has filled %d of %d", rank, len(got), filled, n)
	}
	for i, x := range got {
		if x != 3*(lo+i) {
			return fmt.Errorf("rank %d: element %d is %d", rank, lo+i, x)
		}
	}
	all, err := v.Host() // the ranks agree
	if err != nil || len(all) != n || !slices.Equal(all[lo:lo+len(got)], got) {
		return fmt.Errorf("rank %d: %d elements, %w", rank, len(all), err)
	}
	return failingPart(devs)
}

// failingPart fails on the last rank while it reads its part: the other ranks see it at their next read.
func failingPart(devs []*devices.Device) error {
	last := devs[len(devs)-1]
	v := vector.New[int](5, vector.Single(last))
	defer v.Free()
	if err := v.Wait(); err != nil {
		return err
	}
	l := program("panics")
	l.Go = func(driver.Group) { panic("a fault") }
	if err := last.Launch(l); err != nil && last.Rank() == devices.Rank() {
		return nil // one process: the launch returns it
	}
	parts := 0
	for _, err := range v.HostParts(5) {
		if parts++; err == nil || !strings.Contains(err.Error(), "a fault") {
			return fmt.Errorf("the part of rank %d that has failed has error %w", devices.Rank(), err)
		}
	}
	if last.Ghost() && parts != 0 {
		return fmt.Errorf("%d parts on rank %d, which has none", parts, devices.Rank())
	}
	if _, err := v.At(0); len(devs) > 1 && (err == nil || !strings.Contains(err.Error(), "a fault")) {
		return fmt.Errorf("rank %d does not see the error of the last: %w", devices.Rank(), err)
	}
	return nil
}
