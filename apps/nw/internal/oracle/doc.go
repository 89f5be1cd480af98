// Package oracle finds best alignments slowly and plainly, so that the fast
// ways have something to be compared with. Start with Align.
//
// The definition that it follows, and that everything here is derived from:
// an alignment is a sequence of columns, and of all of them the best ones are
// those whose score is highest. A table holds, for every cell (i, j) and every
// kind of column, what the best alignment of the first i letters of A with the
// first j of B is worth whose last column is of that kind. Three kinds are
// enough to know whether a gap opens or goes on, and no alignment is in two of
// them, so that the alignments can be counted by the same table.
//
// It takes time and memory in proportion to the product of the lengths, some
// 100 ns and 32 bytes a cell.
package oracle
