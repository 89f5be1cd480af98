package pairs

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// digits has a result that shows the order of the calls and of the operands.
func digits(acc, a, b int64) int64 { return acc*31 + a*7 - b }

// assorted has three different types, two of them structs with padding.
func assorted(acc kit.Padded, a uint8, b kit.Wide) kit.Padded {
	return kit.Padded{acc.A*3 + a, acc.B*0.5 + b.F[1], acc.C ^ uint16(b.I[2]) + uint16(a), acc.D != (a > 100)}
}

// block is larger than the registers of a lane.
type block struct{ X [150]int32 }

func addBlocks(acc block, a, b block) block {
	for i := range acc.X {
		acc.X[i] = acc.X[i]*3 + a.X[i] - b.X[(i+1)%len(b.X)]
	}
	return acc
}

func ratio(a int32, b uint8) int64 { return int64(a)*3 - int64(b) }

func shiftIn(x, y int64) int64 { return x*5 - y } // need not be associative

// squaredDistance returns the squared distance of two rows.
func squaredDistance(a, b vector.Row[float32]) float32 {
	var sum float32
	for k := range a.Len() {
		diff := a.At(k) - b.At(k)
		sum += diff * diff
	}
	return sum
}

// fromBehind reads both rows from their ends, the first one through a helper function.
func fromBehind(a vector.Row[uint8], b vector.Row[kit.Padded]) kit.Nested {
	var n kit.Nested
	for k := range b.Len() {
		p := b.At(b.Len() - 1 - k)
		n.Z[k%3] = n.Z[k%3]*7 + int64(p.C) + int64(lastOf(a, k))
		n.P[1].X += float32(p.B)
	}
	n.M[1][2] = int16(a.Len())
	return n
}

func lastOf(r vector.Row[uint8], k int) uint8 { return r.At(r.Len() - 1 - k) }

// emphasis holds a weight for each element of a row.
type emphasis struct {
	Weights vector.View[float64]
	Base    float64
}

func scaledRows(a, b vector.Row[float64], e emphasis) float64 {
	sum := e.Base
	for k := range a.Len() {
		sum = sum*0.5 + e.Weights.At(k)*(a.At(k)-b.At(k))
	}
	return sum
}

// lean takes a plain extra argument; biased takes a view.
func lean(acc, a, b, by float64) float64 { return acc*0.5 + a - b + by }

func biased(acc, a, b float64, by vector.View[float64]) float64 {
	return acc*0.5 + a*b + by.At(by.Len()-1)
}

// outOfRow reads beyond the end of a row.
func outOfRow(a, b vector.Row[float32]) float32 { return a.At(0) + b.At(b.Len()) }

func rectify(x float32) float32 { return max(x, 0) }

func plusTo(x, y float32) float32 { return x + y }

var (
	numerals  = skel.NewAllPairsFold(digits, 12)
	mixtures  = skel.NewAllPairsFold(assorted, kit.Padded{A: 7, B: 0.25, C: 1000})
	blocks    = skel.NewAllPairsFold(addBlocks, block{})
	shiftsIn  = skel.NewAllPairsOf(ratio, shiftIn, -1)
	distances = skel.NewAllPairs(squaredDistance)
	reversals = skel.NewAllPairs(fromBehind)
	weighs    = skel.NewAllPairsWith(scaledRows)
	leans     = skel.NewAllPairsFoldWith(lean, 1)
	biases    = skel.NewAllPairsFoldWith(biased, 1)
	badRows   = skel.NewAllPairs(outOfRow)
	rectifies = skel.NewMap(rectify)
	plusesTo  = skel.NewZip(plusTo)
)

// ofPairs is AllPairs with a function of pairs and an operator in plain Go.
func ofPairs[A, B, Out any](a []A, b []B, n, m, d int, pair func(A, B) Out, op func(Out, Out) Out, identity Out) []Out {
	out := make([]Out, n*m)
	for i := range out {
		out[i] = identity
		for k := range d {
			if x := pair(a[i/m*d+k], b[i%m*d+k]); k == 0 {
				out[i] = x
			} else {
				out[i] = op(out[i], x)
			}
		}
	}
	return out
}

// ofRows is AllPairs with a function of rows in plain Go.
func ofRows[A, B, Out any](a []A, b []B, n, m, d int, f func(vector.Row[A], vector.Row[B]) Out) []Out {
	out := make([]Out, n*m)
	for i := range out {
		x, y := i/m*d, i%m*d
		out[i] = f(vector.RowOf(a[x:x+d]), vector.RowOf(b[y:y+d]))
	}
	return out
}

// turned returns the transpose of a matrix.
func turned[T any](s []T, rows, cols int) []T {
	out := make([]T, len(s))
	for i := range s {
		out[i%cols*rows+i/cols] = s[i]
	}
	return out
}

// pairShapes lists the rows of a, the rows or columns of b, and the length of both: around
// the tile sizes of every device, and for vector loads of every length.
var pairShapes = [][3]int{{0, 5, 3}, {5, 0, 3}, {0, 0, 0}, {3, 4, 0}, {1, 1, 1}, {1, 300, 7}, {300, 1, 20}, {2, 3, 100},
	{16, 16, 16}, {17, 15, 33}, {64, 65, 8}, {128, 128, 64}, {130, 260, 24}, {33, 257, 131}}

// bothWays checks an AllPairs with b by rows and by columns, into new and into existing results.
func bothWays[A, B, Out any](
	t *testing.T, d *devices.Device, p *skel.AllPairs[A, B, Out], n, m, k int, a []A, b []B, want []Out,
) {
	t.Helper()
	ma, mb, mc := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b), kit.PutMatrix(t, d, k, m, turned(b, m, k))
	kit.ExpectMatrix(t, p.Apply(ma, mb), n, m, want)
	kit.ExpectMatrix(t, p.ApplyCols(ma, mc), n, m, want)
	out := kit.PutMatrix(t, d, n, m, make([]Out, n*m))
	kit.OK(t, p.ApplyTo(out, ma, mb))
	kit.ExpectMatrix(t, out, n, m, want)
	kit.OK(t, p.ApplyColsTo(out, ma, mc))
	kit.ExpectMatrix(t, out, n, m, want)
}

func testAllPairs(t *testing.T, d *devices.Device) {
	shapes := pairShapes
	if kit.FewBuilds(d) {
		shapes = [][3]int{{3, 4, 0}, {17, 15, 33}, {130, 140, 24}}
	}
	for _, s := range shapes {
		n, m, k := s[0], s[1], s[2]
		t.Run(fmt.Sprint("product ", n, "x", m, "x", k), func(t *testing.T) {
			a, b := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k + 1))[:m*k]
			bothWays(t, d, kit.MatProducts, n, m, k, a, b, kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0))
		})
		t.Run(fmt.Sprint("rows ", n, "x", m, "x", k), func(t *testing.T) {
			a, b := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k + 1))[:m*k]
			bothWays(t, d, distances, n, m, k, a, b, ofRows(a, b, n, m, k, squaredDistance))
		})
	}
	t.Run("rows that are too long for local memory", func(t *testing.T) {
		const n, m, k = 5, 18, 3000
		a, b := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k))
		bothWays(t, d, distances, n, m, k, a, b, ofRows(a, b, n, m, k, squaredDistance))
		x := kit.Squares.ApplyMatrix(kit.PutMatrix(t, d, n, k, a))
		kit.ExpectMatrix(t, distances.Apply(x, kit.PutMatrix(t, d, m, k, b)), n, m,
			ofRows(kit.Apply(kit.Square, a), b, n, m, k, squaredDistance))
	})
	t.Run("types", func(t *testing.T) { pairTypes(t, d) })
	t.Run("extra", func(t *testing.T) { pairExtra(t, d) })
	t.Run("random", func(t *testing.T) {
		kit.SkipBuilds(t, d)
		count := 60
		if !d.Native() {
			count = 6
		}
		kit.Check(t, count, func(t *rapid.T) { randomPairs(t, d) })
	})
	t.Run("fusion", func(t *testing.T) { pairFusion(t, d) })
	t.Run("reduced rows", func(t *testing.T) { pairRows(t, d) })
	t.Run("changes", func(t *testing.T) { pairChanges(t, d) })
	t.Run("errors", func(t *testing.T) { pairErrors(t, d) })
}

// pairTypes tests elements of many sizes and kinds, and functions of three different types.
func pairTypes(t *testing.T, d *devices.Device) {
	for _, s := range [][3]int{{35, 21, 19}, {1, 7, 40}, {70, 70, 16}} {
		n, m, k := s[0], s[1], s[2]
		if kit.FewBuilds(d) && n != 35 {
			continue
		}
		name := func(what string) string { return fmt.Sprint(what, " ", n, "x", m, "x", k) }
		whole := func(count int) []int64 {
			return kit.Generate(count, func(d *kit.Dice, _ int) int64 { return d.Int64() })
		}
		bytes := kit.Generate(n*k, func(d *kit.Dice, _ int) uint8 { return uint8(d.Int()) })
		t.Run(name("order"), func(t *testing.T) {
			a, b := whole(n*k), whole(m*k)
			bothWays(t, d, numerals, n, m, k, a, b, kit.FoldPairs(a, b, n, m, k, digits, 12))
		})
		t.Run(name("structs"), func(t *testing.T) {
			b := kit.Generate(m*k, func(d *kit.Dice, i int) kit.Wide {
				return kit.Wide{F: [5]float64{1: d.Wide()}, I: [4]uint32{2: uint32(i)}}
			})
			bothWays(t, d, mixtures, n, m, k, bytes, b,
				kit.FoldPairs(bytes, b, n, m, k, assorted, kit.Padded{A: 7, B: 0.25, C: 1000}))
		})
		t.Run(name("pairs"), func(t *testing.T) {
			a, b := kit.Generate(n*k, func(d *kit.Dice, _ int) int32 { return d.Int32() }),
				kit.Generate(m*k, func(d *kit.Dice, _ int) uint8 { return uint8(d.Int()) })
			bothWays(t, d, shiftsIn, n, m, k, a, b, ofPairs(a, b, n, m, k, ratio, shiftIn, -1))
		})
		t.Run(name("rows of structs"), func(t *testing.T) {
			b := kit.Generate(m*k, func(d *kit.Dice, i int) kit.Padded { return kit.Padded{B: d.Wide(), C: uint16(i)} })
			bothWays(t, d, reversals, n, m, k, bytes, b, ofRows(bytes, b, n, m, k, fromBehind))
		})
	}
	t.Run("pairs of nothing", func(t *testing.T) {
		bothWays(t, d, shiftsIn, 2, 3, 0, nil, nil, []int64{-1, -1, -1, -1, -1, -1})
	})
	t.Run("large elements", func(t *testing.T) {
		const n, m, k = 5, 3, 4
		some := func(count int) []block {
			return kit.Generate(count, func(d *kit.Dice, i int) (b block) {
				for j := range b.X {
					b.X[j] = d.Int32() + int32(i)
				}
				return b
			})
		}
		a, b := some(n*k), some(m*k)
		bothWays(t, d, blocks, n, m, k, a, b, kit.FoldPairs(a, b, n, m, k, addBlocks, block{}))
	})
}

func pairExtra(t *testing.T, d *devices.Device) {
	const n, m, k = 19, 37, 21
	a, b := kit.Generate(n*k, kit.Sums64.Element), kit.Reversed(kit.Generate(m*k, kit.Sums64.Element))
	w := kit.Generate(k, kit.Sums64.Element)
	view := kit.Put(t, d, w).View()
	bothWays(t, d, weighs.With(emphasis{view, 2}), n, m, k, a, b, ofRows(a, b, n, m, k,
		func(x, y vector.Row[float64]) float64 {
			sum := 2.0
			for i := range k {
				sum = sum*0.5 + float64(w[i]*(x.At(i)-y.At(i)))
			}
			return sum
		}))
	bothWays(t, d, leans.With(0.125), n, m, k, a, b, kit.FoldPairs(a, b, n, m, k,
		func(acc, x, y float64) float64 { return acc*0.5 + x - y + 0.125 }, 1))
	bothWays(t, d, biases.With(view), n, m, k, a, b, kit.FoldPairs(a, b, n, m, k, func(acc, x, y float64) float64 {
		return acc*0.5 + float64(x*y) + w[k-1]
	}, 1))
}

// randomPairs tests a random shape.
func randomPairs(t *rapid.T, d *devices.Device) {
	size := func(name string) int { return rapid.IntRange(0, 150).Draw(t, name) }
	n, m, k := size("rows"), size("columns"), size("depth")
	a, b := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k))
	x, y := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b)
	kit.ExpectMatrix(t, kit.MatProducts.Apply(x, y), n, m, kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0))
	z := kit.PutMatrix(t, d, k, m, turned(b, m, k))
	kit.ExpectMatrix(t, distances.ApplyCols(x, z), n, m, ofRows(a, b, n, m, k, squaredDistance))
}

// namesBoth checks that a panic names both shapes.
func namesBoth(t *testing.T, text string) {
	t.Helper()
	if !strings.HasPrefix(text, "skel: AllPairs(") ||
		!strings.Contains(text, "4 x 5") || !strings.Contains(text, "6 x 7") {
		t.Errorf("panic %q does not name 4 x 5 and 6 x 7", text)
	}
}

func pairErrors(t *testing.T, d *devices.Device) {
	a, b := kit.PutMatrix(t, d, 4, 5, kit.Floats(20)), kit.PutMatrix(t, d, 6, 7, kit.Floats(42))
	namesBoth(t, kit.Recovered(func() { kit.MatProducts.Apply(a, b) }))
	namesBoth(t, kit.Recovered(func() { kit.MatProducts.ApplyCols(a, b) }))
	namesBoth(t, kit.Recovered(func() { _ = kit.MatProducts.ApplyTo(b, a, a) })+" 4 x 5")
	if kit.Recovered(func() { skel.NewAllPairsFold[int, int](nil, 0) }) == "" ||
		kit.Recovered(func() { skel.NewAllPairs[int, int, int](nil) }) == "" ||
		kit.Recovered(func() { skel.NewAllPairsOf[int, int, int](nil, nil, 0) }) == "" {
		t.Error("no panic for a nil function")
	}
	if text := kit.Recovered(func() {
		//skel:cpu
		skel.NewAllPairsFoldWith(func(acc, a, b float32, v vector.OutView[float32]) float32 { return acc }, 0)
	}); !strings.Contains(text, "out-view") {
		t.Errorf("panic %q for an out-view, want one that names it", text)
	}
	square := kit.PutMatrix(t, d, 5, 5, kit.Floats(25))
	if err := kit.MatProducts.ApplyTo(square, square, square); err == nil || !strings.Contains(err.Error(), "output") {
		t.Errorf("error %v for an output that is an input, want one that names the output", err)
	}
	kit.ExpectMatrix(t, square, 5, 5, kit.Floats(25))
	kit.Checked(d, func() {
		_, err := badRows.Apply(a, a).Host()
		kit.BadIndex(t, err, "5")
		if err != nil && !strings.Contains(err.Error(), "allpairs.go:") {
			t.Errorf("error %q does not name a line of allpairs.go", err)
		}
	})
	failed := matrix.Of(kit.FailedVector[float32](20, fmt.Errorf("broken")), 4, 5)
	if err := kit.MatProducts.Apply(failed, a).Wait(); err == nil || err.Error() != "broken" {
		t.Errorf("error %v, want the input's error %q", err, "broken")
	}
}
