// Package output writes files atomically. Data goes to a temporary file in the same
// directory, which is renamed once everything has reached the disk. A full disk, an error
// or Ctrl-C leaves the old file unchanged. The outputs of a command form a Set and are
// renamed together.
//
// Start with Set.
package output
