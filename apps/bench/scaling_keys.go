package bench

import (
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// scaledKeys returns what is measured of histograms and reductions by key, for n elements on each
// device.
func scaledKeys(n int) []*benchmark.Scaled {
	row := func(name string, open func(on vector.Distribution, n int) (func() *vector.Vector[int32],
		func())) *benchmark.Scaled {
		return &benchmark.Scaled{
			Name: name, Weak: true, Each: 1,
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				compute, free := open(on, n*devs)
				call := func() error {
					v := compute()
					defer v.Free()
					_, err := v.Memory() // devices are combined when something needs the result
					return err
				}
				return call, free, call()
			},
		}
	}
	return []*benchmark.Scaled{
		{
			Name: "Histogram, uint8, 256 bins", Weak: true, Each: 1,
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := octets.OnDevice.With(0).Apply(vector.Indices(n*devs, on))
				call := func() error {
					v := skel.HistogramEven(x, 0, 256, 256)
					defer v.Free()
					return v.Err()
				}
				return call, x.Free, x.Wait()
			},
		},
		row("ByKey, int32, 256 keys", func(on vector.Distribution, n int) (func() *vector.Vector[int32], func()) {
			x := octets.OnDevice.With(0).Apply(vector.Indices(n, on))
			_ = x.Wait() // the result carries the error
			return func() *vector.Vector[int32] { return int32s.sum.ByKey(ones.Apply(x), keysOf.Apply(x), 256) }, x.Free
		}),
		row("ByKey, int32, 65536 keys", func(on vector.Distribution, n int) (func() *vector.Vector[int32], func()) {
			x := shortKeys.OnDevice.With(0).Apply(vector.Indices(n/4, on))
			_ = x.Wait()
			return func() *vector.Vector[int32] { return int32s.sum.ByKey(x, x, 1<<16) }, x.Free
		}),
		{
			Name: "ByKey, float32, 256 keys", Weak: true, Each: 1,
			Open: func(on vector.Distribution, devs int) (func() error, func(), error) {
				x := float32s.random.OnDevice.With(0).Apply(vector.Indices(n/4*devs, on))
				k := octets.OnDevice.With(0).Apply(vector.Indices(n/4*devs, on))
				free := func() {
					x.Free()
					k.Free()
				}
				if err := x.Wait(); err != nil {
					return nil, free, err
				}
				call := func() error {
					v := float32s.sum.ByKey(x, keysOf.Apply(k), 256)
					defer v.Free()
					return v.Err()
				}
				return call, free, k.Wait()
			},
		},
	}
}
