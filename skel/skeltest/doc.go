// Package skeltest is the conformance suite of package skel. [Run] tests every form of
// every skeleton on one device and compares the results with plain Go, bit for bit;
// [RunOver] does so with containers that are spread over several devices. A device
// driver passes when Run passes.
//
// # Where to start
//
// Read run.go first. It lists the subjects of the suite, such as Map, Reduce, Scan,
// Fusion or Errors, in an order in which each builds on those before, and it holds
// the functions that run all subjects or some of them. Then read map.go, the smallest
// subject: the user functions, the skeletons made from them, and testMap.
//
// # How the files are organised
//
// Each subject has a file of that name, with its user functions; a large subject has
// several files with a common prefix (allpairs.go, allpairs_fusion.go). These files
// are shared:
//
//   - reference.go implements the order contract of package skel in plain Go, as
//     simply as possible. [Reduce], [Scan] and the other functions are exported so that
//     tests of applications can use them.
//   - compare.go copies test data to devices and compares results: put, expect, ok.
//   - data.go has the test data, the sizes around all boundaries of the order contract,
//     and the rules by which a run leaves tests out.
//   - operators.go has the operators that the tests of Reduce and Scan share.
//   - huge.go and huge_memory.go hold [Huge], a suite of its own: more than 2^32 elements.
//   - zkernels.go holds the device forms of all user functions; go generate writes it.
//
// suite_test.go runs the suite on every device that it finds. Package gputest runs it
// with the kernels for GPUs on machines that have no GPU.
//
// # Time
//
// A device that compiles kernels spends most of the suite's time on compiling. By
// default, and with -short, such a device builds about a third of the kernels;
// SKEL_TEST=all builds them all.
package skeltest

//go:generate go tool skelgen
