//go:build (darwin || linux || windows) && (amd64 || arm64 || loong64 || riscv64)

package cl

import "github.com/ebitengine/purego"

// syscall calls a C function with up to 15 integer arguments.
//
//go:uintptrescapes
func syscall(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}
