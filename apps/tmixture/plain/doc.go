// Package plain is the EM algorithm for mixtures of t distributions in its shortest form. It does
// what the hand-written OpenCL version in package baseline does, so skelgo compare
// compares both. Package tmixture also chooses the first components and their number, has other
// forms of covariances and of degrees of freedom, needs fewer iterations where the likelihood is
// flat, and keeps its iterations on the devices.
//
// Start with [Fit].
package plain
