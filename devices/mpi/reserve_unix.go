//go:build unix

package mpi

import (
	"fmt"
	"syscall"
)

// reserve returns n bytes of addresses that have no memory.
func reserve(n int64) ([]byte, error) {
	p, err := syscall.Mmap(-1, 0, int(max(n, 1)), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("mpi: reserving %d addresses for the memory of another rank: %w", n, err)
	}
	return p, nil
}

func release(p []byte) error {
	if p == nil {
		return nil
	}
	return syscall.Munmap(p)
}
