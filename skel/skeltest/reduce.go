package skeltest

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func testReduce(t *testing.T, d *devices.Device) {
	testOperators(t, d, false, anyOperator.testReduce)
	t.Run("large", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		sums32.reduces(t, d, large)
		sums32.reduces(t, d, tileSize*tileSize+tileSize+1) // three levels of tiles
		if !fewBuilds(d) && !emulated(d) {
			products.reduces(t, d, large/4)
			spans.reduces(t, d, large/4)
		}
	})
	t.Run("one element keeps its bits", func(t *testing.T) {
		for _, x := range specials() {
			expectValue(t, sums32.reduce.Apply(put(t, d, []float32{x})), x)
		}
	})
	t.Run("no elements give the identity", func(t *testing.T) {
		zero := math.Copysign(0, -1)
		expectValue(t, minusZero.Apply(put(t, d, []float64{})), zero)
		expectValue(t, products.reduce.Apply(put(t, d, []square2{})), products.identity)
	})
	t.Run("specials", func(t *testing.T) {
		s := floats(2 * tileSize)
		for i, x := range specials() {
			s[i*700] = x
			expectValue(t, sums32.reduce.Apply(put(t, d, s)), Reduce(s, plus[float32], 0))
		}
	})
	t.Run("scalar as a vector", func(t *testing.T) {
		s := floats(1000)
		sum := sums32.reduce.Apply(put(t, d, s))
		total := Reduce(s, plus[float32], 0)
		expect(t, squares.Apply(sum.Vector()), []float32{total * total})
		expectValue(t, sum, total)
	})
}

var minusZero = skel.NewReduce(plus[float64], math.Copysign(0, -1))

func (o operator[T]) testReduce(t *testing.T, d *devices.Device) {
	for _, n := range sizes {
		o.reduces(t, d, n)
	}
}

// reduces reduces n elements and compares the result with the reference.
func (o operator[T]) reduces(t *testing.T, d *devices.Device, n int) {
	t.Helper()
	s := generate(n, o.element)
	v := vector.From(s, home(d))
	defer v.Free()
	expectValue(t, o.reduce.Apply(v), Reduce(s, o.op, o.identity))
}

// timesMod takes a plain value as its extra argument.
func timesMod(x, y, mod uint64) uint64 { return x * y % mod }

// group is a finite group, given by its multiplication table.
type group struct {
	Unused [3]uint8
	Table  matrix.View[uint8]
}

func inGroup(x, y uint8, g group) uint8 { return g.Table.At(int(x), int(y)) }

// dihedral returns the table of the symmetries of a triangle, the smallest group that
// is not commutative: k < 3 is a rotation, 3+k a rotation after a reflection.
func dihedral() []uint8 {
	table := make([]uint8, 36)
	for x := range 6 {
		for y := range 6 {
			turn := y % 3
			if x >= 3 {
				turn = 3 - turn
			}
			z := (x%3 + turn) % 3
			if x/3 != y/3 {
				z += 3
			}
			table[6*x+y] = uint8(z)
		}
	}
	return table
}

var (
	modular      = skel.NewReduceWith(timesMod, 1)
	modularScan  = skel.NewScanWith(timesMod, 1)
	inGroups     = skel.NewReduceWith(inGroup, 0)
	inGroupsScan = skel.NewScanWith(inGroup, 0)
)

const prime = 1_000_003

func residue(d *dice, _ int) uint64 { return 1 + d.Uint64N(prime-1) }

func symmetry(d *dice, _ int) uint8 { return uint8(d.IntN(6)) }

// withExtra returns operators that are bound to an extra argument.
func withExtra(t *testing.T, d *devices.Device) []anyOperator {
	table := dihedral()
	g := group{Table: putMatrix(t, d, 6, 6, table).View()}
	return []anyOperator{
		operator[uint64]{"products modulo a prime", func(x, y uint64) uint64 { return timesMod(x, y, prime) }, 1,
			modular.With(prime), modularScan.With(prime), residue},
		operator[uint8]{"symmetries of a triangle", func(x, y uint8) uint8 { return table[6*x+y] }, 0,
			inGroups.With(g), inGroupsScan.With(g), symmetry},
	}
}
