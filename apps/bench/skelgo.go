package bench

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func squarePlus1(x float32) float32 { return x*x + 1 }
func mul(x, y float32) float32      { return x * y }
func plus(x, y float32) float32     { return x + y }

var (
	square = skel.NewMap(squarePlus1)
	times  = skel.NewZip(mul)
	sum    = skel.NewReduce(plus, 0)
	sums   = skel.NewScan(plus, 0)
)

// skeletons gives the tasks with their first cases.
func skeletons(d *devices.Device, hostX, hostY []float32) (tasks []Task, free func()) {
	on := vector.Single(d)
	x, y := vector.From(hostX, on), vector.From(hostY, on)
	out := vector.New[float32](len(hostX), on)
	var value float32

	elements := func(call func() error) []Case {
		return []Case{{"skelgo", func() error {
			if err := call(); err != nil {
				return err
			}
			return d.Sync()
		}, out.Host}}
	}
	number := func(call func() *vector.Scalar[float32]) []Case {
		return []Case{{"skelgo", func() (err error) {
			s := call()
			value, err = s.Value()
			s.Free()
			return err
		}, func() ([]float32, error) { return []float32{value}, nil }}}
	}
	size := int64(len(hostX)) * 4
	return []Task{
		{"Map", 2 * size, elements(func() error { return square.ApplyTo(out, x) })},
		{"Zip", 3 * size, elements(func() error { return times.ApplyTo(out, x, y) })},
		{"Reduce", size, number(func() *vector.Scalar[float32] { return sum.Apply(x) })},
		{"Scan", 2 * size, elements(func() error { return sums.InclusiveTo(out, x) })},
		{"Dot", 2 * size, number(func() *vector.Scalar[float32] { return sum.Apply(times.Apply(x, y)) })},
	}, func() { x.Free(); y.Free(); out.Free() }
}
