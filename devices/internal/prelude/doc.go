// Package prelude holds the C text that the preludes of OpenCL and CUDA share.
package prelude

import _ "embed"

//go:embed shared.h
var shared string

// Complete appends the shared text to the part that a device defines for itself,
// and directs the compiler to count the lines of each on their own.
func Complete(own string) string { return own + "#line 1 \"shared.h\"\n" + shared }
