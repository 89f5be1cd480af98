// Package align has what an alignment of two sequences is, how its score is
// computed from it, and the formats in which it is written. The algorithms
// that find alignments are above it, in package nw. Start with Alignment, and
// for the formats with NewWriter.
//
// # Which sequence is which
//
// A is the sequence of the first file: EMBOSS's asequence, the rows of the
// matrix, and in SAM and PAF the reference or target. B is that of the second
// file: EMBOSS's bsequence, the columns, the query or read. A path is written
// as the CIGAR of SAM:
//
//	=  a letter of A against the same letter of B
//	X  a letter of A against another letter of B
//	D  a letter of A against a gap in B: the reference has it, the read does not
//	I  a letter of B against a gap in A: the read has it, the reference does not
//	M  = or X, where it does not matter; Resolve tells them apart
//
// so that EMBOSS's needle -aformat sam gives the same coordinates.
//
// # Scores
//
// A gap of L letters costs open + (L-1)*extend, as in EMBOSS, parasail and
// BLAST's matrices but not in BLAST's options, where it costs open + L*extend.
// A linear gap cost is open = extend. A gap in A next to a gap in B is two
// gaps. A score is the sum of the matrix over the columns with two letters,
// less the gaps that are not free.
//
// # What is counted
//
// Positions count from 0, and an end is the position after the last letter,
// as in PAF; the formats pair and SAM count from 1. In a semi-global or local
// alignment the path covers A from StartA to EndA and B from StartB to EndB,
// and what lies outside is free. Length, identity, similarity and gaps are
// those of the path. Only the format pair, which shows a semi-global alignment
// as needle does, with the free ends as gaps, counts these as needle does.
package align
