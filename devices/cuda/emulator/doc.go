// Package emulator is a CUDA device that runs on the machine's processor, for
// tests without a GPU. It compiles, with clang++, the same text that NVRTC
// would compile: with warps that exchange values, groups that make progress
// while others wait for them, local memory with a size given at launch, and
// asynchronous copies. Its results are bit-identical to those of a GPU, except
// for the last bits of mathematical functions, which CUDA and the C library
// round differently.
//
// All lanes of a launch take turns in one thread, in a random order that is the
// same in every run. If a GPU would hang because lanes wait for each other in
// different places, or for something that never happens, the launch returns an
// error that names what they wait for. New memory, local memory and inactive
// lanes hold arbitrary values.
//
// On a GPU, how many lanes a group may have depends on the registers of the
// kernel, unless it is compiled for a number of lanes (KERNEL_OF). Here every
// kernel that is not is limited to 256 lanes, the least that a GPU allows.
//
// cuda.h and after.h define CUDA for clang++; runtime.cpp runs the lanes;
// build.go calls the compiler; device.go, buffer.go, kernel.go and record.go
// are the driver.
package emulator
