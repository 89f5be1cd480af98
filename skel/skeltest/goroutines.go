package skeltest

import (
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// testGoroutines shares skeletons and inputs, including pending expressions, among many
// goroutines. It is most useful with the race detector.
func testGoroutines(t *testing.T, d *devices.Device) {
	const n, goroutines, rounds = 2*tileSize + 77, 8, 5
	on := vector.Single(d)
	a := floats(n)
	b := reversed(a)
	va, vb := put(t, d, a), put(t, d, b)
	product := apply2(times, a, b)
	sum, prefix := Reduce(product, plus[float32], 0), Scan(product, plus[float32])
	keys := keysFor(n, 4)
	vkeys := put(t, d, keys)
	byKey := ByKey(product, keys, 4, plus[float32], 0)
	for range rounds {
		shared := timesAll.Apply(va, vb) // pending: only one goroutine can fuse it
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				switch g % 4 {
				case 0:
					compare(t, sums32.reduce.Apply(shared).Vector(), []float32{sum})
				case 1:
					compare(t, sums32.scan.Inclusive(shared), prefix)
				case 2:
					compare(t, sums32.reduce.ByKey(shared, vkeys, 4), byKey)
				case 3:
					compare(t, flips.With(shared.View()).Apply(vector.Indices(n, on)), reversed(product))
				}
				own := vector.From(a, on)
				compare(t, squares.Apply(own), apply(square, a))
				if err := addOnes.ApplyTo(own, own); err != nil {
					t.Error(err)
				}
				compare(t, own, apply(addOne, a))
				own.Free()
			})
		}
		all.Wait()
		shared.Free()
	}
}

// compare is expect for goroutines other than the test's, which must not call Fatal.
func compare[T any](t *testing.T, got *vector.Vector[T], want []T) {
	s, err := got.Host()
	if err != nil {
		t.Error(err)
		return
	}
	if diff := differ(s, want); diff != "" {
		t.Error(diff)
	}
}
