// Command streams prints the mean and the standard deviation of the numbers in a file, which may be larger
// than the memory of the device and of the host.
package main
