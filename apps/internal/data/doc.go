// Package data reads and writes numbers for the applications: tables as text in
// columns (csv), in the text format of the Rodinia benchmarks or as NumPy's .npy, and
// arrays of any rank as .npy. Inputs are files or standard input and may be compressed
// with gzip. Package input opens them; package output writes files atomically.
//
// Start with Read in table.go, and with npy_array.go for arrays; model.go reads models that
// commands have saved. Rules for csv:
//
//   - Fields are separated by semicolons, tabs, commas or blanks: the first of
//     these that the first line has. Blanks around a field are ignored. Fields
//     may be in double quotes. With semicolons and tabs, a number may have a
//     decimal comma.
//   - Empty lines and lines that start with # are skipped.
//   - Numbers are decimal, such as -1, .5 or 6.02e23, or NaN and Inf in any
//     case. 0x10 and 1_000 are errors.
//   - The first line is a header if it holds no number, or if it holds a word
//     above a number. (Table.Notes reports a header that holds numbers too.) A
//     word is a field that is neither empty nor NA and does not start like a
//     number: 2O above a number is an error, not a header. If the first name
//     is empty, or the header has one field less than the lines below, the
//     first column holds row names, as pandas and R write them, and is left
//     out.
//   - A last column of text, such as the class in many published data sets, is
//     left out, and Table.Notes says so. Text in any other column is an error,
//     unless Columns or Ignore leave that column out.
//
// Text may be in UTF-8 or, with a byte order mark, in UTF-16; lines end in LF, CR LF or
// CR. A .npy must end where its shape says.
//
// Errors contain file:line:column and the field's text. NaN, infinities and missing
// values (an empty field, NA) are errors unless AllowNonFinite is set.
package data
