// Package tmixture fits mixtures of multivariate t distributions. Their tails are longer
// than those of normal distributions, so that rows far from all components hardly change
// these. The number of components is given, or found by a message-length criterion.
//
// Start with [Fit] in tmixture.go. The algorithm is that of [Shoham et al. 2003], which
// iterates between two steps:
//
//   - estep.go computes, on the devices, Mahalanobis distances, log densities, the
//     log-likelihood, and for every row and component the probability z that the row
//     belongs to the component, and the weight u, which is small for outliers.
//   - mstep.go computes the means and covariances of rows with weights zu, also on the
//     devices. maximize.go computes the next parameters of them, and prepare.go the Cholesky
//     factors of the covariances.
//
// iteration.go records both steps, and holds the containers through which the host passes
// parameters. update.go has the host's part, and df.go estimates the degrees of freedom.
// extrapolation.go saves iterations where the likelihood is flat. mml.go has the
// criterion, and removes components as long as that improves it. start.go chooses the first
// components, without the outliers that outliers.go finds, and move.go starts those that collapse
// elsewhere. stream.go fits rows that are read in each pass. checkpoint.go has what a fit carries
// from one iteration to the next. model.go has the result, and assigns rows to components. cmd.go
// and job.go are the command.
//
// Package plain is the algorithm in its shortest form; read it first. Package baseline is the same by
// hand on OpenCL, and compare.go compares the three.
//
// The data are float64 or float32, and so is what is computed of each row, and the products of rows
// for the covariances; parameters and other sums over rows are float64 (precision.go has the
// skeletons for both). Results are bit-identical on all devices
// and for any number of them.
//
// [Shoham et al. 2003]: https://doi.org/10.1016/S0165-0270(03)00120-1
package tmixture
