//go:build linux && (amd64 || arm64)

package emulator

import (
	"fmt"
	"syscall"
)

const supported = true

// mapped returns n bytes of memory that is allocated when it is first used.
func mapped(n int) ([]byte, error) {
	p, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("emulator: %d bytes for stacks: %w", n, err)
	}
	return p, nil
}

func unmap(p []byte) error {
	if p == nil {
		return nil
	}
	return syscall.Munmap(p)
}
