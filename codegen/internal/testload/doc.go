// Package testload type-checks Go programs in txtar archives for the tests of
// lower and emit, without a module, a network or the go command, except to find
// the standard packages that the programs import.
package testload
