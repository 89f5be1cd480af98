// Package nw aligns two sequences, as Needleman and Wunsch do [1], written with
// skeletons alone. The matrix of scores, an element for each pair of beginnings of
// the two, comes in two formulations, and both run on every device:
//
// The wavefront form is nw.go, and what to start with: the user writes what an
// element is of its three neighbours, and skel.Wavefront computes those of a
// diagonal together. It is the fast one.
//
// The scan form is scan.go. It goes row by row: a Map computes what comes from the
// row above, and a prefix maximum what comes from the left, after Aluru, Futamura and
// Mehrotra [2], who took the prefix sums of Blelloch [3] for it; Daily [4] has what
// it is worth beside diagonals on processors. affine.go does the same for gaps that
// cost more to open [5] and for semi-global and local alignments [6], and varying.go
// for gaps whose cost depends on where they are. The rows are a loop that is recorded
// once. They are the reference of everything else here.
//
// Both give the whole matrix, in memory that grows with the product of the lengths,
// and scores are int32: |score| must stay below 1<<30, as must the cost of all letters
// against gaps. Package batch does not keep the matrix: it is for long sequences, and
// for many.
//
// baseline is the same as the papers on SkelCL have it, written directly on OpenCL;
// seq, subst and align are sequences, matrices and results; rodinia makes the data of
// the Rodinia benchmarks.
//
//   - [1] S. B. Needleman, C. D. Wunsch, J. Mol. Biol. 48 (1970), 443-453
//   - [2] S. Aluru, N. Futamura, K. Mehrotra, Parallel biological sequence comparison
//     using prefix computations, IPPS 1999 (and J. Parallel Distrib. Comput. 63, 2003)
//   - [3] G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190 (1990)
//   - [4] J. Daily, Parasail, BMC Bioinformatics 17:81 (2016)
//   - [5] O. Gotoh, J. Mol. Biol. 162 (1982), 705-708
//   - [6] T. F. Smith, M. S. Waterman, J. Mol. Biol. 147 (1981), 195-197
package nw
