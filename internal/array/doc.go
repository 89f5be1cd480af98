// Package array implements the containers of packages vector and matrix, whose
// public types are defined in terms of its types. Packages vector, matrix and skel
// convert between the two.
//
// An [Array] has no element type. It consists of three parts, each with a family
// of files:
//
//   - storage: the device memory, and a host copy of the bytes that were read or
//     written (storage*.go);
//   - expression: the pending expression that computes the array, and the pending
//     expressions that read it (expression*.go);
//   - spread: the parts of an array on several devices, and copies of it in other
//     places (spread*.go).
//
// Settling an array means computing its pending expression into device memory.
//
// A [Distribution] says on which devices an array is (distribution*.go); a [Place]
// holds the bounds of the parts of one array. [Vector] adds the element type.
// [View], [Window] and [Row] are what user functions receive.
//
// Start with array.go, then expression.go. Besides the packages under devices,
// this is the only one that may use unsafe.
package array
