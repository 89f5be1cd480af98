// Package oracle finds best alignments slowly and plainly: the reference implementation
// that the tests of nw compare with. Start with Align.
//
// Everything here follows from this definition: an alignment is a sequence of columns, and
// the best ones are those with the highest score. For every cell (i, j) and every kind of
// column, a table holds the score of the best alignment of the first i letters of A and the
// first j of B whose last column is of that kind. Three kinds are enough to know whether a
// gap opens or is extended, and no alignment belongs to two of them, so the same table
// serves to count alignments.
//
// It takes time and memory in proportion to the product of the lengths: about 100 ns and 32
// bytes for each cell.
package oracle
