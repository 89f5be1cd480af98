//go:build !((darwin || linux || windows) && (amd64 || arm64 || loong64 || riscv64))

package dl

import "errors"

// On this platform libraries cannot be opened without cgo, or size_t is not 64
// bits.
var errUnsupported = errors.New("not supported on this operating system and processor")

func open(string) (uintptr, error)            { return 0, errUnsupported }
func share(string) error                      { return errUnsupported }
func symbol(uintptr, string) (uintptr, error) { return 0, errUnsupported }
func invoke(uintptr, []uintptr) uintptr       { panic(errUnsupported) }
