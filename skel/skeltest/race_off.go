//go:build !race

package skeltest

const raceDetector = false
