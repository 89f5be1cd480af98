// Package batch aligns many pairs of sequences in one go, on one device or on
// several: all of a mode, global, semi-global or local, with linear or affine gap
// costs, for their scores only or with the alignments themselves, in memory that
// grows with the lengths and not with their product. Start with Align.
//
// # How
//
// The tables of all pairs are one call of a skeleton, skel.Wavefront. What there is
// besides is small:
//
//   - scores.go has the cells of Needleman and Wunsch, Gotoh, and Smith and Waterman,
//     for those who want scores.
//   - ways.go has them with the move that leads to each cell, in two or four bits,
//     and follows the moves back, a work-item for each pair. Short tables are done with
//     that.
//   - bands.go has them with what is needed to cut a long table into short ones on the
//     way of its path.
//   - finish.go finds where alignments end, count.go counts those that are equally good,
//     align.go hands pairs to devices, and watch.go looks up from the work.
//
// # Which alignment
//
// Scores are the best there are. Of several alignments with the best score the one is
// found that Ties asks for, whatever the device, and however the table is cut.
//
// # How large
//
// A pair's letters together, times the largest cost or score, must stay below 2^27;
// Align says so before it computes anything. On GPUs paths take up to 1 KiB for each
// letter of the second sequence, 3 KiB with affine gap costs: 8 or 24 bytes in the last
// row of each of 128 bands. On processors a table whose ways take less than 256 MiB,
// 2 or 4 bits a cell, is not cut into bands, which is faster.
package batch

//go:generate go tool skelgen
