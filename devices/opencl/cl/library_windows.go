//go:build amd64 || arm64

package cl

import "github.com/skelgo/skelgo/devices/internal/windll"

func openLibrary(name string) (uintptr, error) { return windll.Open(name) }

func findSymbol(lib uintptr, name string) (uintptr, error) { return windll.Symbol(lib, name) }
