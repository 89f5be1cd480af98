package devices

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/mpi"
)

// PerRank calls work on all ranks at the same time and returns the results of all ranks, by rank, on
// every rank. It is for work that consists of independent pieces, each small enough for one device:
// every rank computes some of them, as [Divide] says, and the results are sent to the others.
// All ranks must call PerRank, with the same devices. It cannot be recorded.
//
// work gets those of devs that belong to its rank, which may be none. These are *Devices of
// their own: they are used as in a program of one process, by several goroutines if need be, no
// other rank takes part in their calls, and errors are returned at once. During the call they are
// also the default devices, and all others return errors. Containers on these keep such an error, on this rank
// alone, so work must not touch them: what it needs are values of the host. When work returns, containers on its
// devices can only be freed; what is needed afterwards must be in the result.
//
// When work has ended on all ranks, PerRank returns the error of the first rank on which it has failed, on all
// ranks. A call in work that needs other ranks, such as Agree, is such an error.
//
// In one process, PerRank calls work with devs and returns its result.
func PerRank(devs []*Device, work func(own []*Device) ([]byte, error)) ([][]byte, error) {
	w, err := world()
	if err != nil {
		return nil, err
	}
	if w == nil {
		result, err := work(devs)
		if err != nil {
			return nil, err
		}
		return [][]byte{result}, nil
	}
	if r := Current(); r != nil {
		return nil, r.refuse("devices: PerRank")
	}
	if separate.Swap(true) {
		return nil, errors.New("devices: PerRank is called during another call of PerRank")
	}
	defer separate.Store(false)
	result, err := separately(w, devs, work)
	return gather(w, result, err)
}

// separate is true during a call of PerRank over several ranks.
var separate atomic.Bool

// Divide returns a rank for each of several pieces of work: one that has some of devs, so that
// the sums of the costs of its pieces are about proportional to its number of devices. The
// result depends on nothing else, so that all ranks agree on it. Pieces are divided more evenly if those
// with the highest costs come first.
func Divide(costs []int64, devs []*Device) []int {
	var sums, counts []int64 // by rank
	for _, d := range devs {
		for len(counts) <= d.Rank() {
			sums, counts = append(sums, 0), append(counts, 0)
		}
		counts[d.Rank()]++
	}
	ranks := make([]int, len(costs))
	for i, cost := range costs {
		best := -1
		for r, n := range counts {
			if n > 0 && (best < 0 || (sums[r]+cost)*counts[best] < (sums[best]+cost)*n) {
				best = r
			}
		}
		if best >= 0 {
			sums[best] += cost
			ranks[i] = best
		}
	}
	return ranks
}

// separately calls work with the devices of this rank while nothing else can be used.
func separately(w *mpi.World, devs []*Device, work func(own []*Device) ([]byte, error)) (result []byte, err error) {
	own := []*Device{}
	for _, d := range devs {
		if d.Ghost() {
			continue
		}
		o, err := d.separate()
		if err != nil {
			return nil, err
		}
		own = append(own, o)
	}
	end, err := w.Alone("PerRank", names(devs))
	if err != nil {
		return nil, err
	}
	defer func() { err = firstError(err, end()) }()
	all, _ := opened.all()
	for _, d := range all {
		if d.joint != nil {
			d.barred.Store(true)
			defer d.barred.Store(false)
		}
	}
	registry.mu.Lock()
	registry.own = own
	registry.mu.Unlock()
	for _, d := range own {
		d.barred.Store(false)
	}
	defer func() {
		registry.mu.Lock()
		registry.own = nil
		registry.mu.Unlock()
		for _, d := range own {
			e := d.sync()
			d.barred.Store(true)
			err = firstError(err, e, d.pool.trim(0)) // the memory is needed elsewhere
		}
	}()
	return work(own)
}

// names returns the IDs of devices.
func names(devs []*Device) string {
	ids := make([]string, len(devs))
	for i, d := range devs {
		ids[i] = d.id
	}
	return strings.Join(ids, ",")
}

// separate returns the device for the calls that only this rank makes. It has the same driver's device, but
// memory, kernels and counters of its own, so that nothing in d differs from rank to rank afterwards.
func (d *Device) separate() (*Device, error) {
	if d.joint == nil {
		return nil, fmt.Errorf("devices: PerRank: %s is not a device of all ranks", d.id)
	}
	if d.closed.Load() {
		return nil, d.unusable("PerRank")
	}
	o := d.own.Load()
	if o == nil {
		o = newDevice(d.id, d.joint.Local())
		o.of, o.gate = d, d.gate
		o.timed.Store(d.timed.Load())
		o.barred.Store(true)
		opened.add(o)
		d.own.Store(o)
	}
	o.checked.Store(d.checked.Load())
	return o, nil
}

// gather exchanges the results of all ranks. It returns the error of the first rank that has one.
func gather(w *mpi.World, result []byte, failed error) ([][]byte, error) {
	const what = "the result of PerRank"
	all := make([][]byte, w.Size())
	for rank := range all {
		size := []int64{int64(len(result))}
		if err := w.Share(rank, what, "", driver.Bytes(size), func() error { return failed }); err != nil {
			return nil, err
		}
		if all[rank] = result; rank != w.Rank() {
			all[rank] = make([]byte, size[0])
		}
	}
	for rank, p := range all {
		if len(p) == 0 {
			continue
		}
		if err := w.Share(rank, what, "", p, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}
