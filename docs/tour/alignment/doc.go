// Package alignment holds the code of the chapter "Tables: a wavefront, or scans" of
// docs/tour.md: the matrix of scores of two sequences, computed row by row with Map and
// Scan. It is also the reference that the tests of apps/nw compare with. Start with Scores.
//
// A Map computes what comes from the row above, and a prefix maximum what comes from the
// left, after Aluru, Futamura and Mehrotra [1], who used the prefix sums of Blelloch [2];
// Daily [3] compares this with diagonals on processors. scan_affine.go does the same for
// gaps that cost more to open [4] and for semi-global and local alignments [5], and
// scan_varying.go for gaps whose cost depends on the position. The loop over the rows is
// recorded once.
//
// The functions return the whole matrix, in memory that grows with the product of the
// lengths. Scores are int32: |score| must stay below 1<<30, and so must the cost of all
// letters against gaps.
//
//   - [1] S. Aluru, N. Futamura, K. Mehrotra, Parallel biological sequence comparison
//     using prefix computations, IPPS 1999 (and J. Parallel Distrib. Comput. 63, 2003)
//   - [2] G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190 (1990)
//   - [3] J. Daily, Parasail, BMC Bioinformatics 17:81 (2016)
//   - [4] O. Gotoh, J. Mol. Biol. 162 (1982), 705-708
//   - [5] T. F. Smith, M. S. Waterman, J. Mol. Biol. 147 (1981), 195-197
package alignment

//go:generate go tool skelgen
