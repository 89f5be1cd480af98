package elementwise

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

type fromTo struct {
	From vector.View[float32]
	To   vector.OutView[float32]
}

func turnOver(i int, e fromTo) { e.To.Set(i, e.From.At(e.From.Len()-1-i)) }

type twoOut struct{ A, B vector.OutView[float32] }

func writeTwo(i int, e twoOut) {
	e.A.Set(i, 1)
	e.B.Set(i, 2)
}

func addFrom(x float32, i int, v vector.View[float32]) float32 { return x + v.At(v.Len()-1-i) }

func plusBias(x, y float32, bias vector.View[float32]) float32 { return x + y + float32(bias.At(0)*0) }

var (
	turnsOver  = skel.NewMapVoidWith(turnOver)
	writeTwos  = skel.NewMapVoidWith(writeTwo)
	addFroms   = skel.NewZipWith(addFrom)
	biasedScan = skel.NewScanWith(plusBias, 0)
)

// testAliasing makes calls in which one element of a result could overwrite what another
// element has yet to read. Each is an error and changes nothing.
func testAliasing(t *testing.T, d *devices.Device) {
	const n = 1000
	on := kit.Home(d)
	a := kit.Floats(n)
	index := vector.Indices(n, on)
	for name, call := range kit.Ordered(map[string]func(v *vector.Vector[float32]) error{
		"view of the output": func(v *vector.Vector[float32]) error {
			return kit.Flips.With(v.View()).ApplyTo(v,
				index)
		},
		"view of the output, zip": func(v *vector.Vector[float32]) error {
			return addFroms.With(v.View()).ApplyTo(v, v, index)
		},
		"view and out-view": func(v *vector.Vector[float32]) error {
			return turnsOver.With(fromTo{v.View(), v.OutView()}).Apply(index)
		},
		"two out-views": func(v *vector.Vector[float32]) error {
			return writeTwos.With(twoOut{v.OutView(), v.OutView()}).Apply(index)
		},
		"input and out-view": func(v *vector.Vector[float32]) error {
			return kit.ScatterAll.With(v.OutView()).Apply(vector.From(kit.Permutation(n), on), v)
		},
		"the same elements as a matrix": func(v *vector.Vector[float32]) error {
			m := matrix.Of(v, 20, 50)
			return kit.Transposes.With(m.View()).ApplyMatrixTo(matrix.Of(v, 50, 20), matrix.Indices(50, 20, on))
		},
	}) {
		t.Run(name, func(t *testing.T) {
			v := kit.Put(t, d, a)
			err := call(v)
			if err == nil {
				if kit.Several(d) { // safe if the view reads a copy
					return
				}
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), "skel") {
				t.Errorf("error %q does not name package skel", err)
			}
			kit.Expect(t, v, a)
		})
	}
	t.Run("pending inputs", func(t *testing.T) { pendingInputs(t, d) })
	t.Run("what is safe", func(t *testing.T) {
		v, w := kit.Put(t, d, a), kit.Put(t, d, make([]float32, n))
		kit.OK(t, turnsOver.With(fromTo{v.View(), w.OutView()}).Apply(index))
		kit.Expect(t, w, kit.Reversed(a))
		kit.OK(t, turnsOver.With(fromTo{w.View(), v.OutView()}).Apply(index))
		kit.Expect(t, v, a)
		kit.OK(t, addFroms.With(v.View()).ApplyTo(w, w, index))
		kit.Expect(t, w, kit.Apply(func(x float32) float32 { return x + x }, kit.Reversed(a)))
		kit.OK(t, biasedScan.With(v.View()).InclusiveTo(v, v))
		kit.Expect(t, v, kit.Scan(a, func(x, y float32) float32 { return x + y + float32(a[0]*0) }))
		w = kit.Put(t, d, a)
		kit.OK(t, kit.Sums32.Scan.InclusiveTo(w, kit.Flips.With(w.View()).Apply(index)))
		kit.Expect(t, w, kit.Scan(kit.Reversed(a), kit.Plus[float32]))
	})
}

// pendingInputs makes calls that change a container while one of their inputs is a pending
// expression over it. The input has the values of the time when it was created.
func pendingInputs(t *testing.T, d *devices.Device) {
	const n, rows, cols = 1000, 20, 50
	type vec = *vector.Vector[float32]
	on := kit.Home(d)
	a, to := kit.Floats(n), kit.Permutation(n)
	scattered := func(s []float32) []float32 {
		out := make([]float32, n)
		for i, j := range to {
			out[j] = s[i]
		}
		return out
	}
	squared := kit.Apply(kit.Square, a)
	whole := func(s []float32) []float32 {
		return kit.Apply(func(x float32) float32 { return x - float32(int32(x)) }, s)
	}
	stencilled := func(s []float32) []float32 {
		return kit.Overlap(&kit.Field[float32]{rows, cols, s, vector.Nearest, 0}, kit.FivePointAt)
	}
	asMatrix := func(v vec) *matrix.Matrix[float32] { return matrix.Of(v, rows, cols) }
	ones := make([]float32, cols*cols)
	for i := range cols {
		ones[i*cols+i] = 1
	}
	index, at, identity := vector.Indices(n, on), kit.Put(t, d, to), matrix.From(cols, cols, ones, on)
	for name, test := range kit.Ordered(map[string]struct {
		call func(v vec) error
		want []float32
	}{
		"out-view": {func(v vec) error { return kit.ScatterAll.With(v.OutView()).Apply(at, kit.Squares.Apply(v)) },
			scattered(squared)},
		"out-view, deeper": {
			func(v vec) error {
				return kit.ScatterAll.With(v.OutView()).Apply(at, kit.AddOnes.Apply(kit.Squares.Apply(v)))
			},
			scattered(kit.Apply(kit.AddOne, squared)),
		},
		"out-view, two expressions": {
			func(v vec) error {
				y := kit.Squares.Apply(v)
				return kit.ScatterAll.With(v.OutView()).Apply(at, kit.SumPairs.Apply(kit.AddOnes.Apply(y), v))
			},
			scattered(kit.Apply2(kit.Plus[float32], kit.Apply(kit.AddOne, squared), a)),
		},
		"out-view, an expression that a view reads": {
			func(v vec) error {
				return kit.ScatterAll.With(v.OutView()).Apply(at, kit.Flips.With(v.View()).Apply(index))
			},
			scattered(kit.Reversed(a)),
		},
		"out-view of a function with a result": {
			func(v vec) error { return kit.FractionsOf.With(v.OutView()).Apply(index, kit.Squares.Apply(v)).Err() },
			whole(squared),
		},
		"out-view, computed into a container": {
			func(v vec) error {
				return kit.FractionsOf.With(v.OutView()).ApplyTo(vector.New[int32](n, on), index, kit.Squares.Apply(v))
			},
			whole(squared),
		},
		"out-view of a matrix": {
			func(v vec) error {
				m, other := matrix.New[float32](rows, cols/2, on), vector.New[int32](rows, on)
				half := asMatrix(v)
				err := kit.SplitAll.With(kit.Planes{half.OutView(), m.OutView(),
					other.OutView()}).ApplyMatrix(matrix.Indices(rows, cols, on), kit.Squares.ApplyMatrix(half))
				return err
			},
			func() []float32 {
				s := append([]float32(nil), a...)
				for i := range rows {
					for j := 0; j < cols; j += 2 {
						s[i*cols+j/2] = squared[i*cols+j]
					}
				}
				return s
			}(),
		},
		"output, of a view": {
			func(v vec) error { return kit.AddOnes.ApplyTo(v, kit.Flips.With(v.View()).Apply(index)) },
			kit.Apply(kit.AddOne, kit.Reversed(a)),
		},
		"output, of a stencil": {
			func(v vec) error { return kit.AddOnes.ApplyMatrixTo(asMatrix(v), kit.HeatStep.Apply(asMatrix(v))) },
			kit.Apply(kit.AddOne, stencilled(a)),
		},
		"output of a stencil": {
			func(v vec) error { return kit.HeatStep.ApplyTo(asMatrix(v), kit.Squares.ApplyMatrix(asMatrix(v))) },
			stencilled(squared),
		},
		"output of a zip": {
			func(v vec) error { return kit.SumPairs.ApplyTo(v, v, kit.Flips.With(v.View()).Apply(index)) },
			kit.Apply2(kit.Plus[float32], a, kit.Reversed(a)),
		},
		"output of all pairs": {
			func(v vec) error {
				return kit.MatProducts.ApplyTo(asMatrix(v), kit.Squares.ApplyMatrix(asMatrix(v)), identity)
			},
			squared,
		},
		"CopyFrom": {func(v vec) error { return v.CopyFrom(kit.Flips.With(v.View()).Apply(index)) }, kit.Reversed(a)},
		"scan": {func(v vec) error { return kit.Sums32.Scan.InclusiveTo(v, kit.Flips.With(v.View()).Apply(index)) },
			kit.Scan(kit.Reversed(a), kit.Plus[float32])},
	}) {
		t.Run(name, func(t *testing.T) {
			v := kit.Put(t, d, a)
			y := kit.Squares.Apply(v) // still pending when v changes
			kit.OK(t, test.call(v))
			kit.Expect(t, v, test.want)
			kit.Expect(t, y, squared)

			v = kit.Put(t, d, a)
			loop, err := skel.Record(func() error { return test.call(v) })
			kit.OK(t, err)
			defer loop.Close()
			kit.Expect(t, v, a)
			kit.OK(t, loop.Run(1))
			kit.Expect(t, v, test.want)
		})
	}
}
