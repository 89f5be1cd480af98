// Package align defines what an alignment of two sequences is, computes its score from its
// path, and writes it in several formats. Package nw finds alignments. Start with
// Alignment, and with NewWriter for the formats.
//
// # Which sequence is which
//
// A is the sequence of the first file: EMBOSS's asequence, the rows of the matrix, and in
// SAM and PAF the reference or target. B is the sequence of the second file: EMBOSS's
// bsequence, the columns, the query or read. A path is written as a CIGAR of SAM:
//
//	=  a letter of A and the same letter of B
//	X  a letter of A and another letter of B
//	D  a letter of A and a gap in B: the reference has it, the read does not
//	I  a letter of B and a gap in A: the read has it, the reference does not
//	M  = or X, where the difference does not matter; Resolve tells them apart
//
// so that EMBOSS's needle -aformat sam gives the same coordinates.
//
// # Scores
//
// A gap of L letters costs open + (L-1)*extend, as in EMBOSS and parasail. (In BLAST's
// options it costs open + L*extend.) A linear gap cost is open = extend. A gap in A next to
// a gap in B counts as two gaps. A score is the sum of the matrix over the columns with two
// letters, minus the cost of the gaps that are not free.
//
// # What is counted
//
// Positions count from 0, and an end is the position after the last letter, as in PAF; the
// formats pair and SAM count from 1. In a semi-global or local alignment the path covers A
// from StartA to EndA and B from StartB to EndB, and the rest is free. Length, identity,
// similarity and gaps are those of the path. Only the format pair, which shows a
// semi-global alignment as needle does, with the free ends as gaps, counts them as needle
// does.
package align
