// Package nw aligns pairs of protein or nucleotide sequences, as Needleman and Wunsch do [1]:
// globally, semi-globally [2] or locally [3], with linear or affine gap costs [4], for the
// scores only or with the alignments themselves, many pairs at once, on one or several
// devices. It is written with skeletons alone, and skelgo nw is its command.
//
// nw.go is the algorithm, from top to bottom: the cells of the recurrences, the traceback,
// and the checkpoint rows [5, 6] with which memory grows with the lengths of the sequences
// and not with their product. All tables of a call are computed by one call of a
// skel.Wavefront. Start with Align, and with package plain for the algorithm in 40 lines.
//
//   - nw_traceback.go packs and follows moves, cuts tables into segments and joins their
//     paths; nw_ends.go finds where alignments end, and nw_plan.go fits all of that into the
//     memory of a device.
//   - nw_count.go counts equally good alignments, and nw_matrix.go computes whole matrices.
//   - align.go distributes pairs over the devices.
//   - cmd.go, cmd_scoring.go, report.go and plot.go are the command.
//
// Packages seq, subst and align have sequences, substitution matrices and alignments in
// their formats. Package plain is the algorithm in its shortest form, with the whole matrix,
// and package baseline the same written directly on OpenCL. docs/tour/alignment computes the
// matrix by scans of rows.
//
// # Which alignment
//
// Scores are the best there are. Among several alignments with the best score, Ties chooses
// one, the same on every device and however the table is cut.
//
// # Sizes
//
// The number of letters of a pair times the largest cost or score must be below 2^27; Align
// checks that before it computes anything. On GPUs, paths take up to 1 KiB for each letter of
// the second sequence, 3 KiB with affine gap costs: 8 or 24 bytes in each of 128 checkpoint
// rows. On processors, a table whose moves take less than 256 MiB, 2 or 4 bits for each cell,
// is not cut, which is faster.
//
//   - [1] S. B. Needleman, C. D. Wunsch, J. Mol. Biol. 48 (1970), 443-453
//   - [2] P. H. Sellers, J. Algorithms 1 (1980), 359-373
//   - [3] T. F. Smith, M. S. Waterman, J. Mol. Biol. 147 (1981), 195-197
//   - [4] O. Gotoh, J. Mol. Biol. 162 (1982), 705-708
//   - [5] D. S. Hirschberg, CACM 18 (1975), 341-343
//   - [6] E. W. Myers, W. Miller, CABIOS 4 (1988), 11-17
package nw
