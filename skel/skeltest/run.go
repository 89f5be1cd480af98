package skeltest

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/elementwise"
	"github.com/skelgo/skelgo/skel/skeltest/huge"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/skel/skeltest/pairs"
	"github.com/skelgo/skelgo/skel/skeltest/reduce"
	"github.com/skelgo/skelgo/skel/skeltest/selection"
	"github.com/skelgo/skelgo/skel/skeltest/sorting"
	"github.com/skelgo/skelgo/skel/skeltest/wavefront"
	"github.com/skelgo/skelgo/vector"
)

// tests lists the subjects of the suite. When several fail, look at the first one: later
// subjects use what earlier ones test.
var tests = slices.Concat(elementwise.Subjects, reduce.Subjects, selection.Subjects, sorting.Subjects,
	pairs.Subjects, wavefront.Subjects)

// Run runs the whole suite on a device. Nothing else may use the device meanwhile,
// because the suite counts its launches, transfers and buffers.
func Run(t *testing.T, d *devices.Device) { tests.Run(t, d) }

// RunOnly runs the given subjects of the suite. It panics if there is no such subject.
func RunOnly(t *testing.T, d *devices.Device, only ...string) { named(only).Run(t, d) }

// RunSparing runs the given subjects with few kernels, as with -short, but with all
// sizes. It is for a device whose kernels take long to build and resemble those of
// other devices.
func RunSparing(t *testing.T, d *devices.Device, only ...string) { named(only).RunSparing(t, d) }

// RunEachSize runs the given subjects with one operator of each element size. It is for
// an emulated device: apart from the element size, its kernels differ only in the text of
// the operator, which other devices compile too.
func RunEachSize(t *testing.T, d *devices.Device, only ...string) { named(only).RunEachSize(t, d) }

// RunOver runs the given subjects, or all that OverSeveral returns, with all containers
// in a distribution over several devices. The results must be bit-identical to those of
// one device.
func RunOver(t *testing.T, where vector.Distribution, only ...string) {
	if len(only) == 0 {
		only = OverSeveral()
	}
	named(only).RunOver(t, where)
}

// RunBut runs the suite without the given subjects.
func RunBut(t *testing.T, d *devices.Device, but ...string) { named(Names(but...)).Run(t, d) }

// Names returns the names of all subjects except the given ones.
func Names(but ...string) []string {
	named(but)
	return tests.Names(but...)
}

// OverSeveral returns the subjects that RunOver runs by default, except the given ones.
func OverSeveral(but ...string) []string {
	named(but)
	return tests.Over().Names(but...)
}

// Huge runs every skeleton on more than 2^32 elements.
func Huge(t *testing.T, d *devices.Device) { huge.Run(t, d) }

// named returns the subjects of the given names. A misspelt name would leave out a test
// silently, so named panics if there is none.
func named(names []string) kit.Subjects {
	for _, name := range names {
		if len(tests.Only(name)) == 0 {
			panic("skeltest: no subject is called " + name)
		}
	}
	return tests.Only(names...)
}
