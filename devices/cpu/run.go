package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Run calls f once for every group 0 .. groups-1, on as many goroutines as
// GOMAXPROCS allows, and returns when all calls have returned. Groups are
// handed out one at a time, in order, which balances uneven groups. A single
// group runs on the caller's goroutine. After a panic no more groups start, and
// the first panic is returned as a *PanicError.
func (d *Device) Run(groups int64, f func(driver.Group)) error { return Run(groups, f) }

// Run implements Device.Run, which needs nothing of the device.
func Run(groups int64, f func(driver.Group)) error {
	switch {
	case groups < 0:
		return fmt.Errorf("cpu: cannot launch %d groups", groups)
	case groups == 0:
		return nil
	case groups == 1:
		return one(f)
	}
	j := &job{f: f, count: groups}
	j.left.Store(groups)
	j.done.Add(1)
	for range min(groups, int64(runtime.GOMAXPROCS(0))) - 1 {
		go j.work()
	}
	// The caller works too. When no groups are left, it waits only for those
	// that other goroutines have begun: a helper that is scheduled later finds
	// nothing to do.
	j.work()
	j.done.Wait()
	if p := j.failed.Load(); p != nil {
		return p
	}
	return nil
}

// one runs a launch with a single group.
func one(f func(driver.Group)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = newPanic(v)
		}
	}()
	f(driver.Group{ID: 0, Count: 1})
	return nil
}

// job is one launch.
type job struct {
	f      func(driver.Group)
	count  int64
	next   atomic.Int64 // the next group to hand out
	left   atomic.Int64 // groups that have not finished
	failed atomic.Pointer[PanicError]
	done   sync.WaitGroup // done when left is 0
}

// work runs groups until none are left.
func (j *job) work() {
	for {
		id := j.next.Add(1) - 1
		if id >= j.count {
			return
		}
		if j.failed.Load() == nil {
			j.group(id)
		}
		if j.left.Add(-1) == 0 {
			j.done.Done()
		}
	}
}

// group runs one group and stores its panic if it is the first.
func (j *job) group(id int64) {
	returned := false
	defer func() {
		if returned {
			return
		}
		v := recover()
		if v == nil { // runtime.Goexit, which t.FailNow calls
			v = "the function called runtime.Goexit"
			defer j.exit()
		}
		j.failed.CompareAndSwap(nil, newPanic(v))
	}()
	j.f(driver.Group{ID: id, Count: j.count})
	returned = true
}

// exit marks the group of a goroutine that is about to end as finished, and
// starts a new goroutine to continue its work.
func (j *job) exit() {
	if j.left.Add(-1) == 0 {
		j.done.Done()
		return
	}
	go j.work()
}
