// Package input opens what an application reads: a file or standard input,
// unpacked when it is compressed with gzip, and given up when its context
// ends, even while nothing comes from a terminal or a pipe. Its errors name
// the file in the form in which people ask for it. Start with Open.
package input
