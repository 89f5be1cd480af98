// Package registry maps Go functions to their device forms at run time.
// Generated files (zkernels.go) fill it in init functions with what the functions
// mean (package ir); package skel reads it, and gets their C (package emit). It
// imports neither go/types nor x/tools, so that user programs do not link the
// compiler.
package registry
