// Package pieces takes a Go file apart into its declarations and gives each a
// sum of its text. Comments, indentation and most line breaks do not count, so
// the sum changes with the meaning and not with the layout.
//
// Skelgen writes the sums of the declarations that a device form was made from
// into generated files, and package registry compares them with those of the
// source that the binary was compiled from. Programs pay for that when they
// start, so the package is one pass over the text and imports little.
package pieces
