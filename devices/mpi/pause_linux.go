package mpi

import (
	"runtime"
	"syscall"
	"time"
)

// yield lets other goroutines and other processes run.
func yield() {
	runtime.Gosched()
	_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
}

// nap pauses. time.Sleep takes at least a millisecond if no other goroutine runs, because Go then
// waits with epoll.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // a signal may end it
}
