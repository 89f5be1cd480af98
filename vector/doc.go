// Package vector provides one-dimensional containers that live on devices.
//
// A [Vector] holds its elements on a device, and keeps a host copy of those that
// were read, so that nothing is transferred twice. An [IndexVector] is the vector
// 0, 1, ..., n-1 and takes no memory. A [Scalar] is one element, such as the result
// of a reduction.
//
// User functions read other containers through a [View] and write them through an
// [OutView]. A stencil passes them a [Window], an AllPairs a [Row].
//
// # Lazy results
//
// Map, Zip, MapOverlap, AllPairs, Gather and Reverse return a pending expression, which is
// computed when it is needed. If possible, the first skeleton that uses it computes it
// inside its own kernel; package skel says when. A second use computes it into memory
// first. Before an input changes, the pending expressions that read it are computed, so
// laziness never changes a result.
//
// # Lengths on the device
//
// The results of skel's Filter, Unique and Compact have a length that the device
// computes. [Vector.Len] waits for it. [Vector.Cap] returns an upper bound, for which there
// is memory, without waiting. [Vector.Count] is the length as a scalar that user functions
// read through a View.
//
// # Several devices
//
// A [Distribution] says where the elements are: on one device, replicated on
// several, or a part of them on each. By default, large containers are in blocks
// over the selected devices, and other containers are on the first one.
//
// # Errors
//
// A result carries the first error of its inputs and its computation; [Vector.Err],
// [Vector.Host], [Vector.At] and [Vector.Wait] return it. Bugs of the caller, such
// as an index out of range, panic.
//
// # Goroutines
//
// Several goroutines may use one Vector as an input at the same time. As with a
// slice, a change (Set, Write, an OutView, Free) must not run at the same time as
// any other use.
//
// Start with vector.go. Package internal/array implements these types.
package vector
