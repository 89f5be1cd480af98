// Package mixtures fits mixtures of distributions to many small data sets of numbers at
// once: data sets times starts times numbers of components are one batch of independent
// fits by the EM algorithm, because a single fit is far too small for a GPU. The families are
// inverse Gaussian, normal, gamma, log-normal, Weibull, exponential and Poisson.
//
// Start with [FitSets] in mixtures.go. It follows bulkem ([Howson 2015]), which fits
// mixtures of inverse Gaussian distributions, one data set per stream of kernels. Here
//
//   - expect.go is the E-step: it computes all sums of a strip of 32 values at once, so that
//     an iteration is one pass over the data.
//   - maximize.go adds the sums of the strips, computes the next components, and decides
//     whether the fit has ended.
//   - batch.go records both launches in a loop, in which fits that have ended leave the
//     batch on the device.
//   - family_invgauss.go and its siblings each hold a family: log density, sums, and M-step.
//     family.go has what the families share.
//   - start.go chooses the first components, and bootstrap.go estimates standard errors.
//
// cmd.go, check.go, read.go, job.go, report.go and plot.go are the command.
//
// Package baseline is the scheme of bulkem by hand on OpenCL, and compare.go compares both.
//
// Computation is in float64. Densities are relative to the largest component, so none
// underflows. A fit has the same bits whatever else is in the batch, and on all devices.
//
// [Howson 2015]: https://github.com/ihowson/bulkem
package mixtures
