// Package data reads and writes numbers for the applications: tables as text in
// columns (csv), in the text format of the Rodinia benchmarks or as NumPy's
// .npy, and arrays of any rank as .npy. Inputs may be compressed with gzip and
// come from a file or from standard input. Package input opens them; package
// output writes files that are complete or not there.
//
// Start with table.go and its Read, and with npy_array.go. Rules for csv:
//
//   - Fields are separated by semicolons, tabs, commas or blanks: the first of
//     these that the first line holds. Blanks around a field do not count. A
//     field may stand in double quotes. With semicolons and tabs, a decimal
//     comma is understood.
//   - Empty lines and lines that start with # are skipped.
//   - Numbers are decimal, such as -1, .5 or 6.02e23, or NaN and Inf in any
//     case. 0x10 and 1_000 are errors.
//   - The first line is a header if it holds no number, or if it holds a word
//     above a number (then, if it holds numbers too, Table.Notes says so). A
//     word is a field that is neither empty nor NA and does not start as a
//     number does: 2O above a number is an error and no header. If the first
//     name is empty, or the header has one field less than the lines below, the
//     first column holds row names and is left out: pandas and R write them.
//   - The last column is left out when it is text, as the class is in many
//     published data sets, and Table.Notes says so. Text in any other column
//     is an error, unless Columns or Ignore leave that column out.
//
// Text may be in UTF-8 or, with a byte order mark, in UTF-16; lines end in LF,
// CR LF or CR. A .npy must end where its shape says.
//
// Errors give file:line:column and the field's text. NaN, infinities and
// missing values (an empty field, NA) are errors unless AllowNonFinite is
// set.
package data
