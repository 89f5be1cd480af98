// Package baseline is the EM algorithm for mixtures of t distributions written directly on
// OpenCL, with the raw calls of devices/opencl/cl, for comparison with package tmixture. The
// kernels are those of the diploma thesis that package tmixture follows, where they are
// written in CUDA and call cuBLAS for products of matrices:
//
//   - Covariance matrices are full, there is one number of degrees of freedom, and the
//     number of components is fixed.
//   - The thesis multiplies densities, which underflow in 64 columns. Here their logarithms
//     are added. With the weights inside them, the thesis's local array of 32 weights, which
//     limits the number of components, is gone.
//   - Kernels of the thesis return before barriers, and read beyond the last row. These do
//     not.
//   - The thesis computes the determinant in a kernel of one thread. Here the host does
//     that, with gonum, beside Cholesky's factorization.
//
// Start with [Program].
package baseline
