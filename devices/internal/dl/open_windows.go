//go:build amd64 || arm64

package dl

import "github.com/skelgo/skelgo/devices/internal/windll"

func open(name string) (uintptr, error) { return windll.Open(name) }

func share(string) error { return nil } // all libraries of a process are

func symbol(lib uintptr, name string) (uintptr, error) { return windll.Symbol(lib, name) }
