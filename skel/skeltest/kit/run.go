package kit

import (
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// Subject is a subject of the suite.
type Subject struct {
	Name string
	Test func(*testing.T, *devices.Device)
	// Over says that the subject tests results only, so that containers can be spread over
	// several devices. The others also test launches, transfers and memory, which are
	// different there.
	Over bool
}

// Subjects is a list of subjects. When several fail, look at the first one: later subjects
// use what earlier ones test.
type Subjects []Subject

// Names returns the names of all subjects except the given ones.
func (s Subjects) Names(but ...string) []string {
	var names []string
	for _, test := range s.But(but...) {
		names = append(names, test.Name)
	}
	return names
}

// Over returns the subjects for containers on several devices, except the given ones.
func (s Subjects) Over(but ...string) Subjects {
	return slices.DeleteFunc(s.But(but...), func(t Subject) bool { return !t.Over })
}

// But returns all subjects except the given ones.
func (s Subjects) But(but ...string) Subjects {
	return slices.DeleteFunc(slices.Clone(s), func(t Subject) bool { return slices.Contains(but, t.Name) })
}

// Only returns the given subjects. Names of others are ignored.
func (s Subjects) Only(only ...string) Subjects {
	return slices.DeleteFunc(slices.Clone(s), func(t Subject) bool { return !slices.Contains(only, t.Name) })
}

// Run runs the subjects on a device. Nothing else may use the device meanwhile, because the
// subjects count its launches, transfers and buffers.
func (s Subjects) Run(t *testing.T, d *devices.Device) {
	for _, test := range s {
		t.Run(test.Name, func(t *testing.T) {
			devicestest.NoLeaks(t, d)
			test.Test(t, d)
		})
	}
}

// sparing holds the devices of RunSparing.
var sparing sync.Map

// RunSparing runs the subjects with few kernels, as with -short, but with all sizes. It is
// for a device whose kernels take long to build and resemble those of other devices.
func (s Subjects) RunSparing(t *testing.T, d *devices.Device) {
	sparing.Store(d, true)
	defer sparing.Delete(d)
	s.Run(t, d)
}

// eachSize holds the devices of RunEachSize.
var eachSize sync.Map

// RunEachSize runs the subjects with one operator of each element size. It is for an emulated
// device: apart from the element size, its kernels differ only in the text of the operator,
// which other devices compile too.
func (s Subjects) RunEachSize(t *testing.T, d *devices.Device) {
	eachSize.Store(d, true)
	defer eachSize.Delete(d)
	s.Run(t, d)
}

// EachSize reports whether tests on d use one operator of each element size.
func EachSize(d *devices.Device) bool {
	_, is := eachSize.Load(d)
	return is
}

// RunOver runs the subjects with all containers in a distribution over several devices. The
// results must be bit-identical to those of one device.
func (s Subjects) RunOver(t *testing.T, where vector.Distribution) {
	d := where.Device()
	spread.Store(d, where)
	defer spread.Delete(d)
	s.Run(t, d)
}
