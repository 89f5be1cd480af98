package app

import "runtime/debug"

// AbortOnCrash makes a panic, or an allocation that fails, end the program with
// SIGABRT after its message. By default the Go runtime ends it with exit code 2,
// that of an error in the command line or the data, which scripts would confuse
// with it.
func AbortOnCrash() {
	debug.SetTraceback("crash")
	withoutCoreDump()
}
