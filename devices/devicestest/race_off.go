//go:build !race

package devicestest

// RaceDetector says whether the race detector is in the program: it is slow, and
// has sync.Pool forget some of what it is given.
const RaceDetector = false
