// Skelgen generates device forms of the functions that a package passes to
// skeletons: one zkernels.go for each package (and zkernels_test.go and
// zkernels_x_test.go for its tests), which should be committed.
//
//	go tool skelgen [-check | -print function] [-C dir] [packages]
//
// Without arguments it processes the package in the current directory, as
// //go:generate go tool skelgen does. With -check it writes nothing and fails
// if a file would change. With -print it writes nothing, and prints what a function
// such as nearest, kmeans.nearest or the literal at kmeans.go:12 means on devices
// (package codegen/ir), and its C.
//
// It processes every func value that reaches a New... function of package skel,
// and functions marked
//
//	//skel:func
//
// A marked function with one type parameter is processed for every predeclared type that
// the constraint permits, and a marked function without parameters that returns a function
// stands for that function. So a library carries the device forms of its functions, and
// packages that use them need not be generated.
//
// A generated file embeds the source files of its functions, so that a program
// detects functions that were changed after skelgen ran. For functions of other
// packages of the module, skelgen writes a zkernels-sources.go in those
// packages.
//
// Functions marked //skel:cpu, and literals with that comment on their line,
// run only on the CPU device.
package main
