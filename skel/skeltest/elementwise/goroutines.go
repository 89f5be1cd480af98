package elementwise

import (
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// testGoroutines shares skeletons and inputs, including pending expressions, among many
// goroutines. It is most useful with the race detector.
func testGoroutines(t *testing.T, d *devices.Device) {
	const n, goroutines, rounds = 2*kit.TileSize + 77, 8, 5
	on := vector.Single(d)
	a := kit.Floats(n)
	b := kit.Reversed(a)
	va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
	product := kit.Apply2(kit.Times, a, b)
	sum, prefix := kit.Reduce(product, kit.Plus[float32], 0), kit.Scan(product, kit.Plus[float32])
	keys := kit.KeysFor(n, 4)
	vkeys := kit.Put(t, d, keys)
	byKey := kit.ByKey(product, keys, 4, kit.Plus[float32], 0)
	for range rounds {
		shared := kit.TimesAll.Apply(va, vb) // pending: only one goroutine can fuse it
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				switch g % 4 {
				case 0:
					compare(t, kit.Sums32.Reduce.Apply(shared).Vector(), []float32{sum})
				case 1:
					compare(t, kit.Sums32.Scan.Inclusive(shared), prefix)
				case 2:
					compare(t, kit.Sums32.Reduce.ByKey(shared, vkeys, 4), byKey)
				case 3:
					compare(t, kit.Flips.With(shared.View()).Apply(vector.Indices(n, on)), kit.Reversed(product))
				}
				own := vector.From(a, on)
				compare(t, kit.Squares.Apply(own), kit.Apply(kit.Square, a))
				if err := kit.AddOnes.ApplyTo(own, own); err != nil {
					t.Error(err)
				}
				compare(t, own, kit.Apply(kit.AddOne, a))
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
	if diff := kit.Differ(s, want); diff != "" {
		t.Error(diff)
	}
}
