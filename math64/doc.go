// Package math64 has the functions of package math that differ between devices,
// for float64, with one result: a function of this package returns the same bits
// on the CPU, on OpenCL devices, on CUDA devices, and with every Go compiler, also
// those that fuse x*y + z, as for arm64.
//
// Use it where results must not depend on the device: in iterations that compare
// numbers and so turn a different last place into a different result, in random
// numbers, in tests with expected results, and where a run on a GPU must be
// repeated on a CPU. Where that does not matter, use package math: in a device
// function it is the device's own, which is up to twice as fast. The square root
// and the fused multiply-add are math.Sqrt and math.FMA, which are bit-identical
// anyway, and so are math.Abs, Floor, Mod and others (docs/subset.md lists them).
// Package math32 has the same functions for float32.
//
// Special cases are those of package math. Subnormal numbers are arguments and
// results like others.
//
// # Accuracy
//
// Every result is less than one unit in the last place away from the exact one.
// The largest errors that were found, in such units, among arguments of every
// exponent and random ones:
//
//	Atan, Atan2      0.74    Exp, Exp2     0.68    Pow           0.75
//	Cbrt, Hypot      0.501   Expm1         0.79    Sin, Cos      0.78
//	Digamma          0.91    Log, Log1p    0.63    Tan           0.83
//	Erf              0.88    Log2, Log10   0.68    Tanh          0.68
//	Erfc             0.87    LogGamma      0.63
//
// (of 10^7 random arguments for Atan, Cos, Erf, Exp, Exp2, Expm1, Hypot, Sin and
// Tan, and 10^6 for the others).
//
// LogGamma and Digamma are so accurate for positive arguments, also next to the
// zeros of both. For negative arguments, the unit is at least 2^-53, the last
// place of numbers from 0.5 to 1: next to the zeros there the error is absolute.
//
// # Method
//
// The functions reduce their argument, evaluate a polynomial with fused
// multiply-adds, and add the largest term last. They have no tables, and nearly
// no branches. ADR 26 describes the method, and what was rejected.
package math64
