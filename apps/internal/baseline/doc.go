// Package baseline holds what the hand-written OpenCL versions of the
// applications share outside the code that is counted: how they are described
// to skelgo compare, measured phase by phase, and checked against skelgo's
// version.
//
// The versions themselves are in apps/NAME/baseline and call devices/opencl/cl
// directly. Each opens its device, builds its program and releases its objects
// with raw calls, although these lines are alike in all of them: a program that
// is written on OpenCL alone has them, so they count.
//
// Start with [Comparison].
package baseline
