package skel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func mixedLine(w vector.Window[int32]) int32 { return w.At(-3) + 3*w.At(-1) - w.At(0) + 7*w.At(2) }

func mixedPlane(w matrix.Window[int32]) int32 {
	return w.At(-2, 1) + 3*w.At(-1, -1) - w.At(0, 0) + 7*w.At(1, 0)
}

// TestIterateWithGhosts iterates stencils over devices that exchange ghost rows after
// several steps, and compares the results with those of one device.
func TestIterateWithGhosts(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	rng := rand.New(rand.NewPCG(4, 11))
	steps := []int{0, 1, 2, 3, 4, 7, 20}
	for _, padding := range []vector.Padding{vector.Nearest, vector.Neutral, vector.Wrap} {
		plane := paddedBy(skel.NewMapOverlapMatrix(mixedPlane, 2, 1), padding, 9)
		line := paddedBy(skel.NewMapOverlap(mixedLine, 3), padding, -2)
		for range 40 {
			rows, cols, n, every := rng.IntN(60), rng.IntN(8), steps[rng.IntN(len(steps))], rng.IntN(9)
			s := make([]int32, rows*cols)
			for i := range s {
				s[i] = rng.Int32()
			}
			over := vector.Block(devs...)
			if rng.IntN(2) == 0 {
				over = over.Weighted(1, 2, 4)
			}
			name := fmt.Sprintf("%v, %d x %d, %d steps, an exchange every %d, on %v",
				padding, rows, cols, n, every, over)
			one, several := matrix.From(rows, cols, s, vector.Single(devs[0])), matrix.From(rows, cols, s, over)
			same(t, name, plane.Times(n).Exchange(every).Apply(several).Vector(), plane.Times(n).Apply(one).Vector())
			same(t, name, several.Vector(), one.Vector())
			same(t, name, line.Times(n).Exchange(every).Apply(several.Vector()), line.Times(n).Apply(one.Vector()))
		}
	}
}

// TestExchanges counts the bytes that devices exchange in a number of steps.
func TestExchanges(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	plane := skel.NewMapOverlapMatrix(mixedPlane, 2, 1)
	const rows, cols, row = 300, 10, 40 // a row has 40 bytes
	moved := func(steps, every int) int64 {
		in := matrix.New[int32](rows, cols, vector.Block(devs...))
		if err := in.Wait(); err != nil {
			t.Fatal(err)
		}
		before := copied(devs)
		if err := plane.Times(steps).Exchange(every).Apply(in).Wait(); err != nil {
			t.Fatal(err)
		}
		return copied(devs) - before
	}
	// A halo is 2 rows, of which there are 4 where three parts meet.
	if got, want := moved(20, 1), int64(20*4*2*row); got != want {
		t.Errorf("an exchange after every step moves %d bytes, want %d", got, want)
	}
	// The first and the last step exchange a halo. Between them every device copies its rows to a buffer
	// with the ghosts for 5 steps, receives new ghosts 3 more times, and copies its rows out of the
	// buffer.
	if got, want := moved(20, 5), int64(2*4*2*row+4*4*5*2*row+2*rows*row); got != want {
		t.Errorf("an exchange every 5 steps moves %d bytes, want %d", got, want)
	}
}

// copied returns how many bytes the devices have copied.
func copied(devs []*devices.Device) (n int64) {
	for _, d := range devs {
		s := d.Stats() // a native device copies from another one by a download
		n += s.CopyBytes + s.DownloadBytes
	}
	return n
}

// same checks that two vectors have the same elements.
func same(t *testing.T, name string, got, want *vector.Vector[int32]) {
	t.Helper()
	g, err := got.Host()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	w, err := want.Host()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !slices.Equal(g, w) {
		t.Fatalf("%s: the result differs from that of one device", name)
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
