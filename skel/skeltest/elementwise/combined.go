package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// ray is a line through an image: it adds Weight to every Step-th voxel, starting
// with First.
type ray struct{ First, Step, Weight int32 }

func trace(r ray, image vector.OutView[int32]) {
	for i := int(r.First); i < image.Len(); i += int(r.Step) {
		image.Set(i, image.At(i)+r.Weight)
	}
}

var (
	traces = skel.NewMapVoidWith(trace)
	adds32 = skel.NewReduce(kit.Plus[int32], 0)
)

// testCombined adds rays to an image on all devices, each of which has a part of the
// rays, as in list-mode tomography. The sums must be those of one device.
func testCombined(t *testing.T, d *devices.Device) {
	devs := kit.Home(d).Devices()
	if len(devs) == 1 {
		t.Skip("one device: there is nothing to combine")
	}
	const voxels = 3*kit.TileSize + 5
	rays := make([]ray, len(devs)) // one per device: two on a device could race for a voxel
	for i := range rays {
		rays[i] = ray{int32(i), int32(2*i + 1), int32(i + 1)}
	}
	sum := adds32
	image := vector.New[int32](voxels, sum.Replicas(devs...))
	defer image.Free()
	kit.OK(t, image.Set(1, 1000))
	want := make([]int32, voxels)
	want[1] = 1000
	events := vector.From(rays, vector.Block(devs...))
	defer events.Free()
	for range 3 { // replicas are combined after the last call only
		kit.OK(t, traces.With(image.OutView()).Apply(events))
		for _, r := range rays {
			for i := int(r.First); i < voxels; i += int(r.Step) {
				want[i] += r.Weight
			}
		}
	}
	blocks := image.To(vector.Block(devs...))
	defer blocks.Free()
	kit.Expect(t, blocks, want)
	kit.Expect(t, moveSigns.Apply(blocks), kit.Apply(moveSign, want))
	kit.Expect(t, image, want)
	kit.OK(t, traces.With(image.OutView()).Apply(events)) // from the sums on
	for _, r := range rays {
		for i := int(r.First); i < voxels; i += int(r.Step) {
			want[i] += r.Weight
		}
	}
	for _, dev := range devs { // every device has the combined image
		kit.Expect(t, image.To(vector.Single(dev)), want)
	}
	if x, err := image.At(7); err != nil || x != want[7] {
		t.Errorf("voxel 7 = %d, %v; want %d", x, err, want[7])
	}
}
