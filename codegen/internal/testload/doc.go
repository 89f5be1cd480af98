// Package testload type-checks Go programs kept in txtar archives, for the
// tests of lower and emit: without a module, a network or a go command, but
// for the standard packages that the programs import.
package testload
