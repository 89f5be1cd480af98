//go:build !unix

package app

// withoutCoreDump does nothing, because this system writes no core files.
func withoutCoreDump() {}
