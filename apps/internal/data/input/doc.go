// Package input opens the inputs of applications: files or standard input,
// which may be compressed with gzip. Reading ends when the context does, even
// while a terminal or pipe sends nothing. Errors name the file. Start with Open.
package input
