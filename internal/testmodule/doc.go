// Package testmodule lets tests use skelgo as its users do, from another module,
// which they create in a temporary folder. The go command then finds the modules
// that skelgo needs where go test ./... has put them, and downloads nothing.
// Settings of the user, such as GOFLAGS=-mod=vendor or a workspace, have no effect.
package testmodule
