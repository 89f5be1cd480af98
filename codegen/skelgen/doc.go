// Skelgen gives the functions that a package hands to skeletons their device
// form: one zkernels.go a package (and zkernels_test.go, zkernels_x_test.go
// for its tests), to be committed.
//
//	go tool skelgen [-check] [-C dir] [packages]
//
// Without packages it works on the one in the current directory, as
// //go:generate go tool skelgen wants it. With -check it writes nothing, and
// fails when something would change.
//
// It looks at every func value that reaches a function New... of package
// skel, and at functions marked
//
//	//skel:func
//
// A generated file embeds the source files of its functions, so that a program
// notices when one of them was changed after skelgen ran. For functions of other
// packages of the module, skelgen writes a zkernels-sources.go into those.
//
// Functions marked //skel:cpu, and literals with that comment on their line,
// are left to the CPU device.
package main
