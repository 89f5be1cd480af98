package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Run calls f once for every group 0 .. groups-1, on as many goroutines as
// GOMAXPROCS allows, and returns when all calls have returned. The groups are
// handed out one by one, in order, so uneven ones balance. One group runs on
// the caller's goroutine. After a panic no more groups are started, and the
// first panic is returned as a *PanicError.
func (d *Device) Run(groups int64, f func(driver.Group)) error { return Run(groups, f) }

// Run is Device.Run; it needs nothing of the device.
func Run(groups int64, f func(driver.Group)) error {
	switch {
	case groups < 0:
		return fmt.Errorf("cpu: a launch of %d groups", groups)
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
	// The caller works too. When it runs out of groups it waits only for those
	// that another goroutine has begun: a helper that was never scheduled finds
	// nothing left, whenever that is.
	j.work()
	j.done.Wait()
	if p := j.failed.Load(); p != nil {
		return p
	}
	return nil
}

// one runs a launch of one group.
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
	next   atomic.Int64 // the group to hand out next
	left   atomic.Int64 // groups that have not finished
	failed atomic.Pointer[PanicError]
	done   sync.WaitGroup // released when left is 0
}

// work runs groups until none is left.
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

// group runs one group and keeps its panic, if it is the first.
func (j *job) group(id int64) {
	returned := false
	defer func() {
		if returned {
			return
		}
		v := recover()
		if v == nil { // runtime.Goexit, as by t.FailNow in a kernel
			v = "the function ended its goroutine"
			defer j.exit()
		}
		j.failed.CompareAndSwap(nil, newPanic(v))
	}()
	j.f(driver.Group{ID: id, Count: j.count})
	returned = true
}

// exit accounts for the group of a goroutine that is about to end, and lets a
// new goroutine go on in its place.
func (j *job) exit() {
	if j.left.Add(-1) == 0 {
		j.done.Done()
		return
	}
	go j.work()
}
