// Package input opens the inputs of applications: files or standard input, which may be
// compressed with gzip. Reading ends when the context is cancelled, even while a
// terminal or pipe sends nothing. Errors contain the name of the file. Start with Open.
package input
