// Package plain is Needleman and Wunsch's algorithm in its shortest form: the whole matrix
// of scores of one pair by a skel.Wavefront, and the path through it on the host. It is
// what to read first, and what skelgo compare runs next to the hand-written OpenCL version,
// which keeps the whole matrix, too. skelgo nw runs the tuned form, package nw. Start with
// Scores.
//
// Memory grows with the product of the lengths. Scores are int32: |score| must stay below
// 1<<30, and so must the cost of all letters against gaps.
package plain
