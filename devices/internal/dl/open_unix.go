//go:build (darwin || linux) && (amd64 || arm64 || loong64 || riscv64)

package dl

import "github.com/ebitengine/purego"

func open(name string) (uintptr, error) { return purego.Dlopen(name, purego.RTLD_NOW) }

func share(name string) error {
	_, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	return err
}

func symbol(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }
