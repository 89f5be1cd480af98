// Command loc counts the lines of each application's versions, as docs/loc.txt
// lists them, and writes docs/loc.md. Run it with make loc.
//
// The rules: files are formatted first (gofmt, clang-format); cloc counts
// lines that are neither blank nor comment; only files that hold the algorithm
// and its data movement are listed, not flags, file formats or tests; kernel
// code is counted apart from host code, and generated code in a column of its
// own that no sum includes.
//
// Start with main.go; count.go asks cloc, table.go writes the tables.
package main
