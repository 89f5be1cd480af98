//go:build !linux

package mpi

import (
	"runtime"
	"time"
)

// yield lets other goroutines run.
func yield() { runtime.Gosched() }

// nap pauses.
func nap(d time.Duration) { time.Sleep(d) }
