// Package skeltest is the conformance suite of package skel. [Run] tests every form of
// every skeleton on one device and compares the results with plain Go, bit for bit;
// [RunOver] does so with containers that are spread over several devices. A device
// driver passes when Run passes.
//
// # Where to start
//
// The suite consists of subjects, such as Map, Reduce, Scan or Errors. A folder holds a
// family of subjects, and its doc.go lists them. A change to one skeleton needs only the
// family of that skeleton: go test ./skel/skeltest/sorting compiles no wavefronts. Start
// with elementwise/map.go, the smallest subject: the user functions, the skeletons made
// from them, and testMap.
//
//   - elementwise tests Map, Zip and stencils, and what all calls have in common: traffic,
//     pending expressions, recorded loops, errors, goroutines, and random programs.
//   - reduce, selection, sorting, pairs and wavefront test the other skeletons.
//   - huge is a suite of its own: more than 2^32 elements.
//
// # What the families share
//
// Package kit holds what the families share:
//
//   - reference.go implements the order contract of package skel in plain Go, as
//     simply as possible.
//   - compare.go copies test data to devices and compares results: Put, Expect, OK.
//   - data.go has the test data, the sizes around all boundaries of the order contract,
//     and the rules by which a run leaves tests out.
//   - operators_shared.go has operators of reductions and scans. The other files have
//     functions and skeletons that several families use.
//   - run.go runs subjects, and devices.go runs them on every device that it finds.
//
// A new subject is a function in a file of its family, and a line in its doc.go. A new
// family is a folder with doc.go and suite_test.go, and a line in run.go. Package gputest
// runs the suite with the kernels for GPUs on machines that have no GPU.
//
// # Time
//
// A device that compiles kernels spends most of the suite's time on compiling. By
// default, and with -short, such a device builds about a third of the kernels;
// SKEL_TEST=all builds them all. SKEL_SUBJECTS=Map,Zip runs only these subjects.
package skeltest
