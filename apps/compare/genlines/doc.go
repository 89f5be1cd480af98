// Command genlines writes apps/compare/zlines.go, the lines of code that
// skelgo compare shows, and docs/loc.txt, the list of files that make loc counts
// with cloc for docs/loc.md. The files are those that the applications name; a
// test compares the two counts.
//
// Start with count.go, which says what a line of code is.
package main
