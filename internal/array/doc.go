// Package array holds what packages vector and matrix are faces of: containers
// without their public methods. Programs cannot import it; packages vector,
// matrix and skel convert between the public types and these.
//
// An [Array] has no element type. It consists of three parts, each with a family
// of files:
//
//   - storage: the device memory, and a host copy of the bytes that were read or
//     written (storage*.go);
//   - expression: what is still to be computed, and which pending expressions read
//     the array (expression*.go);
//   - spread: over several devices, a part on each, and copies in other places
//     (spread*.go).
//
// To settle an array is to compute its pending expression into device memory.
//
// A [Distribution] says on which devices an array is (distribution*.go); a [Place]
// is a distribution worked out for one array. [Vector] adds the element type.
// [View], [Window] and [Row] are what user functions receive.
//
// Start with array.go, then expression.go. Besides the packages under devices,
// this is the only one that may use unsafe.
package array
