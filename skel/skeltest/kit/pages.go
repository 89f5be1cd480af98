package kit

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// TestPages runs the subjects with all containers spread over pages of a device that may use little
// memory, so that large ones leave it between calls. It leaves out what TestSeveral leaves out.
func (s Subjects) TestPages(t *testing.T) {
	devicestest.Long(t)
	t.Setenv("SKEL_MEMORY", "64MiB")
	var d *devices.Device
	for _, e := range devicestest.All(t) {
		if !e.Native() && (d == nil || d.Kind() == devices.CPU) {
			d = e
		}
	}
	if d == nil {
		t.Skip("no device has pages: an OpenCL or a CUDA device has")
	}
	pages, err := d.Pages(5)
	if err != nil {
		t.Fatal(err)
	}
	s.chosen(t).Over("Order", "ArgMin").RunOver(t, vector.Block(pages...).Weighted(1, 2, 3, 4, 5))
	now := d.Stats()
	t.Logf("%d bytes loaded, %d saved", now.LoadedBytes, now.SavedBytes)
}
