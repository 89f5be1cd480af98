//go:build race

package skeltest

var (
	otherElements []runner
	otherSizes    []sized
	otherSegments []segmented
)
