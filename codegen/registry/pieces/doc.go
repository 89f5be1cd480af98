// Package pieces splits a Go file into its declarations and computes a sum of
// the text of each. Comments, indentation and most line breaks do not count, so
// the sum changes with the meaning and not with the layout.
//
// Skelgen writes the sums of the declarations that a device form was made from
// into generated files, and package registry compares them with those of the
// source that the binary was compiled from. Programs pay for that when they
// first use a function, so Scan makes one pass over the text and imports little.
package pieces
