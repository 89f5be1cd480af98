package skeltest

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
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
	on := home(d)
	a := floats(n)
	index := vector.Indices(n, on)
	for name, call := range map[string]func(v *vector.Vector[float32]) error{
		"view of the output": func(v *vector.Vector[float32]) error { return flips.With(v.View()).ApplyTo(v, index) },
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
			return scatterAll.With(v.OutView()).Apply(vector.From(permutation(n), on), v)
		},
		"the same elements as a matrix": func(v *vector.Vector[float32]) error {
			m := matrix.Of(v, 20, 50)
			return transposes.With(m.View()).ApplyMatrixTo(matrix.Of(v, 50, 20), matrix.Indices(50, 20, on))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := put(t, d, a)
			err := call(v)
			if err == nil {
				if several(d) { // safe if the view reads a copy
					return
				}
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), "skel") {
				t.Errorf("error %q does not name package skel", err)
			}
			expect(t, v, a)
		})
	}
	t.Run("pending inputs", func(t *testing.T) { pendingInputs(t, d) })
	t.Run("what is safe", func(t *testing.T) {
		v, w := put(t, d, a), put(t, d, make([]float32, n))
		ok(t, turnsOver.With(fromTo{v.View(), w.OutView()}).Apply(index))
		expect(t, w, reversed(a))
		ok(t, turnsOver.With(fromTo{w.View(), v.OutView()}).Apply(index))
		expect(t, v, a)
		ok(t, addFroms.With(v.View()).ApplyTo(w, w, index))
		expect(t, w, apply(func(x float32) float32 { return x + x }, reversed(a)))
		ok(t, biasedScan.With(v.View()).InclusiveTo(v, v))
		expect(t, v, Scan(a, func(x, y float32) float32 { return x + y + float32(a[0]*0) }))
		w = put(t, d, a)
		ok(t, sums32.scan.InclusiveTo(w, flips.With(w.View()).Apply(index)))
		expect(t, w, Scan(reversed(a), plus[float32]))
	})
}

// pendingInputs makes calls that change a container while one of their inputs is a pending
// expression over it. The input has the values of the time when it was created.
func pendingInputs(t *testing.T, d *devices.Device) {
	const n, rows, cols = 1000, 20, 50
	type vec = *vector.Vector[float32]
	on := home(d)
	a, to := floats(n), permutation(n)
	scattered := func(s []float32) []float32 {
		out := make([]float32, n)
		for i, j := range to {
			out[j] = s[i]
		}
		return out
	}
	squared := apply(square, a)
	whole := func(s []float32) []float32 { return apply(func(x float32) float32 { return x - float32(int32(x)) }, s) }
	stencilled := func(s []float32) []float32 {
		return overlap(&field[float32]{rows, cols, s, vector.Nearest, 0}, fivePointAt)
	}
	asMatrix := func(v vec) *matrix.Matrix[float32] { return matrix.Of(v, rows, cols) }
	ones := make([]float32, cols*cols)
	for i := range cols {
		ones[i*cols+i] = 1
	}
	index, at, identity := vector.Indices(n, on), put(t, d, to), matrix.From(cols, cols, ones, on)
	for name, test := range map[string]struct {
		call func(v vec) error
		want []float32
	}{
		"out-view": {func(v vec) error { return scatterAll.With(v.OutView()).Apply(at, squares.Apply(v)) },
			scattered(squared)},
		"out-view, deeper": {
			func(v vec) error { return scatterAll.With(v.OutView()).Apply(at, addOnes.Apply(squares.Apply(v))) },
			scattered(apply(addOne, squared)),
		},
		"out-view, two expressions": {
			func(v vec) error {
				y := squares.Apply(v)
				return scatterAll.With(v.OutView()).Apply(at, sumPairs.Apply(addOnes.Apply(y), v))
			},
			scattered(apply2(plus[float32], apply(addOne, squared), a)),
		},
		"out-view, an expression that a view reads": {
			func(v vec) error { return scatterAll.With(v.OutView()).Apply(at, flips.With(v.View()).Apply(index)) },
			scattered(reversed(a)),
		},
		"out-view of a function with a result": {
			func(v vec) error { return fractionsOf.With(v.OutView()).Apply(index, squares.Apply(v)).Err() },
			whole(squared),
		},
		"out-view, computed into a container": {
			func(v vec) error {
				return fractionsOf.With(v.OutView()).ApplyTo(vector.New[int32](n, on), index, squares.Apply(v))
			},
			whole(squared),
		},
		"out-view of a matrix": {
			func(v vec) error {
				m, other := matrix.New[float32](rows, cols/2, on), vector.New[int32](rows, on)
				half := asMatrix(v)
				err := splitAll.With(planes{half.OutView(), m.OutView(),
					other.OutView()}).ApplyMatrix(matrix.Indices(rows, cols, on), squares.ApplyMatrix(half))
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
			func(v vec) error { return addOnes.ApplyTo(v, flips.With(v.View()).Apply(index)) },
			apply(addOne, reversed(a)),
		},
		"output, of a stencil": {
			func(v vec) error { return addOnes.ApplyMatrixTo(asMatrix(v), heatStep.Apply(asMatrix(v))) },
			apply(addOne, stencilled(a)),
		},
		"output of a stencil": {
			func(v vec) error { return heatStep.ApplyTo(asMatrix(v), squares.ApplyMatrix(asMatrix(v))) },
			stencilled(squared),
		},
		"output of a zip": {
			func(v vec) error { return sumPairs.ApplyTo(v, v, flips.With(v.View()).Apply(index)) },
			apply2(plus[float32], a, reversed(a)),
		},
		"output of all pairs": {
			func(v vec) error { return matProducts.ApplyTo(asMatrix(v), squares.ApplyMatrix(asMatrix(v)), identity) },
			squared,
		},
		"CopyFrom": {func(v vec) error { return v.CopyFrom(flips.With(v.View()).Apply(index)) }, reversed(a)},
		"scan": {func(v vec) error { return sums32.scan.InclusiveTo(v, flips.With(v.View()).Apply(index)) },
			Scan(reversed(a), plus[float32])},
	} {
		t.Run(name, func(t *testing.T) {
			v := put(t, d, a)
			y := squares.Apply(v) // still pending when v changes
			ok(t, test.call(v))
			expect(t, v, test.want)
			expect(t, y, squared)

			v = put(t, d, a)
			loop, err := skel.Record(func() error { return test.call(v) })
			ok(t, err)
			defer loop.Close()
			expect(t, v, a)
			ok(t, loop.Run(1))
			expect(t, v, test.want)
		})
	}
}
