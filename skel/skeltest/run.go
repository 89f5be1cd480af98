package skeltest

import (
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// tests are the subjects of the suite, in the order in which to read its
// failures: what comes later uses what came before.
var tests = []struct {
	name string
	run  func(*testing.T, *devices.Device)
}{
	{"ElementTypes", testElementTypes},
	{"Map", testMap},
	{"Zip", testZip},
	{"LocalArrays", testLocalArrays},
	{"Extra", testExtra},
	{"Twice", testTwice},
	{"OutViews", testOutViews},
	{"Indices", testIndices},
	{"Reduce", testReduce},
	{"ReduceParts", testReduceParts},
	{"ReduceByKey", testReduceByKey},
	{"ArgMin", testArgMin},
	{"Scan", testScan},
	{"ScanParts", testScanParts},
	{"Order", testOrder},
	{"Segments", testSegments},
	{"Overlap", testOverlap},
	{"Repeat", testRepeat},
	{"Ready", testReady},
	{"Fusion", testFusion},
	{"AllPairs", testAllPairs},
	{"Wavefront", testWavefront},
	{"Traffic", testTraffic},
	{"Laziness", testLaziness},
	{"Coherence", testCoherence},
	{"InPlace", testInPlace},
	{"Aliasing", testAliasing},
	{"Combined", testCombined},
	{"Loop", testLoop},
	{"Errors", testErrors},
	{"Panics", testPanics},
	{"Goroutines", testGoroutines},
	{"Properties", testProperties},
	{"Defects", testDefects},
}

// Run puts a device through the whole suite. The device must have nothing
// else to do: the suite counts its launches, transfers and buffers.
func Run(t *testing.T, d *devices.Device) { RunBut(t, d) }

// RunOnly is Run with the subjects that are named and no others.
func RunOnly(t *testing.T, d *devices.Device, only ...string) {
	RunBut(t, d, Names(only...)...)
}

// sparing are the devices of RunSparing.
var sparing sync.Map

// RunSparing is RunOnly with few kernels, as with -short, but with all sizes: for
// kernels that take long to build and are like those of other devices.
func RunSparing(t *testing.T, d *devices.Device, only ...string) {
	sparing.Store(d, true)
	defer sparing.Delete(d)
	RunOnly(t, d, only...)
}

// eachSize holds the devices of RunEachSize.
var eachSize sync.Map

// RunEachSize is RunBut with one operator of each size: for an emulated device,
// whose kernels differ in the sizes of elements and otherwise in the operator's
// text, which the devices that are tested with all operators compile too.
func RunEachSize(t *testing.T, d *devices.Device, but ...string) {
	eachSize.Store(d, true)
	defer eachSize.Delete(d)
	RunBut(t, d, but...)
}

// Names returns the names of all subjects but those given.
func Names(but ...string) []string {
	var names []string
	for _, test := range tests {
		if !slices.Contains(but, test.name) {
			names = append(names, test.name)
		}
	}
	return names
}

// overSeveral are the subjects that say what results are, and not how they come
// about.
var overSeveral = []string{"ElementTypes", "Map", "Zip", "Extra", "Twice", "Indices", "Reduce", "ReduceParts", "ReduceByKey", "ArgMin", "AllPairs", "Overlap", "Repeat", "Ready", "Wavefront",
	"Scan", "ScanParts", "Order", "Segments", "InPlace", "Aliasing", "Combined", "Properties", "Defects"}

// OverSeveral are the subjects that RunOver runs, without those that are named.
func OverSeveral(but ...string) []string {
	return slices.DeleteFunc(slices.Clone(overSeveral), func(name string) bool { return slices.Contains(but, name) })
}

// RunOver puts several devices through the suite, with all containers in a
// distribution over them: the subjects that are named, or all. The results must
// be the same bits as on one.
func RunOver(t *testing.T, where vector.Distribution, only ...string) {
	d := where.Device()
	spread.Store(d, where)
	defer spread.Delete(d)
	if len(only) == 0 {
		only = overSeveral
	}
	RunOnly(t, d, only...)
}

// RunBut is Run without the subjects that are named.
func RunBut(t *testing.T, d *devices.Device, but ...string) {
	for _, test := range tests {
		if slices.Contains(but, test.name) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			devicestest.NoLeaks(t, d)
			test.run(t, d)
		})
	}
}
