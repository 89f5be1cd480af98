//go:build amd64 || arm64

package dl

import "github.com/skelgo/skelgo/devices/internal/windll"

func open(name string) (uintptr, error) { return windll.Open(name) }

func symbol(lib uintptr, name string) (uintptr, error) { return windll.Symbol(lib, name) }
