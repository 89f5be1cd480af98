// Package baseline fits mixtures of inverse Gaussian distributions in the way of the
// bulkem paper, by hand on OpenCL: one data set after the other in each of several command
// queues, with 2+M launches per iteration, and the M-step on the host. Start with
// mixtures.go.
package baseline
