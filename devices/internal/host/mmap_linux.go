//go:build linux && !race

package host

import "syscall"

// mapBytes is the size from which buffers are mapped directly from the system,
// which zeroes them page by page on first use, backs them with huge pages, and
// gets them back as soon as they are freed. With the race detector everything
// comes from the Go heap, the only memory that it watches.
const mapBytes = 256 << 10

func allocate(n int64) ([]byte, func(), error) {
	if n < mapBytes {
		return heap(n)
	}
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // only a hint; ignoring errors is fine
	return b, func() { _ = syscall.Munmap(b) }, nil
}
