// Package devices finds the devices of this machine and wraps them in what
// containers and skeletons need: buffers from a pool, kernels that are built
// once and kept on disk, counts of everything that happens, a trace, and a
// checked mode that turns a bad index in device code into an error with the
// line of the Go source.
package devices
