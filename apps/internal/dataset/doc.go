// Package dataset reads tables of numbers for the applications: text in
// columns (csv), the text format of the Rodinia benchmarks, and NumPy's .npy,
// each also compressed with gzip, from a file or from standard input. It
// writes the results the same way.
//
// Start with table.go and its Read. What it accepts as csv:
//
//   - Fields are separated by semicolons, tabs, commas or blanks: the first of
//     these that the first line holds. Blanks around a field do not count. A
//     field may stand in double quotes. With semicolons and tabs, a decimal
//     comma is understood.
//   - Empty lines and lines that start with # are skipped.
//   - The first line is a header when it has text above a number, or no number
//     at all. When its first name is empty, or it has one field less than the
//     lines below, then the first column holds row names and is left out: so
//     pandas and R write them.
//   - The last column is left out when it is text, as the class is in many
//     published data sets, and Table.Notes says so. Text in any other column
//     is an error, unless Columns or Ignore leave that column out.
//
// Errors give file:line:column and the field's text. NaN, infinities and
// missing values (an empty field, NA) are errors unless AllowNonFinite is
// set.
package dataset
