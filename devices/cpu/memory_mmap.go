//go:build linux && !race

package cpu

import "syscall"

// Allocations from this size on come straight from the system, which zeroes
// them page by page when they are first touched, backs them with huge pages,
// and has them back the moment they are freed. With the race detector all
// comes from Go's heap, the only memory it watches.
const mapBytes = 256 << 10

func allocate(n int64) ([]byte, func(), error) {
	if n < mapBytes {
		return heap(n)
	}
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // a wish: without it all still works
	return b, func() { _ = syscall.Munmap(b) }, nil
}
