// Package kdd makes points for the measurements of k-means, like those of the
// KDD Cup 1999 in number, dimension and shape: clusters of very unequal
// sizes, columns of very unequal scales.
package kdd
