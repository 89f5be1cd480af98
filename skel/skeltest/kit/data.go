package kit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// Dice is a random number generator with the same sequence in every run.
type Dice struct{ *rand.Rand }

func Roll(seed uint64) *Dice { return &Dice{rand.New(rand.NewPCG(seed, 2))} }

// Wide returns a number of either sign over many orders of magnitude, so that a sum of
// such numbers depends on its order.
func (d *Dice) Wide() float64 { return math.Ldexp(d.Float64()-0.5, d.IntN(24)) }

// Generate returns n elements.
func Generate[T any](n int, element func(*Dice, int) T) []T {
	d, s := Roll(uint64(n)), make([]T, n)
	for i := range s {
		s[i] = element(d, i)
	}
	return s
}

func Floats(n int) []float32 { return Generate(n, Sums32.Element) }

// UpTo returns 0, 1, ..., n-1.
func UpTo(n int) []int {
	return Generate(n, func(_ *Dice, i int) int { return i })
}

// Apply is Map in plain Go.
func Apply[In, Out any](f func(In) Out, s []In) []Out {
	out := make([]Out, len(s))
	for i, x := range s {
		out[i] = f(x)
	}
	return out
}

// Sizes lists lengths around every boundary of the order contract.
var Sizes = []int{0, 1, 2, 3, 15, 16, 17, 31, 33, 255, 256, 257, 1000,
	TileSize - 1, TileSize, TileSize + 1, TileSize + 17, 3*TileSize + 5,
	16*TileSize - 1, 16 * TileSize, 16*TileSize + 1, 100_003}

// Few lists lengths for tests that do not depend on the order contract.
var Few = []int{0, 1, 2, 17, 257, TileSize + 1}

const Large = 3_000_017

// Quick reports whether to leave out large inputs: with -short, and with the race
// detector, which is ten times slower.
func Quick() bool { return devicestest.RaceDetector || testing.Short() }

// FewBuilds reports whether tests build few kernels on d: by default, with -short and in
// RunSparing, if d compiles kernels. A kernel takes a third of a second to build, and the
// suite has hundreds. SKEL_TEST=all builds all of them.
func FewBuilds(d *devices.Device) bool {
	_, spared := sparing.Load(d)
	return (spared || testing.Short() || !devicestest.Thorough()) && !d.Native()
}

// Fewest reports whether tests build even fewer kernels than with FewBuilds, one of each
// kind: in the default run of a device that compiles. SKEL_TEST=all, which continuous
// integration sets, builds the others.
func Fewest(d *devices.Device) bool { return !d.Native() && !devicestest.Thorough() }

// Thrifty reports whether tests on d, which compiles kernels, omit kernels that differ from
// others only in the types and the text of the caller's functions. The native device runs the
// suite with all of them, and SKEL_TEST=nightly builds them.
func Thrifty(d *devices.Device) bool { return !d.Native() && !devicestest.Nightly() }

// SkipBuilds skips the test if FewBuilds(d).
func SkipBuilds(t *testing.T, d *devices.Device) {
	t.Helper()
	if FewBuilds(d) {
		t.Skip("builds additional kernels; SKEL_TEST=all runs this test")
	}
}

// Shapes lists the rows and columns of matrices.
var Shapes = [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 1000}, {1000, 1}, {2, 3}, {3, 1000}, {1000, 3},
	{17, 16}, {16, 17}, {33, 257}, {300, 64}, {3, TileSize + 1}, {TileSize + 1, 3}}

// SpoilMemory fills the memory that later allocations recycle with numbers that are bad indices.
func SpoilMemory(d *devices.Device, n int) {
	bad := make([]uint64, n/128+1)
	for i := range bad {
		bad[i] = 0x7f7f7f7f7f7f7f7f
	}
	for words := 32; words <= len(bad); words *= 2 {
		for _, k := range []int{8, 9, 10, 11, 12, 13, 14, 15} {
			vector.From(bad[:min(words*k/8, len(bad))], Home(d)).Free()
		}
	}
}
