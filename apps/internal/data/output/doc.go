// Package atomicfile writes files that are either complete or not there. What
// is written goes to a temporary file in the same directory, which is renamed
// once everything has reached the disk. A full disk, an error or Ctrl-C leaves
// what was there before. Several outputs of one command form a Set and are
// renamed together.
//
// Start with Set.
package output
