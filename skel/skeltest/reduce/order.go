package reduce

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// The order contract depends on the size of elements, so these are types of many sizes.
// Their operators keep a sum, a value of the last element, and values of the first.
type (
	float2   [2]float32
	float3   [3]float32
	float4   [4]float32
	float5   [5]float32
	float6   [6]float32
	float8   [8]float32
	float16  [16]float32
	float18  [18]float32
	float64s [64]float32
	float256 [256]float32
)

func ends2(x, y float2) float2         { x[0] += y[0]; x[1] = y[1]; return x }
func ends3(x, y float3) float3         { x[0] += y[0]; x[1] = y[1]; return x }
func ends4(x, y float4) float4         { x[0] += y[0]; x[1] = y[1]; return x }
func ends5(x, y float5) float5         { x[0] += y[0]; x[1] = y[1]; return x }
func ends6(x, y float6) float6         { x[0] += y[0]; x[1] = y[1]; return x }
func ends8(x, y float8) float8         { x[0] += y[0]; x[1] = y[1]; return x }
func ends16(x, y float16) float16      { x[0] += y[0]; x[1] = y[1]; return x }
func ends18(x, y float18) float18      { x[0] += y[0]; x[1] = y[1]; return x }
func ends64(x, y float64s) float64s    { x[0] += y[0]; x[1] = y[1]; return x }
func ends256(x, y float256) float256   { x[0] += y[0]; x[1] = y[1]; return x }
func lastNonZero8(x, y uint8) uint8    { return uint8(kit.LastNonZero(int32(x), int32(y))) }
func lastNonZero16(x, y uint16) uint16 { return uint16(kit.LastNonZero(int32(x), int32(y))) }

// fill sets the floats of element i: a term of the sum, and values that identify i.
func fill(s []float32, d *kit.Dice, i int) {
	s[0] = float32(d.Wide())
	for k := 1; k < len(s); k++ {
		s[k] = float32(i + k)
	}
}

// ofSizes begins with the sizes that the default run includes: 20 bytes, which do not divide
// the 64 bytes of a run, and 1024 bytes, which are more than these. otherSizes lists sizes that
// the race detector does not need.
var ofSizes = []sized{
	operator[float5]{"20 bytes", ends5, float5{}, skel.NewReduce(ends5, float5{}), skel.NewScan(ends5, float5{}),
		func(d *kit.Dice, i int) (x float5) { fill(x[:], d, i); return x }},
	operator[float256]{"1024 bytes", ends256, float256{}, skel.NewReduce(ends256, float256{}), skel.NewScan(ends256,
		float256{}),
		func(d *kit.Dice, i int) (x float256) { fill(x[:], d, i); return x }},
	operator[uint8]{"1 byte", lastNonZero8, 0, skel.NewReduce(lastNonZero8, 0), skel.NewScan(lastNonZero8, 0),
		func(d *kit.Dice, i int) uint8 { return uint8(d.IntN(3)) * uint8(i) }},
	operator[float2]{"8 bytes", ends2, float2{}, skel.NewReduce(ends2, float2{}), skel.NewScan(ends2, float2{}),
		func(d *kit.Dice, i int) (x float2) { fill(x[:], d, i); return x }},
	operator[float16]{"64 bytes", ends16, float16{}, skel.NewReduce(ends16, float16{}), skel.NewScan(ends16, float16{}),
		func(d *kit.Dice, i int) (x float16) { fill(x[:], d, i); return x }},
}

type sized interface {
	String() string
	testSizes(*testing.T, *devices.Device)
}

func testOrder(t *testing.T, d *devices.Device) {
	for i, o := range slices.Concat(ofSizes, otherSizes) {
		t.Run(o.String(), func(t *testing.T) {
			if i >= 2 && kit.Fewest(d) {
				kit.SkipBuilds(t, d)
			}
			if i >= len(ofSizes) {
				kit.SkipBuilds(t, d)
				if d.Info().Kind == driver.CPU && !d.Native() {
					t.Skip("kernels for CPUs differ little between sizes, and take long to build")
				}
			}
			o.testSizes(t, d)
		})
	}
}

// testSizes tests lengths around every boundary of the order contract.
func (o operator[T]) testSizes(t *testing.T, d *devices.Device) {
	run := kit.RunSize[T]()
	tile := run * kit.TileRuns
	sizes := []int{1, run, run + 1, tile - 1, tile, tile + 1, 2*tile + run, 32*tile + 1, 33*tile - 1}
	if run == 1 && kit.Emulated(d) {
		sizes = sizes[:7] // smaller elements have more tiles
	}
	if run < 16 && run > 1 && !kit.Quick() {
		sizes = append(sizes, 300*tile+3) // enough for groups to fold the totals of several tiles
	}
	for _, n := range sizes {
		o.reduces(t, d, n)
		o.scans(t, d, n)
	}
	// Rows of which many, few or one fit into a tile, and longer ones.
	for _, cols := range []int{1, 7*run - 1, 100, tile/3 + 1, tile, tile + 1, 2*tile + 5} {
		rows := 3 + 2*tile/cols
		s := kit.Generate(rows*cols, o.Element)
		m := kit.PutMatrix(t, d, rows, cols, s)
		kit.Expect(t, o.Reduce.Rows(m), kit.Rows(s, rows, cols, o.Op, o.Identity))
		var in, ex []T
		for i := range rows {
			in = append(in, kit.Scan(s[i*cols:(i+1)*cols], o.Op)...)
			ex = append(ex, kit.ScanExclusive(s[i*cols:(i+1)*cols], o.Op, o.Identity)...)
		}
		kit.ExpectMatrix(t, o.Scan.InclusiveRows(m), rows, cols, in)
		kit.ExpectMatrix(t, o.Scan.ExclusiveRows(m), rows, cols, ex)
	}
	// Short segments with long ones among them, some of exactly a tile.
	for seed := range uint64(3) {
		dice, offsets := kit.Roll(seed), []int{3}
		for len(offsets) < 60 {
			n := dice.IntN(4 * run)
			switch dice.IntN(12) {
			case 0:
				n = tile - 1 + dice.IntN(3)
			case 1:
				n = dice.IntN(4 * tile)
			}
			offsets = append(offsets, offsets[len(offsets)-1]+n)
		}
		s := kit.Generate(offsets[len(offsets)-1]+5, o.Element)
		v, cutsAt := vector.From(s, kit.Home(d)), kit.Put(t, d, offsets)
		kit.Expect(t, o.Reduce.Segments(v, cutsAt), kit.Segments(s, offsets, o.Op, o.Identity))
		in, ex := make([]T, len(s)), make([]T, len(s))
		for i := range s {
			in[i], ex[i] = o.Identity, o.Identity
		}
		for k := range len(offsets) - 1 {
			part := s[offsets[k]:offsets[k+1]]
			copy(in[offsets[k]:], kit.Scan(part, o.Op))
			copy(ex[offsets[k]:], kit.ScanExclusive(part, o.Op, o.Identity))
		}
		kit.Expect(t, o.Scan.InclusiveSegments(v, cutsAt), in)
		kit.Expect(t, o.Scan.ExclusiveSegments(v, cutsAt), ex)
		v.Free()
	}
}
