// Package baseline describes the hand-written OpenCL versions of the applications to
// skelgo compare, measures them phase by phase, and checks their results against those
// of skelgo's version.
//
// The versions themselves are in apps/NAME/baseline and call devices/opencl/cl
// directly. Each of them opens its device, builds its program and releases its objects
// with raw calls. These lines are alike in all of them, but every program that is
// written on OpenCL alone needs them, so they count.
//
// Start with [Comparison].
package baseline
