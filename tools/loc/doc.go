// Command loc counts the lines of each application's versions, as docs/loc.txt
// lists them, and writes docs/loc.md. Run it with make loc.
//
// Files are formatted first (gofmt, clang-format). cloc counts lines that are
// neither blank nor comments. Only files with the algorithm and its data
// movement are listed, not those for flags, file formats or tests. Kernel code
// is counted separately from host code, and generated code in a column that no
// sum includes.
//
// Start with main.go; count.go runs cloc, and table.go writes the tables.
package main
