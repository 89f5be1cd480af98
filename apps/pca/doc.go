// Package pca computes principal components: the orthogonal directions along which the
// rows of a matrix vary most. Means, covariances, iterations and scores are computed by
// skeletons. The host factorizes, with gonum, matrices with as many rows as the data have
// columns.
//
// Start with [Fit] in pca.go. It computes the means of the columns and calls one of three
// methods, which agree up to rounding:
//
//   - tsqr.go reduces blocks of rows to triangular factors by Householder's
//     transformations, combines these in a tree, and takes the singular values of the last
//     one [Demmel et al. 2012]. It never squares the data, so it also finds components
//     whose standard deviation is 10^-14 of the largest.
//   - covariance.go takes the eigenvectors of the covariance matrix. It reads the data
//     once and is the fastest, but loses components whose standard deviation is less than
//     10^-8 of the largest. If there are fewer rows than columns, wide computes the
//     products of rows instead. krylov.go finds a few of many components from products of
//     the covariance matrix and blocks of vectors.
//   - nipals.go finds one component after the other by iteration [Wold 1966]. It is
//     worthwhile for the first few of many components.
//
// scale.go divides data whose squares overflow or underflow by a power of two. model.go
// computes scores from data and data from scores. householder.go factorizes a
// matrix by Householder's transformations. cmd.go and job.go are the command.
//
// All methods subtract the mean of each column first, and divide sums of squares by n-1.
// Computation is in float64: float32 data are converted inside the kernels. The sign of a
// component is such that its loading of largest magnitude is positive. For a given method,
// results are bit-identical on all devices and for any number of them.
//
// [Demmel et al. 2012]: https://doi.org/10.1137/080731992
// [Wold 1966]: H. Wold, Estimation of principal components and related models by iterative
// least squares, in P. R. Krishnaiah (ed.), Multivariate Analysis, 391-420, 1966.
package pca
