package skeltest

import (
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// tests lists the subjects of the suite. When several fail, look at the first one:
// later subjects use what earlier ones test.
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
	{"Share", testShare},
	{"Reduce", testReduce},
	{"ReduceParts", testReduceParts},
	{"ReduceByKey", testReduceByKey},
	{"ReduceAnyOrder", testAnyOrder},
	{"Histogram", testHistogram},
	{"ArgMin", testArgMin},
	{"Scan", testScan},
	{"ScanParts", testScanParts},
	{"Select", testSelect},
	{"SelectLoop", testSelectLoop},
	{"SelectUse", testSelectUse},
	{"Order", testOrder},
	{"Sort", testSort},
	{"Segments", testSegments},
	{"SortMerge", testSortMerge},
	{"SortRows", testSortRows},
	{"Overlap", testOverlap},
	{"Repeat", testRepeat},
	{"Gather", testGather},
	{"Transpose", testTranspose},
	{"Search", testSearch},
	{"Ready", testReady},
	{"Fusion", testFusion},
	{"AllPairs", testAllPairs},
	{"ColumnPairs", testColumnPairs},
	{"Products", testProducts},
	{"Dense", testDense},
	{"Wavefront", testWavefront},
	{"Traffic", testTraffic},
	{"Laziness", testLaziness},
	{"Coherence", testCoherence},
	{"InPlace", testInPlace},
	{"Aliasing", testAliasing},
	{"Combined", testCombined},
	{"Loop", testLoop},
	{"Errors", testErrors},
	{"Races", testRaces},
	{"Panics", testPanics},
	{"Goroutines", testGoroutines},
	{"Properties", testProperties},
	{"Defects", testDefects},
}

// Run runs the whole suite on a device. Nothing else may use the device meanwhile,
// because the suite counts its launches, transfers and buffers.
func Run(t *testing.T, d *devices.Device) { RunBut(t, d) }

// RunOnly runs the given subjects of the suite.
func RunOnly(t *testing.T, d *devices.Device, only ...string) {
	RunBut(t, d, Names(only...)...)
}

// sparing holds the devices of RunSparing.
var sparing sync.Map

// RunSparing runs the given subjects with few kernels, as with -short, but with all
// sizes. It is for a device whose kernels take long to build and resemble those of
// other devices.
func RunSparing(t *testing.T, d *devices.Device, only ...string) {
	sparing.Store(d, true)
	defer sparing.Delete(d)
	RunOnly(t, d, only...)
}

// eachSize holds the devices of RunEachSize.
var eachSize sync.Map

// RunEachSize is RunBut with one operator of each element size. It is for an emulated
// device: apart from the element size, its kernels differ only in the text of the
// operator, which other devices compile too.
func RunEachSize(t *testing.T, d *devices.Device, but ...string) {
	eachSize.Store(d, true)
	defer eachSize.Delete(d)
	RunBut(t, d, but...)
}

// Names returns the names of all subjects except the given ones.
func Names(but ...string) []string {
	var names []string
	for _, test := range tests {
		if !slices.Contains(but, test.name) {
			names = append(names, test.name)
		}
	}
	return names
}

// overSeveral lists the subjects that test results only. The others also test launches,
// transfers and memory, which are different on several devices.
var overSeveral = []string{"ElementTypes", "Map", "Zip", "Extra", "Twice", "Indices", "Reduce", "ReduceParts",
	"ReduceByKey", "ReduceAnyOrder", "Histogram", "ArgMin", "AllPairs", "ColumnPairs", "Products", "Dense",
	"Overlap", "Repeat", "Gather", "Transpose", "Search", "Ready", "Wavefront", "Scan", "ScanParts", "Select",
	"SelectUse", "Order", "Sort", "SortMerge", "SortRows", "Segments", "InPlace", "Aliasing", "Combined",
	"Properties", "Defects"}

// OverSeveral returns the subjects that RunOver runs by default, except the given ones.
func OverSeveral(but ...string) []string {
	return slices.DeleteFunc(slices.Clone(overSeveral), func(name string) bool { return slices.Contains(but, name) })
}

// RunOver runs the given subjects, or all that OverSeveral returns, with all containers
// in a distribution over several devices. The results must be bit-identical to those of
// one device.
func RunOver(t *testing.T, where vector.Distribution, only ...string) {
	d := where.Device()
	spread.Store(d, where)
	defer spread.Delete(d)
	if len(only) == 0 {
		only = overSeveral
	}
	RunOnly(t, d, only...)
}

// RunBut runs the suite without the given subjects.
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
