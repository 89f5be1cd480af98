//go:build unix

package devices_test

import "syscall"

// mkfifo creates a named pipe.
func mkfifo(name string) error { return syscall.Mkfifo(name, 0o600) }
