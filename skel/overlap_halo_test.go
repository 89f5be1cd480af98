package skel

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func line(w vector.Window[int32]) int32 {
	return 3*w.At(-2) + 5*w.At(-1) - w.At(0) + 7*w.At(1) + 11*w.At(2)
}

func plane(w matrix.Window[int32]) int32 {
	return 3*w.At(-2, 1) + 5*w.At(-1, 0) - w.At(0, -1) + 7*w.At(1, 1) + 11*w.At(2, 0)
}

func twofold(x int32) int32 { return 2 * x }

// TestHalo computes a stencil in parts, each of which has rows of its neighbours in a halo,
// and compares the result with that of the whole.
func TestHalo(t *testing.T) {
	devicestest.Each(t, testHalo)
	t.Run("emulated", func(t *testing.T) { // the kernels for GPUs
		devicestest.Long(t) // clang builds the kernels
		if strings.Contains(os.Getenv("SKEL_DEVICE"), "all") {
			t.Skip("the tests with one device run this test")
		}
		dev, err := emulator.New()
		if err != nil && !strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		d := devices.Wrap("cuda:emulated", dev)
		testHalo(t, d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

func testHalo(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	double := NewMap(twofold)
	for _, padding := range []vector.Padding{vector.Nearest, vector.Neutral, vector.Wrap} {
		const rows, cols = 100, 133
		s := make([]int32, rows*cols)
		for i := range s {
			s[i] = int32(i*i%1009 - 500)
		}
		m := paddedBy(NewMapOverlapMatrix(plane, 2, 1), padding, -7)
		compare(t, d, m.Apply(matrix.From(rows, cols, s, on)).Vector(), cols, []int{0, 1, 40, 100}, 2, padding, s, -7,
			func(part *vector.Vector[int32], h halo) *expr[int32] {
				return windows(&m.stencil, open[int32](part), part.Len()/cols, cols, h, m.binding, nil)
			}, double)
		v := paddedBy(NewMapOverlap(line, 2), padding, -7)
		compare(t, d, v.Apply(vector.From(s, on)), 1, []int{0, 2, 5000, rows * cols}, 2, padding, s, -7,
			func(part *vector.Vector[int32], h halo) *expr[int32] {
				return windows(&v.stencil, open[int32](part), 1, part.Len(), h, v.binding, nil)
			}, double)
		far := paddedBy(NewMapOverlapMatrix(plane, 90, 60), padding, -7) // too large for local memory
		want := far.Apply(matrix.From(rows, cols, s, on)).Vector()
		compare(t, d, want, cols, []int{0, 95, 98, 100}, 90, padding, s, -7,
			func(part *vector.Vector[int32], h halo) *expr[int32] {
				return windows(&far.stencil, open[int32](part), part.Len()/cols, cols, h, far.binding, nil)
			}, double)
	}
}

// compare applies a stencil and twofold to s, whose rows have the given width, in parts
// between the bounds, and compares the result with double of whole.
func compare(
	t *testing.T, d *devices.Device, whole *vector.Vector[int32], width int, bounds []int, radius int,
	padding vector.Padding, s []int32, neutral int32,
	part func(*vector.Vector[int32], halo) *expr[int32], double *Map[int32, int32],
) {
	t.Helper()
	on, rows := vector.Single(d), len(s)/width
	var got []int32
	for k := range len(bounds) - 1 {
		lo, hi := bounds[k], bounds[k+1]
		h := halo{above: padding == vector.Wrap || lo > 0, below: padding == vector.Wrap || hi < rows}
		var beside []int32
		for r := range 2 * radius {
			i := lo - radius + r
			if r >= radius {
				i = hi + r - radius
			}
			for c := range width {
				x := neutral
				if at := paddedIndex(padding, i, rows); at >= 0 {
					x = s[at*width+c]
				}
				beside = append(beside, x)
			}
		}
		h.array = arrayOf(vector.From(beside, on))
		x := part(vector.From(append([]int32(nil), s[lo*width:hi*width]...), on), h)
		own, err := pendingVector(mapped(double.fun, x, double.binding, nil)).Host()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, own...)
	}
	want, err := double.Apply(whole).Host()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v, parts %v (-want +got):\n%s", padding, bounds, diff)
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
