package reduce

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func testReduce(t *testing.T, d *devices.Device) {
	testOperators(t, d, false, anyOperator.testReduce)
	t.Run("large", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		operator[float32](kit.Sums32).reduces(t, d, kit.Large)
		operator[float32](kit.Sums32).reduces(t, d, kit.TileSize*kit.TileSize+kit.TileSize+1) // three levels of tiles
		if !kit.FewBuilds(d) && !kit.Emulated(d) {
			products.reduces(t, d, kit.Large/4)
			operator[kit.Span](kit.Spans).reduces(t, d, kit.Large/4)
		}
	})
	t.Run("one element keeps its bits", func(t *testing.T) {
		for _, x := range kit.Specials() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.Put(t, d, []float32{x})), x)
		}
	})
	t.Run("no elements give the identity", func(t *testing.T) {
		zero := math.Copysign(0, -1)
		kit.ExpectValue(t, minusZero.Apply(kit.Put(t, d, []float64{})), zero)
		kit.ExpectValue(t, products.Reduce.Apply(kit.Put(t, d, []square2{})), products.Identity)
	})
	t.Run("specials", func(t *testing.T) {
		s := kit.Floats(2 * kit.TileSize)
		for i, x := range kit.Specials() {
			s[i*700] = x
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.Put(t, d, s)), kit.Reduce(s, kit.Plus[float32], 0))
		}
	})
	t.Run("scalar as a vector", func(t *testing.T) {
		s := kit.Floats(1000)
		sum := kit.Sums32.Reduce.Apply(kit.Put(t, d, s))
		total := kit.Reduce(s, kit.Plus[float32], 0)
		kit.Expect(t, kit.Squares.Apply(sum.Vector()), []float32{total * total})
		kit.ExpectValue(t, sum, total)
	})
}

var minusZero = skel.NewReduce(kit.Plus[float64], math.Copysign(0, -1))

func (o operator[T]) testReduce(t *testing.T, d *devices.Device) {
	for _, n := range kit.Sizes {
		o.reduces(t, d, n)
	}
}

// reduces reduces n elements and compares the result with the reference.
func (o operator[T]) reduces(t *testing.T, d *devices.Device, n int) {
	t.Helper()
	s := kit.Generate(n, o.Element)
	v := vector.From(s, kit.Home(d))
	defer v.Free()
	kit.ExpectValue(t, o.Reduce.Apply(v), kit.Reduce(s, o.Op, o.Identity))
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

func residue(d *kit.Dice, _ int) uint64 { return 1 + d.Uint64N(prime-1) }

func symmetry(d *kit.Dice, _ int) uint8 { return uint8(d.IntN(6)) }

// withExtra returns operators that are bound to an extra argument.
func withExtra(t *testing.T, d *devices.Device) []anyOperator {
	table := dihedral()
	g := group{Table: kit.PutMatrix(t, d, 6, 6, table).View()}
	return []anyOperator{
		operator[uint64]{"products modulo a prime", func(x, y uint64) uint64 { return timesMod(x, y, prime) }, 1,
			modular.With(prime), modularScan.With(prime), residue},
		operator[uint8]{"symmetries of a triangle", func(x, y uint8) uint8 { return table[6*x+y] }, 0,
			inGroups.With(g), inGroupsScan.With(g), symmetry},
	}
}
