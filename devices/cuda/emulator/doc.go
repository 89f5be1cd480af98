// Package emulator is a CUDA device made of this machine's processor, for tests
// where there is no GPU. Its kernels are the very text that NVRTC would get,
// compiled by clang++: with warps that exchange values, groups that make
// progress while others wait for them, local memory whose size the launch
// gives, and copies that go on by themselves. What it computes are the bits of
// a GPU, but for the last of the mathematical functions that CUDA and the C
// library each round their own way.
//
// All lanes of a launch take turns in one thread, in an order that is random and
// the same each time. Where a GPU would hang, because lanes wait for each other
// in different places, or for what never comes, a launch is an error that says
// what they wait for. New memory, local memory and lanes that are not there hold
// rubbish.
//
// cuda.h and after.h are CUDA for clang++, runtime.cpp runs the lanes, build.go
// calls the compiler; device.go, buffer.go, kernel.go and record.go are the
// driver.
package emulator
