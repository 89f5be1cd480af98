// Command genlines writes apps/compare/zlines.go, the lines of code that
// `skelgo compare` shows, from the list in docs/loc.txt. `make loc` counts
// the same files with cloc, for docs/loc.md; a test compares the two.
//
// Start with count.go, which says what a line of code is.
package main
