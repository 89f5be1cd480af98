// Package printable makes text of files safe to show. Names of columns, groups and
// files may hold control characters, which a terminal executes and which XML does not
// allow, and bytes that are not UTF-8.
//
// Start with Writer.
package printable
