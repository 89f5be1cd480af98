// Package alignment holds the code of the chapter "Tables: a wavefront, or scans" of
// docs/tour.md. It computes the matrix of alignment scores of two sequences row by row,
// with Map and Scan, and is a reference for the tests of apps/nw. Start with Scores.
//
// In each row, a Map computes the scores that depend on the row above, and a prefix
// maximum adds the gaps that come from the left. The method is that of Aluru, Futamura and
// Mehrotra [1], who built on the prefix sums of Blelloch [2]; Daily [3] compares it with
// diagonals on CPUs. scan.go has linear gap costs. scan_affine.go has affine gap costs [4],
// and semi-global and local alignments [5]. scan_varying.go has gap costs that depend on
// the position. The computation of a row is recorded once and replayed for every row.
//
// The functions return the whole matrix, so memory grows with the product of the lengths.
// Scores are int32. The absolute values of all scores, and the cost of one gap that spans
// all letters, must stay below 1<<30.
//
//   - [1] S. Aluru, N. Futamura, K. Mehrotra, Parallel biological sequence comparison
//     using prefix computations, IPPS 1999 (and J. Parallel Distrib. Comput. 63, 2003)
//   - [2] G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190 (1990)
//   - [3] J. Daily, Parasail, BMC Bioinformatics 17:81 (2016)
//   - [4] O. Gotoh, J. Mol. Biol. 162 (1982), 705-708
//   - [5] T. F. Smith, M. S. Waterman, J. Mol. Biol. 147 (1981), 195-197
package alignment

//go:generate go tool skelgen
