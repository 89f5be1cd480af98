// Package math32 provides float32 functions that package math lacks.
//
// Its only function is [FMA], which computes x*y + z with one rounding. In a
// device function it is a single instruction on GPUs and CPU vector units; in
// Go it is portable and bit-identical. docs/subset.md explains when to use it.
// write it.
package math32
