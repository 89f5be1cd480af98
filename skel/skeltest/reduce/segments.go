package reduce

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Segments that begin and end around runs, half tiles and tiles; that are empty; that
// have all elements; and whose offsets are out of range or decrease.

type (
	float12 [12]float32
	float25 [25]float32
)

func ends12(x, y float12) float12 { x[0] += y[0]; x[1] = y[1]; return x }
func ends25(x, y float25) float25 { x[0] += y[0]; x[1] = y[1]; return x }

// ofSegments begins with the operator that the default run includes. otherSegments lists
// operators that the race detector does not need.
var ofSegments = []segmented{
	operator[float32](kit.Sums32),
	operator[float12]{"48 bytes", ends12, float12{}, skel.NewReduce(ends12, float12{}), skel.NewScan(ends12, float12{}),
		func(d *kit.Dice, i int) (x float12) { fill(x[:], d, i); return x }},
	operator[uint8]{"1 byte", lastNonZero8, 0, skel.NewReduce(lastNonZero8, 0), skel.NewScan(lastNonZero8, 0),
		func(d *kit.Dice, i int) uint8 { return uint8(d.IntN(3)) * uint8(i) }},
}

type segmented interface {
	String() string
	testSegments(*testing.T, *devices.Device)
}

func testSegments(t *testing.T, d *devices.Device) {
	for i, o := range slices.Concat(ofSegments, otherSegments) {
		t.Run(o.String(), func(t *testing.T) {
			if i > 0 {
				kit.SkipBuilds(t, d)
			}
			o.testSegments(t, d)
		})
	}
	t.Run("many tiles", func(t *testing.T) { manyTiles(t, d) })
}

// manyTiles tests a segment and rows with more totals than a warp reduces alone, and a segment
// with more than a tile of totals.
func manyTiles(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	o := ofSegments[1].(operator[float12])
	const tile, n = kit.TileRuns, 4700 * kit.TileRuns
	s := kit.Generate(n, o.Element)
	v := kit.Put(t, d, s)
	offsets := []int{3, 20, 20 + 530*tile, n - 1}
	kit.Expect(t, o.Reduce.Segments(v, kit.Put(t, d, offsets)), kit.Segments(s, offsets, o.Op, o.Identity))
	const cols = 520 * tile
	kit.Expect(t, o.Reduce.Rows(kit.Reshape(kit.Put(t, d, s[:2*cols]), 2, cols)),
		kit.Rows(s[:2*cols], 2, cols, o.Op, o.Identity))
}

func (o operator[T]) testSegments(t *testing.T, d *devices.Device) {
	run := kit.RunSize[T]()
	tile := run * kit.TileRuns
	n := 6*tile + 33
	s := kit.Generate(n, o.Element)
	v := kit.Put(t, d, s)
	for name, offsets := range kit.Ordered(kit.RaggedOffsets(n, run, tile)) {
		within := make([]int, len(offsets))
		for i, at := range offsets {
			within[i] = min(max(at, 0), n)
		}
		at := kit.Put(t, d, offsets)
		kit.SpoilMemory(d, n)
		if diff := kit.Differ(kit.HostOf(t, o.Reduce.Segments(v, at)),
			kit.Segments(s, within, o.Op, o.Identity)); diff != "" {
			t.Errorf("%s: Segments: %s", name, diff)
		}
		in := make([]T, n)
		for i := range in {
			in[i] = o.Identity
		}
		for k := range len(within) - 1 {
			copy(in[within[k]:], kit.Scan(s[within[k]:within[k+1]], o.Op))
		}
		kit.SpoilMemory(d, n)
		if diff := kit.Differ(kit.HostOf(t, o.Scan.InclusiveSegments(v, at)), in); diff != "" {
			t.Errorf("%s: InclusiveSegments: %s", name, diff)
		}
	}
	o.disorder(t, d, v)
}

// disorder tests offsets that decrease. The results are unspecified, but the calls must not fail
// or damage other memory.
func (o operator[T]) disorder(t *testing.T, d *devices.Device, v *vector.Vector[T]) {
	n := v.Len()
	for seed := range uint64(4) {
		dice, offsets := kit.Roll(seed), make([]int, []int{2, 9, 200, 2000}[seed])
		for i := range offsets {
			offsets[i] = dice.IntN(n+200) - 100
		}
		at := kit.Put(t, d, offsets)
		kit.SpoilMemory(d, n)
		results := []*vector.Vector[T]{o.Reduce.Segments(v, at)}
		if !(devicestest.RaceDetector && d.Native()) { // segments that overlap are written by several cores
			results = append(results, o.Scan.InclusiveSegments(v, at), o.Scan.ExclusiveSegments(v, at))
		}
		for _, x := range results {
			kit.OK(t, x.Wait())
			x.Free()
		}
		kit.OK(t, d.Sync())
		kit.ExpectValue(t, o.Reduce.Apply(v), kit.Reduce(kit.HostOf(t, v), o.Op, o.Identity))
	}
}
