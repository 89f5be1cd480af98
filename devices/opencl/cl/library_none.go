//go:build !((darwin || linux || windows) && (amd64 || arm64 || loong64 || riscv64))

package cl

import "errors"

// On this platform libraries cannot be opened without cgo, or size_t is not 64
// bits.
var errUnsupported = errors.New("not supported on this operating system and processor")

func openLibrary(string) (uintptr, error)         { return 0, errUnsupported }
func findSymbol(uintptr, string) (uintptr, error) { return 0, errUnsupported }
func syscall(uintptr, ...uintptr) uintptr         { panic(errUnsupported) }
