//go:build amd64 || arm64

package cl

import sys "syscall"

func openLibrary(name string) (uintptr, error) {
	h, err := sys.LoadLibrary(name)
	return uintptr(h), err
}

func findSymbol(lib uintptr, name string) (uintptr, error) {
	return sys.GetProcAddress(sys.Handle(lib), name)
}
