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
	turnsOver  = skel.NewMapVoid(turnOver)
	writeTwos  = skel.NewMapVoid(writeTwo)
	addFroms   = skel.NewZipWith(addFrom)
	biasedScan = skel.NewScanWith(plusBias, 0)
)

// testAliasing makes calls in which one part of a result could overwrite what
// another part has yet to read: each is an error, and changes nothing.
func testAliasing(t *testing.T, d *devices.Device) {
	const n = 1000
	on := home(d)
	a := floats(n)
	index := vector.Indices(n, on)
	for name, call := range map[string]func(v *vector.Vector[float32]) error{
		"view of the output": func(v *vector.Vector[float32]) error { return flips.ApplyTo(v, index, v.View()) },
		"view of the output, zip": func(v *vector.Vector[float32]) error {
			return addFroms.ApplyTo(v, v, index, v.View())
		},
		"view of the output, in a lazy input": func(v *vector.Vector[float32]) error {
			return addOnes.ApplyTo(v, flips.Apply(index, v.View()))
		},
		"view and out-view": func(v *vector.Vector[float32]) error {
			return turnsOver.Apply(index, fromTo{v.View(), v.OutView()})
		},
		"two out-views": func(v *vector.Vector[float32]) error {
			return writeTwos.Apply(index, twoOut{v.OutView(), v.OutView()})
		},
		"input and out-view": func(v *vector.Vector[float32]) error {
			return scatterAll.Apply(vector.From(permutation(n), on), v, v.OutView())
		},
		"lazy input and out-view": func(v *vector.Vector[float32]) error {
			return scatterAll.Apply(vector.From(permutation(n), on), squares.Apply(v), v.OutView())
		},
		"the same elements as a matrix": func(v *vector.Vector[float32]) error {
			m := matrix.Of(v, 20, 50)
			return transposes.ApplyMatrixTo(matrix.Of(v, 50, 20), matrix.Indices(50, 20, on), m.View())
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := put(t, d, a)
			err := call(v)
			if err == nil {
				if several(d) { // a view may be of a copy, and then this is safe
					return
				}
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), "skel") {
				t.Errorf("error %q does not say where it comes from", err)
			}
			expect(t, v, a)
		})
	}
	t.Run("what is safe", func(t *testing.T) {
		v, w := put(t, d, a), put(t, d, make([]float32, n))
		ok(t, turnsOver.Apply(index, fromTo{v.View(), w.OutView()}))
		expect(t, w, reversed(a))
		ok(t, turnsOver.Apply(index, fromTo{w.View(), v.OutView()}))
		expect(t, v, a)
		ok(t, addFroms.ApplyTo(w, w, index, v.View()))
		expect(t, w, apply(func(x float32) float32 { return x + x }, reversed(a)))
		ok(t, biasedScan.With(v.View()).InclusiveTo(v, v))
		expect(t, v, Scan(a, func(x, y float32) float32 { return x + y + float32(a[0]*0) }))
		w = put(t, d, a)
		ok(t, sums32.scan.InclusiveTo(w, flips.Apply(index, w.View())))
		expect(t, w, Scan(reversed(a), plus[float32]))
	})
}
