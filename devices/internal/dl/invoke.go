//go:build (darwin || linux || windows) && (amd64 || arm64 || loong64 || riscv64)

package dl

import "github.com/ebitengine/purego"

func invoke(addr uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}
