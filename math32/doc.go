// Package math32 has what package math lacks for float32.
//
// [FMA] is where to start, and all there is: x*y + z, rounded once. In a
// device function it is one instruction of a GPU and of the vector units of
// CPUs; here it is portable Go, with the same bits. docs/subset.md says when to
// write it.
package math32
