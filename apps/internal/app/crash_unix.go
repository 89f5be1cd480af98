//go:build unix

package app

import "syscall"

// withoutCoreDump makes SIGABRT write no file with the program's memory, which
// may be tens of gigabytes of the user's data.
func withoutCoreDump() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) // the system's own limit remains
	}
}
