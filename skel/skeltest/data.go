package skeltest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// dice is a random number generator with the same sequence in every run.
type dice struct{ *rand.Rand }

func roll(seed uint64) *dice { return &dice{rand.New(rand.NewPCG(seed, 2))} }

// wide returns a number of either sign over many orders of magnitude, so that a sum of
// such numbers depends on its order.
func (d *dice) wide() float64 { return math.Ldexp(d.Float64()-0.5, d.IntN(24)) }

// generate returns n elements.
func generate[T any](n int, element func(*dice, int) T) []T {
	d, s := roll(uint64(n)), make([]T, n)
	for i := range s {
		s[i] = element(d, i)
	}
	return s
}

func floats(n int) []float32 { return generate(n, sums32.element) }

// upTo returns 0, 1, ..., n-1.
func upTo(n int) []int {
	return generate(n, func(_ *dice, i int) int { return i })
}

// apply is Map in plain Go.
func apply[In, Out any](f func(In) Out, s []In) []Out {
	out := make([]Out, len(s))
	for i, x := range s {
		out[i] = f(x)
	}
	return out
}

// sizes lists lengths around every boundary of the order contract.
var sizes = []int{0, 1, 2, 3, 15, 16, 17, 31, 33, 255, 256, 257, 1000,
	tileSize - 1, tileSize, tileSize + 1, tileSize + 17, 3*tileSize + 5,
	16*tileSize - 1, 16 * tileSize, 16*tileSize + 1, 100_003}

// few lists lengths for tests that do not depend on the order contract.
var few = []int{0, 1, 2, 17, 257, tileSize + 1}

const large = 3_000_017

// quick reports whether to leave out large inputs: with -short, and with the race
// detector, which is ten times slower.
func quick() bool { return devicestest.RaceDetector || testing.Short() }

// fewBuilds reports whether tests build few kernels on d: by default, with -short and in
// RunSparing, if d compiles kernels. A kernel takes a third of a second to build, and the
// suite has hundreds. SKEL_TEST=all builds all of them.
func fewBuilds(d *devices.Device) bool {
	_, spared := sparing.Load(d)
	return (spared || testing.Short() || !devicestest.Thorough()) && !d.Native()
}

// fewest reports whether tests build even fewer kernels than with fewBuilds, one of each
// kind: in the default run of a device that compiles. SKEL_TEST=all, which continuous
// integration sets, builds the others.
func fewest(d *devices.Device) bool { return !d.Native() && !devicestest.Thorough() }

// thrifty reports whether tests on d, which compiles kernels, omit kernels that differ from
// others only in the types and the text of the caller's functions. The native device runs the
// suite with all of them, and SKEL_TEST=nightly builds them.
func thrifty(d *devices.Device) bool { return !d.Native() && !devicestest.Nightly() }

// skipBuilds skips the test if fewBuilds(d).
func skipBuilds(t *testing.T, d *devices.Device) {
	t.Helper()
	if fewBuilds(d) {
		t.Skip("builds additional kernels; SKEL_TEST=all runs this test")
	}
}

// shapes lists the rows and columns of matrices.
var shapes = [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 1000}, {1000, 1}, {2, 3}, {3, 1000}, {1000, 3},
	{17, 16}, {16, 17}, {33, 257}, {300, 64}, {3, tileSize + 1}, {tileSize + 1, 3}}
