package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Functions that read views in loops, at indices that are the same for all elements.
// GPUs compute two elements of such a function at a time (docs/adr/0010).

// sites holds points, and places to compare each point with.
type sites struct {
	Points, Places matrix.View[float32]
	Order          vector.View[int32] // of the places
	Skip           int
}

// nearest returns the place nearest to point i.
func nearest(i int, s sites) int32 {
	best, least := int32(-1), float32(1e30)
	for c := range s.Places.Rows() {
		d := float32(0)
		for j := range s.Points.Cols() {
			diff := s.Points.At(i, j) - s.Places.At(c, j)
			d += float32(diff * diff)
		}
		if d < least {
			best, least = int32(c), d
		}
	}
	return best
}

// walk has loops of every kind: conditions and variables that are the same for all
// elements and others that differ, loops that some elements leave early, and reads that
// some elements skip.
func walk(x float32, i int32, s sites) kit.Padded {
	var sum [2]float32
	steps, x_2, sign := int32(0), float32(0.5), float32(1)
	for k := 0; k < s.Order.Len(); k++ {
		c := int(s.Order.At(k))
		if c == s.Skip {
			sign = -sign
		}
		place := s.Places.At(c, k%s.Places.Cols())
		if c%2 == 0 {
			sum[0] += float32(sign * (x - place))
		} else {
			x_2 += place
			sum[k%2] -= float32(x * place)
		}
		for j := int(i) % 3; j < s.Places.Cols(); j++ {
			if s.Places.At(c, j) > x || x < 0 && s.Places.At(0, j) < 0 {
				break
			}
			steps++
		}
		switch {
		case place > x:
			steps += 2
		case c == 3:
			steps -= 5
		}
	}
	return kit.Padded{A: uint8(steps), B: float64(sum[0]) + float64(x_2), C: uint16(int32(sum[1])), D: sum[1] < 0}
}

var (
	nearests = skel.NewMapWith(nearest)
	walks    = skel.NewZipWith(walk)
)

func testTwice(t *testing.T, d *devices.Device) {
	const most, dim = 2*kit.TileSize + 77, 5
	points := kit.Generate(most*dim, func(r *kit.Dice, _ int) float32 { return float32(r.IntN(200))/8 - 10 })
	places := kit.Generate(9*dim, func(r *kit.Dice, _ int) float32 { return float32(r.IntN(200))/8 - 10 })
	order := kit.Generate(20, func(r *kit.Dice, _ int) int32 { return int32(r.IntN(9)) })
	on := func(d *devices.Device) sites {
		return sites{kit.PutMatrix(t, d, most, dim, points).View(), kit.PutMatrix(t, d, 9, dim, places).View(),
			kit.Put(t, d, order).View(), 4}
	}
	there, here := on(d), on(devicestest.Processors(t, 1)[0])
	for _, n := range []int{0, 1, 2, 511, 512, 513, 1001, most} {
		numbers := kit.Generate(n, func(r *kit.Dice, _ int) int32 { return int32(r.IntN(1000)) })
		want, walked := make([]int32, n), make([]kit.Padded, n)
		for i := range want {
			want[i], walked[i] = nearest(i, here), walk(points[i], numbers[i], here)
		}
		kit.Expect(t, nearests.With(there).Apply(vector.Indices(n, kit.Home(d))), want)
		kit.Expect(t, walks.With(there).Apply(kit.Put(t, d, points[:n]), kit.Put(t, d, numbers)), walked)
	}
	// With so many keys, a GPU computes the keys before the reduction by key.
	const keys, n = 70, 1001
	numbers, of, sums := kit.Generate(n, func(r *kit.Dice, _ int) int { return r.IntN(1000) }), make([]int32, n),
		make([]int, keys)
	for i, x := range numbers {
		of[i] = nearest(i, here)
		sums[of[i]] += x
	}
	values, all := kit.Put(t, d, numbers), vector.Indices(n, kit.Home(d))
	near := nearests.With(there).Apply(all)
	kit.Expect(t, kit.SumsInt.ByKey(values, near, keys), sums)
	kit.Expect(t, near, of)
	var again *vector.Vector[int]
	loop := kit.Record(t, func() error {
		near := nearests.With(there).Apply(all)
		again = kit.SumsInt.ByKey(values, near, keys)
		near.Free()
		return again.Err()
	})
	kit.OK(t, loop.Run(2))
	kit.Expect(t, again, sums)
}
