//go:build (darwin || linux) && (amd64 || arm64 || loong64 || riscv64)

package mpi

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

// The signals that Go turns into panics and reports. UCX, through which Open MPI and MPICH
// send, takes them when it is opened, to print a backtrace of C; a nil pointer would then end
// or hang the program, even if it recovers.
var faults = [...]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGABRT}

var libc = &dl.Library{Title: "the C library", Names: func() []string {
	if runtime.GOOS == "darwin" {
		return []string{"/usr/lib/libSystem.B.dylib"}
	}
	return []string{"libc.so.6", "libc.so"} // of GNU, and of musl
}}

var sigaction = libc.Func("sigaction")

// keepSignals returns a function that restores the handlers of now.
func keepSignals() (restore func() error, err error) {
	if err := libc.Load(); err != nil {
		return nil, fmt.Errorf("mpi: %w", err)
	}
	const size = 256 / 8 // words; a struct sigaction has at most 152 bytes
	handlers := new([len(faults)][size]uint64)
	for i, s := range faults {
		if r := sigaction.Call(uintptr(s), 0, uintptr(unsafe.Pointer(&handlers[i]))); r != 0 {
			return nil, fmt.Errorf("mpi: cannot read the handler of %v", s)
		}
	}
	return func() error {
		for i, s := range faults {
			if r := sigaction.Call(uintptr(s), uintptr(unsafe.Pointer(&handlers[i])), 0); r != 0 {
				return fmt.Errorf("mpi: cannot restore the handler of %v", s)
			}
		}
		return nil
	}, nil
}
