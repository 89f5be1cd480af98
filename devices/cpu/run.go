package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Run implements driver.Runner.
func (d *Device) Run(grid driver.Grid, f func(driver.Group)) error {
	if grid.Merge {
		return RunMerged(grid.Groups, f)
	}
	return Run(grid.Groups, f)
}

// Run calls f once for every group 0 .. groups-1, on as many goroutines as
// GOMAXPROCS allows, and returns when all calls have returned. Groups are
// handed out one at a time, in order, which balances uneven groups. A single
// group runs on the caller's goroutine. After a panic no more groups start, and
// the first panic is returned as a *PanicError.
func Run(groups int64, f func(driver.Group)) error {
	switch {
	case groups < 0:
		return fmt.Errorf("cpu: cannot launch %d groups", groups)
	case groups == 0:
		return nil
	case groups == 1:
		return one(driver.Group{Count: 1}, f)
	}
	return parallel(0, groups, f)
}

// worthwhile is the time after which work is worth the start of goroutines, which takes
// some microseconds.
const worthwhile = 20 * time.Microsecond

// RunMerged is Run for groups that may be too little work for a goroutine: the caller runs
// some of them, with few calls of f, and then starts goroutines if the others will take long.
// f must be the same for several groups in one call.
func RunMerged(groups int64, f func(driver.Group)) error {
	if groups < 2 {
		return Run(groups, f)
	}
	start := time.Now()
	size := int64(1)
	if runtime.GOMAXPROCS(0) == 1 {
		size = groups
	}
	for begun := int64(0); begun < groups; size *= 4 { // the first groups may take less time than others
		if begun > 0 && time.Since(start) > worthwhile/time.Duration(groups-begun)*time.Duration(begun) {
			return parallel(begun, groups, f)
		}
		size = min(size, groups-begun)
		if err := one(driver.Group{ID: begun, Count: groups, More: size - 1}, f); err != nil {
			return err
		}
		begun += size
	}
	return nil
}

// parallel runs the groups from begun on, as Run does.
func parallel(begun, groups int64, f func(driver.Group)) error {
	j := &job{f: f, count: groups}
	j.next.Store(begun)
	j.left.Store(groups - begun)
	j.done.Add(1)
	for range min(groups-begun, int64(runtime.GOMAXPROCS(0))) - 1 {
		go j.work()
	}
	// The caller works too. When no groups are left, it waits only for those
	// that other goroutines have begun: a helper that is scheduled later finds
	// nothing to do.
	j.work()
	j.done.Wait()
	if p := j.failed.Load(); p != nil {
		if p.Func == "" { // the stack of another goroutine does not have the caller
			p.locate()
		}
		return p
	}
	return nil
}

// one calls f on the caller's goroutine.
func one(g driver.Group, f func(driver.Group)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = newPanic(v)
		}
	}()
	f(g)
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
