//go:build gc && (amd64 || arm64)

package devices

// goroutine returns the address of the runtime's record of the calling goroutine.
// It identifies a goroutine until that ends, and is compared only with that of one
// that is recording. A stack trace would have its number, but takes microseconds,
// which was two thirds of the time of recording a loop.
func goroutine() uint64
