//go:build race

package reduce

var (
	otherSizes    []sized
	otherSegments []segmented
)
