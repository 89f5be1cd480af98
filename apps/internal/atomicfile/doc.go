// Package atomicfile writes files that are either whole or not there: the
// text goes to a file aside, in the same folder, that takes the name only
// when everything has reached the disk. A full disk, an error or Ctrl-C
// leaves what was there before.
package atomicfile
