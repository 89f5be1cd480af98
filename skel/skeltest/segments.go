package skeltest

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
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
	sums32,
	operator[float12]{"48 bytes", ends12, float12{}, skel.NewReduce(ends12, float12{}), skel.NewScan(ends12, float12{}),
		func(d *dice, i int) (x float12) { fill(x[:], d, i); return x }},
	operator[uint8]{"1 byte", lastNonZero8, 0, skel.NewReduce(lastNonZero8, 0), skel.NewScan(lastNonZero8, 0),
		func(d *dice, i int) uint8 { return uint8(d.IntN(3)) * uint8(i) }},
}

type segmented interface {
	String() string
	testSegments(*testing.T, *devices.Device)
}

func testSegments(t *testing.T, d *devices.Device) {
	for i, o := range slices.Concat(ofSegments, otherSegments) {
		t.Run(o.String(), func(t *testing.T) {
			if i > 0 {
				skipBuilds(t, d)
			}
			o.testSegments(t, d)
		})
	}
	t.Run("many tiles", func(t *testing.T) { manyTiles(t, d) })
}

// manyTiles tests a segment and rows with more totals than a warp reduces alone, and a segment
// with more than a tile of totals.
func manyTiles(t *testing.T, d *devices.Device) {
	skipBuilds(t, d)
	o := ofSegments[1].(operator[float12])
	const tile, n = tileRuns, 5000 * tileRuns
	s := generate(n, o.element)
	v := put(t, d, s)
	offsets := []int{3, 20, 20 + 530*tile, n - 1}
	expect(t, o.reduce.Segments(v, put(t, d, offsets)), Segments(s, offsets, o.op, o.identity))
	const cols = 520 * tile
	expect(t, o.reduce.Rows(reshape(put(t, d, s[:2*cols]), 2, cols)), Rows(s[:2*cols], 2, cols, o.op, o.identity))
}

func (o operator[T]) testSegments(t *testing.T, d *devices.Device) {
	run := runSize[T]()
	tile := run * tileRuns
	n := 6*tile + 33
	s := generate(n, o.element)
	v := put(t, d, s)
	for name, offsets := range raggedOffsets(n, run, tile) {
		within := make([]int, len(offsets))
		for i, at := range offsets {
			within[i] = min(max(at, 0), n)
		}
		at := put(t, d, offsets)
		o.spoil(d, n)
		if diff := differ(hostOf(t, o.reduce.Segments(v, at)), Segments(s, within, o.op, o.identity)); diff != "" {
			t.Errorf("%s: Segments: %s", name, diff)
		}
		in := make([]T, n)
		for i := range in {
			in[i] = o.identity
		}
		for k := range len(within) - 1 {
			copy(in[within[k]:], Scan(s[within[k]:within[k+1]], o.op))
		}
		o.spoil(d, n)
		if diff := differ(hostOf(t, o.scan.InclusiveSegments(v, at)), in); diff != "" {
			t.Errorf("%s: InclusiveSegments: %s", name, diff)
		}
	}
	o.disorder(t, d, v)
}

// spoil fills the memory that later allocations recycle with numbers that are bad indices.
func (o operator[T]) spoil(d *devices.Device, n int) {
	bad := make([]uint64, n/128+1)
	for i := range bad {
		bad[i] = 0x7f7f7f7f7f7f7f7f
	}
	for words := 32; words <= len(bad); words *= 2 {
		for _, k := range []int{8, 9, 10, 11, 12, 13, 14, 15} {
			vector.From(bad[:min(words*k/8, len(bad))], home(d)).Free()
		}
	}
}

// raggedOffsets returns offsets into n elements that do not decrease.
func raggedOffsets(n, run, tile int) map[string][]int {
	lengths := func(from int, of ...int) []int {
		offsets := []int{from}
		for _, l := range of {
			offsets = append(offsets, min(n, offsets[len(offsets)-1]+l))
		}
		return offsets
	}
	random := func(seed uint64, most int) []int {
		dice := roll(seed)
		offsets := []int{dice.IntN(5)}
		for offsets[len(offsets)-1] < n-7 {
			offsets = append(offsets, offsets[len(offsets)-1]+dice.IntN(most)*dice.IntN(2))
		}
		offsets[len(offsets)-1] = n - 3
		return offsets
	}
	tiny := random(1, 3)
	skewed := append(append([]int{}, tiny[:len(tiny)/5]...), n)
	return map[string][]int{
		"all":              {0, n},
		"one too short":    {1, n - 1},
		"no segment":       {5},
		"empty":            {tile, tile, tile},
		"empty at the end": {n, n, n},
		"outside":          {-5, 3, tile + 9, n + 1, n + 1<<40},
		"all outside":      {-1 << 40, -7, -1},
		"everything":       {-1 << 62, 1 << 62},
		"runs":             lengths(0, 0, 1, run-1, run, run+1, 2*run, 31*run, 32*run, 32*run+1, 33*run, tile/4),
		"half tiles":       lengths(0, tile/2, tile/2-1, tile/2+1, tile/2, 0, tile+tile/2, 1, tile/2),
		"odd half tiles":   lengths(tile/2-1, tile/2, tile/2+1, tile+1, tile-1, tile/2),
		"tiles":            lengths(0, tile, tile-1, tile+1, tile, 2*tile),
		"odd tiles":        lengths(1, tile, tile+1, tile-1, 2*tile+1, 2*tile),
		"long between":     lengths(3, 7, 2*tile+1, 1, 0, 0, tile+1, 5, 2*tile),
		"tiny":             tiny,
		"small":            random(2, 4*run),
		"large":            random(3, 3*tile),
		"one is long":      skewed,
	}
}

// disorder tests offsets that decrease. The results are unspecified, but the calls must not fail
// or damage other memory.
func (o operator[T]) disorder(t *testing.T, d *devices.Device, v *vector.Vector[T]) {
	n := v.Len()
	for seed := range uint64(4) {
		dice, offsets := roll(seed), make([]int, []int{2, 9, 200, 2000}[seed])
		for i := range offsets {
			offsets[i] = dice.IntN(n+200) - 100
		}
		at := put(t, d, offsets)
		o.spoil(d, n)
		results := []*vector.Vector[T]{o.reduce.Segments(v, at)}
		if !(devicestest.RaceDetector && d.Native()) { // segments that overlap are written by several cores
			results = append(results, o.scan.InclusiveSegments(v, at), o.scan.ExclusiveSegments(v, at))
		}
		for _, x := range results {
			ok(t, x.Wait())
			x.Free()
		}
		ok(t, d.Sync())
		expectValue(t, o.reduce.Apply(v), Reduce(hostOf(t, v), o.op, o.identity))
	}
}
