// Package frequency estimates the frequency of an oscillation that is superimposed on a
// phase-coded signal, such as interference in radio reception, by maximum likelihood. It
// evaluates
//
//	F(f) = Q - r'C⁻¹r
//
// at every frequency of an axis and returns the lowest value [Strokov 2015]. Q is the energy
// of the samples. C has the scalar products of four functions of time, and r their products
// with the samples: the two images, which are the coded carrier and the same a quarter of a
// period later, and the cosine and the sine of frequency f. So F is the energy that remains
// when the best combination of the four is subtracted from the samples.
//
// Start with [Minimize] in minimize.go.
//
//   - signal.go has the samples, the code and the images, and project.go what does not depend
//     on the frequency. It is computed once: the images are made orthonormal and subtracted
//     from the samples, which leaves two equations of the four, and samples at equal distances
//     from the middle are added and subtracted, which leaves half of the samples.
//   - sums.go computes the seven sums over the samples on which F depends, at one frequency,
//     by rotations that restart after every [Restart] samples.
//   - series.go computes their Taylor series at the middle of a block of neighbouring
//     frequencies. In a block of b nodes the samples are read once instead of b times, and a
//     node costs seven polynomials. The blocks are so narrow that the remainder of the series
//     is below the rounding of float64.
//   - lowest.go compares the nodes, in the kernel that computes them. Values are never stored.
//   - estimate.go finds the minimum between nodes and its confidence interval.
//
// cmd.go and job.go are the command skelgo grid frequency.
//
// Results are bit-identical on all devices and for any number of them.
//
// [Strokov 2015]: http://jre.cplire.ru/jre/jan15/3/text.html
package frequency
