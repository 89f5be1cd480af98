//go:build race

package devicestest

// RaceDetector reports whether the program was built with the race detector,
// which is slow and makes sync.Pool drop some of its values.
const RaceDetector = true
