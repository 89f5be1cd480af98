//go:build !(linux && (amd64 || arm64))

package emulator

import "errors"

const supported = false

func mapped(int) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmap([]byte) error         { return nil }
