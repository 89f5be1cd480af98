// Package baseline is global alignment written directly on OpenCL, with the raw calls of
// devices/opencl/cl, to compare package nw with. It is the program that the papers on SkelCL
// compare with, from the Rodinia benchmarks [Che et al. 2009].
//
// The matrix is computed in tiles of 16 x 16 elements in local memory, diagonal by diagonal,
// with one kernel for the growing diagonals and one for the shrinking ones. The host
// downloads the whole matrix and finds the path. As in Rodinia, both sequences have the same
// number of letters, a multiple of 16. Unlike in Rodinia, where the host makes a second
// matrix of the scores of letters, the kernels look these up.
//
// [Che et al. 2009]: https://doi.org/10.1109/IISWC.2009.5306797
package baseline
