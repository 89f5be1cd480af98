//go:build !unix

package devices_test

import "errors"

// mkfifo fails because this system has no named pipes in directories.
func mkfifo(string) error { return errors.ErrUnsupported }
