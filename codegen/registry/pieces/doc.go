// Package pieces splits a Go file into its declarations and computes a sum of
// the text of each. The sum ignores comments, indentation and most line breaks,
// so it changes with the meaning of the text and not with its layout.
//
// Skelgen writes the sums of the declarations on which a device form depends to
// generated files, and package registry compares them with those of the source
// from which the binary was compiled. Programs do this when they first use a
// function, so Scan makes a single pass over the text and imports little.
package pieces
