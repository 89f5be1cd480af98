// Package checkpoint keeps the state of a long computation in a file, so that a later run of
// the program goes on from there and finds the same result, to the last bit, on any devices
// and on any number of ranks.
//
// A state is a struct that encoding/gob can encode: what the next step needs that cannot be
// computed again. It must not depend on devices. gob makes 0 of a field of a struct that is -0, but
// keeps -0 in slices and arrays. The file also has facts about the run, such
// as its options and a checksum of its data, and a run with other facts refuses it.
//
// Start with file.go.
package checkpoint
