// Package math32 provides float32 functions that have the same result everywhere.
//
// [FMA] computes x*y + z with one rounding. In a device function it is a single
// instruction on GPUs and CPU vector units; in Go it is portable and
// bit-identical. docs/subset.md explains when to use it.
//
// The other functions are those of package math for float32, and [Digamma]. They
// are written in Go from float32 operations that are exact or correctly rounded
// on every device: + - * / Sqrt FMA, and operations on integers and bits. One
// source is compiled for the CPU and translated for OpenCL and CUDA, so that
// results are bit-identical. All products are rounded, also where Go's compiler
// fuses x*y + z, as for arm64. Subnormal numbers are neither arguments nor results
// that are flushed to zero. Special cases are those of package math.
//
// # Which one to choose
//
// In a device function, float32(math.Exp(float64(x))) is the device's own float32
// function. It is fast, and its last bits depend on the device, its driver and
// its version. Choose math32 if results must not depend on where they were
// computed, or if the error should be below one unit in the last place, which few
// libraries promise. Choose math if neither matters and arithmetic limits the
// kernel. On the native CPU device, package math computes in float64; math32 is
// about as fast there.
//
// # Errors
//
// The table lists the largest error in units in the last place of the exact
// result; 0.5 is that of a correctly rounded result. For functions of one
// argument, it is the largest of all 2^32 arguments, found on an NVIDIA H200 (for
// Log2, on a CPU); for Atan2, Hypot and Pow, that of 10^9 random pairs. TestErrors
// measures it: like this on a GPU with SKEL_TEST=all, and with one argument in
// 4001 or 250,000 pairs by default.
//
//	Atan   0.90   Exp    0.91   Log    0.92   Sin   0.83
//	Atan2  0.92   Exp2   0.76   Log10  0.98   Sqrt  0.50
//	Cbrt   0.51   Expm1  0.96   Log1p  0.96   Tan   0.98
//	Cos    0.84   Erf    0.98   Log2   0.74   Tanh  0.98
//	Hypot  0.92   Erfc   0.97   Pow    0.78
//	Digamma and LogGamma for positive x: 0.78 and 0.67
//
// Next to its zeros at negative x, the error of LogGamma is at most 2^-27: 0.75
// units in the last place of results of 1/16. That of Digamma is at most 2^-21 (of
// one negative x in 61): up to one unit in the last place of results of 4.
package math32
