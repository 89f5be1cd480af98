// Package registry maps Go functions to their device forms at run time.
// Generated files (zkernels.go) fill it in init functions; package skel reads
// it. It imports only the standard library, so that user programs do not link
// the compiler.
package registry
