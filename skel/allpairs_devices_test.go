package skel_test

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func accumulate(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

func moved(acc, a, b float32, by vector.View[float32]) float32 { return acc*0.5 + a - b + by.At(0) }

var (
	accumulates = skel.NewAllPairsFold(accumulate, 0)
	moves       = skel.NewAllPairsFoldWith(moved, 0)
)

// TestAllPairsOnSeveralDevices gives both matrices every kind of distribution, and compares
// the results with those of one device.
func TestAllPairsOnSeveralDevices(t *testing.T) {
	const n, m, k = 37, 21, 13
	devs := devicestest.Processors(t, 3)
	x, y := make([]float32, n*k), make([]float32, m*k)
	for i := range x {
		x[i] = float32(i%97) / 7
	}
	for i := range y {
		y[i] = float32(i%31) / 3
	}
	one, weights := vector.Single(devs[0]), []float32{0.25}
	product := func(on, other vector.Distribution) *matrix.Matrix[float32] {
		return accumulates.Apply(matrix.From(n, k, x, on), matrix.From(m, k, y, other))
	}
	want, err := product(one, one).Host()
	if err != nil {
		t.Fatal(err)
	}
	squared := slices.Clone(want)
	for i, v := range want {
		squared[i] = v * v
	}
	left, right := matrix.From(n, k, x, one), matrix.From(m, k, y, one)
	wantMoved, err := moves.With(vector.From(weights, one).View()).Apply(left, right).Host()
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, m *matrix.Matrix[float32], want []float32) {
		t.Helper()
		if got, err := m.Host(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the result differs from that of one device; error %v", what, err)
		}
	}
	places := map[string]vector.Distribution{
		"one": one, "another": vector.Single(devs[1]), "copies": vector.Copy(devs...), "blocks": vector.Block(devs...),
		"two": vector.Block(devs[:2]...), "weighted": vector.Block(devs...).Weighted(1, 2, 4),
	}
	for left, p := range places {
		for right, q := range places {
			what := left + " and " + right
			check(what, product(p, q), want)
			check(what+", squared", matrix.Of(squares.Apply(product(p, q).Vector()), n, m), squared)
			out := matrix.New[float32](n, m, q)
			if err := accumulates.ApplyTo(out, matrix.From(n, k, x, p), matrix.From(m, k, y, one)); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			check(what+", into", out, want)
			flat := matrix.Of(vector.New[float32](n*m, q), n, m)
			if err := accumulates.ApplyTo(flat, matrix.From(n, k, x, p), matrix.From(m, k, y, q)); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			check(what+", into elements", flat, want)
			check(what+", with a view", moves.With(vector.From(weights, q).View()).Apply(matrix.From(n, k, x, p),
				matrix.From(m, k, y, q)), wantMoved)
		}
		turned := matrix.Of(vector.From(x, p), n, k) // its parts are no whole rows
		check(left+", elements", accumulates.Apply(turned, matrix.From(m, k, y, one)), want)
	}
	if err := accumulates.ApplyTo(matrix.From(3, 3, x[:9], places["blocks"]), matrix.From(3, 2, x[:6], one),
		matrix.From(3, 2, y[:6], one)); err != nil {
		t.Error(err)
	}
}

// TestAllPairsOfNothing multiplies matrices without columns after they were moved.
func TestAllPairsOfNothing(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	for _, from := range []vector.Distribution{vector.Single(devs[0]), vector.Copy(devs...), vector.Block(devs...)} {
		for _, to := range []vector.Distribution{vector.Single(devs[1]), vector.Copy(devs...), vector.Block(devs...),
			vector.Block(devs...).Weighted(1, 2, 4)} {
			for _, left := range []*matrix.Matrix[float32]{matrix.New[float32](5, 0, from).To(to),
				matrix.New[float32](5, 0, from).To(to).Clone()} {
				got, err := accumulates.Apply(left, matrix.New[float32](4, 0, to)).Host()
				if err != nil || !slices.Equal(got, make([]float32, 20)) {
					t.Errorf("%v to %v: %v, %v; want 20 zeros", from, to, got, err)
				}
			}
		}
	}
}
