// Package baseline is global alignment written directly on OpenCL, with the raw calls
// of devices/opencl/cl, to compare package nw with: the program that the papers on
// SkelCL compare with, which is that of the Rodinia benchmarks [Che et al. 2009].
//
// Its matrix is computed in tiles of 16 x 16 elements in local memory, diagonal by
// diagonal, one kernel for those that grow and one for those that shrink, and goes
// back to the host as a whole, which finds the path. As there, both sequences have the
// same number of letters, a multiple of 16. Unlike there the kernels look up what two
// letters are worth; Rodinia's host makes a second matrix of it for them.
//
// [Che et al. 2009]: https://doi.org/10.1109/IISWC.2009.5306797
package baseline
