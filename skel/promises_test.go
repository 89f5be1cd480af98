package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// promising is an idle device that rejects launches which break a promise of
// their kernel, such as restrict (docs/adr/0017).
type promising struct{ idle }

func (p promising) Build(c driver.Program) (driver.Kernel, error) {
	return devicestest.Promises(idleKernel{}, c), nil
}

var (
	sumsOfThree = skel.NewMapOverlap(threeSum, 1)
)

func threeSum(w vector.Window[float32]) float32 { return w.At(-1) + w.At(0) + w.At(1) }

// TestPromises uses one container several times in a call. What kernels promise to compilers about their
// memory must hold in every call.
func TestPromises(t *testing.T) {
	for _, kind := range []driver.Kind{driver.CPU, driver.GPU} {
		t.Run(kind.String(), func(t *testing.T) {
			d := devices.Wrap("promising", promising{idle{kind}})
			defer d.Close()
			const n = 100_000
			on := vector.Single(d)
			for name, call := range map[string]func(x, y, z floats) error{
				"fresh":        func(x, y, z floats) error { return squares.Apply(x).Wait() },
				"in place":     func(x, y, z floats) error { return squares.ApplyTo(x, x) },
				"not in place": func(x, y, z floats) error { return squares.ApplyTo(y, x) },
				"left":         func(x, y, z floats) error { return times.ApplyTo(x, x, y) },
				"right":        func(x, y, z floats) error { return times.ApplyTo(x, y, x) },
				"both":         func(x, y, z floats) error { return times.ApplyTo(x, x, x) },
				"neither":      func(x, y, z floats) error { return times.ApplyTo(x, y, y) },
				"of an expression": func(x, y, z floats) error {
					return times.ApplyTo(x, squares.Apply(y), times.Apply(z, squares.Apply(x)))
				},
				"a plain argument": func(x, y, z floats) error { return points.With(line{2, 1}).ApplyTo(x, x) },
				"stencil":          func(x, y, z floats) error { return sumsOfThree.ApplyTo(y, x) },
				"stencil of a map": func(x, y, z floats) error { return sumsOfThree.ApplyTo(y, squares.Apply(x)) },
				"map of a stencil": func(x, y, z floats) error { return squares.ApplyTo(y, sumsOfThree.Apply(x)) },
				"view and input": func(x, y, z floats) error {
					return atPlaces.With(look{x.View()}).ApplyTo(y, x)
				},
				"view beside outputs": func(x, y, z floats) error {
					return atPlaces.With(look{y.View()}).ApplyTo(x, x)
				},
				"scan in place": func(x, y, z floats) error { return sums.InclusiveTo(x, x) },
				"scan with a view": func(x, y, z floats) error {
					return biased.With(look{x.View()}).InclusiveTo(x, x)
				},
				"reduce with a view": func(x, y, z floats) error {
					s := biasedSum.With(look{x.View()}).Apply(x)
					defer s.Free()
					return s.Err()
				},
			} {
				x, y, z := vector.New[float32](n, on), vector.New[float32](n, on), vector.New[float32](n, on)
				for range 2 { // the second call finds the kernel in the cache
					if err := call(x, y, z); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		})
	}
}

type floats = *vector.Vector[float32]

// look is an extra argument with a view.
type look struct{ V vector.View[float32] }

func atPlace(x float32, e look) float32     { return x + e.V.At(int(x)) }
func biasedBy(x, y float32, e look) float32 { return x + y + e.V.At(0) }

var (
	atPlaces  = skel.NewMapWith(atPlace)
	biased    = skel.NewScanWith(biasedBy, 0)
	biasedSum = skel.NewReduceWith(biasedBy, 0)
)
