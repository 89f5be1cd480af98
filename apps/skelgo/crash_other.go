//go:build !unix

package main

// withoutCoreDump does nothing, because this system writes no core files.
func withoutCoreDump() {}
