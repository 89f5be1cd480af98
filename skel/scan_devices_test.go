package skel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

var (
	composed = skel.NewScan(after, step{1, 0})
	stepped  = skel.NewMap(twice)
	numbered = skel.NewMap(stepOf)
)

// step is the function x -> A*x + B of integers that wrap around. Composing steps is
// associative, but not commutative.
type step struct{ A, B int32 }

func after(f, g step) step { return step{f.A * g.A, g.A*f.B + g.B} }
func twice(f step) step    { return step{f.A, 2*f.B + 1} }
func stepOf(i int) step    { return step{int32(2*i + 1), int32(i % 1000)} }

// TestSeveralScanTo scans into containers that are divided like the scan. The results are written in
// place, even over the input, and never before the input has been read.
func TestSeveralScanTo(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	for _, n := range []int{1, 5000, 1 << 17, 1<<18 + 1234} {
		whole := numbered.Apply(vector.Indices(n, vector.Single(devs[0])))
		x := numbered.Apply(vector.Indices(n, vector.Block(devs...).Weighted(1, 2, 1)))
		for name, scan := range map[string]func(out, in *vector.Vector[step]) error{
			"inclusive": func(out, in *vector.Vector[step]) error { return composed.InclusiveTo(out, in) },
			"exclusive": func(out, in *vector.Vector[step]) error { return composed.ExclusiveTo(out, in) },
			"of a map": func(out, in *vector.Vector[step]) error {
				return composed.InclusiveTo(out, stepped.Apply(in))
			},
			"exclusive, map": func(out, in *vector.Vector[step]) error {
				return composed.ExclusiveTo(out, stepped.Apply(in))
			},
		} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				want, got := composed.Inclusive(whole), composed.Inclusive(x)
				check := func(err error) {
					t.Helper()
					if err != nil {
						t.Fatal(err)
					}
				}
				check(scan(want, whole))
				check(want.Wait())
				check(got.Wait())
				before := copied(devs)
				check(scan(got, x))
				// A Map is computed where its input is, and its result is moved to the
				// parts of the scan.
				if moved := copied(devs) - before; moved > 100*8 && !strings.HasSuffix(name, "map") {
					t.Errorf("%d bytes were copied, want at most %d", moved, 100*8)
				}
				sameSteps(t, got, want)
				check(scan(want, want))
				check(scan(got, got))
				sameSteps(t, got, want)
			})
		}
	}
}

func sameSteps(t *testing.T, got, want *vector.Vector[step]) {
	t.Helper()
	g, err := got.Host()
	if err != nil {
		t.Fatal(err)
	}
	w, err := want.Host()
	if err != nil {
		t.Fatal(err)
	}
	for i := range w {
		if g[i] != w[i] {
			t.Fatalf("element %d of %d = %v, want %v", i, len(w), g[i], w[i])
		}
	}
}
