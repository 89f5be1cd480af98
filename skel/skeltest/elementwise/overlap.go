package elementwise

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// around combines all elements of a vector's window in order.
func around[T int32 | uint8 | float64](w vector.Window[T]) T {
	h := T(3)
	for d := -w.Radius(); d <= w.Radius(); d++ {
		h = h*5 + w.At(d)
	}
	return h
}

// around2 combines all elements of a matrix's window in order.
func around2[T int32 | uint8 | float64](w matrix.Window[T]) T {
	h := T(3)
	for dr := -w.RowRadius(); dr <= w.RowRadius(); dr++ {
		for dc := -w.ColRadius(); dc <= w.ColRadius(); dc++ {
			h = h*5 + w.At(dr, dc)
		}
	}
	return h
}

// grain is an element with padding.
type grain struct {
	Mass float64
	Tag  int8
}

type sand struct {
	Sum  float64
	Tags [3]int16
}

// heap has different types of elements and results, and passes the window to
// another function.
func heap(w matrix.Window[grain]) sand {
	return sand{
		Sum:  cross(w),
		Tags: [3]int16{int16(w.At(-1, 0).Tag), int16(w.At(0, 0).Tag), int16(w.At(1, 0).Tag)},
	}
}

func cross(w matrix.Window[grain]) float64 {
	return w.At(0, -1).Mass - w.At(0, 1).Mass + 3*(w.At(-1, 0).Mass-w.At(1, 0).Mass)
}

type weights struct {
	By    vector.View[int32]
	Scale int32
}

// weighted takes a weight for every distance.
func weighted(w vector.Window[int32], by weights) int32 {
	var sum int32
	for d := range by.By.Len() {
		sum += by.By.At(d) * w.At(d-w.Radius())
	}
	return sum * by.Scale
}

func weighted2(w matrix.Window[int32], scale int32) int32 {
	return scale*w.At(0, 0) - w.At(-1, 1)
}

// distance is a stencil over indices.
func distance(w matrix.Window[matrix.Index]) int32 {
	a, b := w.At(-1, 0), w.At(0, 1)
	return int32(100*a.Row + a.Col - 7*b.Row - b.Col)
}

func step(w vector.Window[int]) int { return 10*w.At(1) - w.At(-1) }

// all is around and around2 in plain Go.
func all[T int32 | uint8 | float64](rows, cols int) func(at func(dr, dc int) T) T {
	return func(at func(dr, dc int) T) T {
		h := T(3)
		for dr := -rows; dr <= rows; dr++ {
			for dc := -cols; dc <= cols; dc++ {
				h = h*5 + at(dr, dc)
			}
		}
		return h
	}
}

var paddings = []vector.Padding{vector.Nearest, vector.Neutral, vector.Wrap}

// testOverlap applies stencils of every radius and padding to containers of every
// shape.
func testOverlap(t *testing.T, d *devices.Device) {
	t.Run("vectors", func(t *testing.T) { overlapVectors(t, d) })
	t.Run("matrices", func(t *testing.T) { overlapMatrices(t, d) })
	t.Run("types", func(t *testing.T) { overlapTypes(t, d) })
	t.Run("extra", func(t *testing.T) { overlapExtra(t, d) })
	t.Run("indices", func(t *testing.T) { overlapIndices(t, d) })
	t.Run("fusion", func(t *testing.T) { overlapFusion(t, d) })
	t.Run("iterate", func(t *testing.T) { overlapIterate(t, d) })
	t.Run("errors", func(t *testing.T) { overlapErrors(t, d) })
	t.Run("panics", func(t *testing.T) { overlapPanics(t) })
}

// parted reports whether stencils run on several devices that compile. There the first,
// the last and the middle parts have different kernels.
func parted(d *devices.Device) bool { return kit.Several(d) && !d.Native() }

func overlapVectors(t *testing.T, d *devices.Device) {
	lengths := []int{0, 1, 2, 9, 300, 2047, 2048, 5000}
	for k, radius := range []int{0, 1, 7, 301, 6000} { // 6000 does not fit into local memory
		for _, padding := range paddings {
			if (kit.Quick() || kit.Fewest(d) || parted(d)) && k%3 != int(padding)%3 {
				continue
			}
			m := paddedBy(skel.NewMapOverlap(around[int32], radius), padding, -9)
			t.Run(fmt.Sprint(radius, padding), func(t *testing.T) {
				for _, n := range lengths {
					if n*radius > 1_000_000 {
						continue
					}
					x := &kit.Field[int32]{1, n, kit.Integers(n), padding, -9}
					kit.Expect(t, m.Apply(kit.Put(t, d, x.S)), kit.Overlap(x, all[int32](0, radius)))
				}
			})
		}
	}
}

func overlapMatrices(t *testing.T, d *devices.Device) {
	sizes := [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 300}, {300, 1}, {7, 5}, {70, 3}, {3, 70}, {64, 256},
		{33, 130}, {130, 387}}
	radii := [][2]int{{1, 1}, {0, 0}, {0, 2}, {3, 0}, {2, 9}, {40, 37}, {200, 0}, {60, 70}}
	most := 10_000_000 // elements in all windows together
	if devicestest.RaceDetector {
		most /= 10
	}
	for k, r := range radii {
		for _, padding := range paddings {
			if kit.Quick() && k%3 != int(padding)%3 || !d.Native() && k > 1 && k%3 != int(padding)%3 ||
				parted(d) && k%3 != 0 {
				continue
			}
			m := paddedBy(skel.NewMapOverlapMatrix(around2[int32], r[0], r[1]), padding, -9)
			t.Run(fmt.Sprint(r, padding), func(t *testing.T) {
				for _, s := range sizes {
					rows, cols := s[0], s[1]
					if rows*cols*(2*r[0]+1)*(2*r[1]+1) > most {
						continue
					}
					x := &kit.Field[int32]{rows, cols, kit.Integers(rows * cols), padding, -9}
					kit.ExpectMatrix(t, m.Apply(kit.PutMatrix(t, d, rows, cols, x.S)), rows, cols,
						kit.Overlap(x, all[int32](r[0], r[1])))
				}
			})
		}
	}
}

func overlapTypes(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	const rows, cols = 37, 140
	bytes := &kit.Field[uint8]{rows, cols,
		kit.Generate(rows*cols, func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) }),
		vector.Neutral, 200}
	kit.ExpectMatrix(t,
		skel.NewMapOverlapMatrix(around2[uint8], 1, 2).Neutral(200).Apply(kit.PutMatrix(t, d, rows, cols, bytes.S)),
		rows, cols, kit.Overlap(bytes, all[uint8](1, 2)))
	doubles := &kit.Field[float64]{1, 5000,
		kit.Generate(5000, func(d *kit.Dice, _ int) float64 { return d.Wide() }), vector.Wrap,
		0}
	kit.Expect(t, skel.NewMapOverlap(around[float64], 2).Padding(vector.Wrap).Apply(kit.Put(t, d, doubles.S)),
		kit.Overlap(doubles, all[float64](0, 2)))

	grains := &kit.Field[grain]{rows, cols, kit.Generate(rows*cols, func(d *kit.Dice, i int) grain {
		return grain{d.Wide(), int8(i)}
	}), vector.Neutral, grain{2.5, -3}}
	want := kit.Overlap(grains, func(at func(dr, dc int) grain) sand {
		sum := at(0, -1).Mass - at(0, 1).Mass + 3*(at(-1, 0).Mass-at(1, 0).Mass)
		return sand{sum, [3]int16{int16(at(-1, 0).Tag), int16(at(0, 0).Tag), int16(at(1, 0).Tag)}}
	})
	kit.ExpectMatrix(t,
		skel.NewMapOverlapMatrix(heap, 1, 1).Neutral(grain{2.5, -3}).Apply(kit.PutMatrix(t, d, rows, cols, grains.S)),
		rows, cols, want)

	heat := &kit.Field[float32]{200, 260, kit.Floats(200 * 260), vector.Nearest, 0}
	kit.ExpectMatrix(t, skel.NewMapOverlapMatrix(kit.FivePoint, 1, 1).Apply(kit.PutMatrix(t, d, 200, 260, heat.S)), 200,
		260,
		kit.Overlap(heat, kit.FivePointAt))
}

func overlapExtra(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	by := []int32{1, -2, 30, 4, 500}
	x := &kit.Field[int32]{1, 3000, kit.Integers(3000), vector.Nearest, 0}
	m := skel.NewMapOverlapWith(weighted, 2)
	extra := weights{kit.Put(t, d, by).View(), 3}
	want := kit.Overlap(x, func(at func(dr, dc int) int32) (sum int32) {
		for k, w := range by {
			sum += w * at(0, k-2)
		}
		return sum * 3
	})
	v := kit.Put(t, d, x.S)
	kit.Expect(t, m.With(extra).Apply(v), want)
	out := vector.New[int32](3000, vector.Single(d))
	t.Cleanup(out.Free)
	kit.OK(t, m.With(extra).ApplyTo(out, v))
	kit.Expect(t, out, want)

	y := &kit.Field[int32]{50, 60, x.S, vector.Wrap, 0}
	m2 := skel.NewMapOverlapMatrixWith(weighted2, 1, 1).Padding(vector.Wrap)
	want2 := kit.Overlap(y, func(at func(dr, dc int) int32) int32 { return 7*at(0, 0) - at(-1, 1) })
	kit.ExpectMatrix(t, m2.With(7).Apply(matrix.Of(v, 50, 60)), 50, 60, want2)
	kit.OK(t, m2.With(7).ApplyTo(matrix.Of(out, 50, 60), matrix.Of(v, 50, 60)))
	kit.Expect(t, out, want2)

	// Options before and after With agree, and leave the skeleton that they copy alone.
	z := &kit.Field[int32]{50, 60, x.S, vector.Neutral, 9}
	want3 := kit.Overlap(z, func(at func(dr, dc int) int32) int32 { return 7*at(0, 0) - at(-1, 1) })
	m3 := skel.NewMapOverlapMatrixWith(weighted2, 1, 1)
	kit.ExpectMatrix(t, m3.Neutral(9).With(7).Apply(matrix.Of(v, 50, 60)), 50, 60, want3)
	kit.ExpectMatrix(t, m3.With(7).Neutral(9).Apply(matrix.Of(v, 50, 60)), 50, 60, want3)
	kit.ExpectMatrix(t, m2.With(7).Apply(matrix.Of(v, 50, 60)), 50, 60, want2)
}

func overlapIndices(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	on := vector.Single(d)
	for _, radius := range []int{1, 5000} { // 5000 does not fit into local memory
		at := &kit.Field[int]{1, 700, kit.UpTo(700), vector.Neutral, -1}
		kit.Expect(t, skel.NewMapOverlap(step, radius).Neutral(-1).Apply(vector.Indices(700, on)),
			kit.Overlap(at, func(at func(dr, dc int) int) int { return 10*at(0, 1) - at(0, -1) }))
		grid := &kit.Field[matrix.Index]{30, 41,
			kit.Generate(30*41, func(_ *kit.Dice, i int) matrix.Index {
				return matrix.Index{Row: i / 41,
					Col: i % 41}
			}),
			vector.Wrap, matrix.Index{}}
		kit.ExpectMatrix(t, skel.NewMapOverlapMatrix(distance, radius,
			1).Padding(vector.Wrap).Apply(matrix.Indices(30, 41,
			on)), 30, 41,
			kit.Overlap(grid, func(at func(dr, dc int) matrix.Index) int32 {
				a, b := at(-1, 0), at(0, 1)
				return int32(100*a.Row + a.Col - 7*b.Row - b.Col)
			}))
	}
}

// paddedBy returns m with the padding p. With Neutral, windows hold x beyond the ends.
func paddedBy[In any, M interface {
	Padding(p vector.Padding) M
	Neutral(x In) M
}](m M, p vector.Padding, x In) M {
	if p == vector.Neutral {
		return m.Padding(p).Neutral(x)
	}
	return m.Padding(p)
}
