// Package vector holds one-dimensional containers that live on devices.
//
// A [Vector] owns its elements on a device and keeps a host copy of the parts
// that were read, so that nothing travels twice. An [IndexVector] is the
// vector 0, 1, ..., n-1 and takes no memory. A [Scalar] is the one element
// that a reduction gives.
//
// # Lazy results
//
// What a skeleton returns is a Vector at once, and is computed when something
// needs it in memory. Until then it is an expression: its first use as the
// input of another element-wise skeleton, a reduction or a scan becomes part
// of that kernel, a second use puts it into memory first. Changing an input
// settles what depends on it before the change, so laziness never shows in a
// result.
//
// # Several devices
//
// A [Distribution] says where the elements are: on one device, a replica on each
// of several, or a part of them on each. Left to the program, large containers
// are in blocks over the devices that were chosen, and others on the first. Over
// several devices a container is a list of parts, each of which is as lazy, as
// coherent and as wrong as a container on one.
//
// # Errors
//
// A result carries the first error on its way; [Vector.Err], [Vector.Host],
// [Vector.At] and [Vector.Wait] show it. Bugs of the caller, such as an index
// out of range, panic.
//
// # Goroutines
//
// Several goroutines may use one Vector as an input at the same time. A
// change (Set, Write, an out-view, Free) must not run at the same time as
// another use, as with a slice.
//
// Start with vector.go; array.go holds what is the same for every element
// type: memory, coherence and laziness; distribution.go, place.go and parts.go are
// what several devices need. Array, Place, Head, Lazy, Viewer and what says
// so are there for packages matrix and skel; programs have no use for them.
package vector
