package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Functions that write through out-views.

// moves holds the destination of every element.
type moves struct {
	To  vector.View[int32]
	In  vector.View[kit.Padded]
	Out vector.OutView[kit.Padded]
}

func move(i int, m moves) { m.Out.Set(int(m.To.At(i)), m.In.At(i)) }

// addTo reads the out-view that it writes.
func addTo(to int32, x float32, out vector.OutView[float32]) { out.Set(int(to), out.At(int(to))+x) }

var (
	moveAll = skel.NewMapVoidWith(move)

	addToAll = skel.NewZipVoidWith(addTo)
)

func testOutViews(t *testing.T, d *devices.Device) {
	on := kit.Home(d)
	for _, n := range []int{0, 1, 17, 1000, 2*kit.TileSize + 1} {
		s, to := kit.Floats(n), kit.Permutation(n)
		moved := make([]float32, n)
		for i, j := range to {
			moved[j] = s[i]
		}
		vs, vto := kit.Put(t, d, s), kit.Put(t, d, to)

		structs := kit.Generate(n, func(d *kit.Dice, i int) kit.Padded {
			return kit.Padded{uint8(i), d.Wide(),
				uint16(i), i%2 == 0}
		})
		movedStructs := make([]kit.Padded, n)
		for i, j := range to {
			movedStructs[j] = structs[i]
		}
		out := vector.New[kit.Padded](n, on)
		kit.OK(t, moveAll.With(moves{vto.View(), kit.Put(t, d, structs).View(),
			out.OutView()}).Apply(vector.Indices(n, on)))
		kit.Expect(t, out, movedStructs)

		scattered := vector.New[float32](n, on)
		kit.OK(t, kit.ScatterAll.With(scattered.OutView()).Apply(vto, vs))
		kit.Expect(t, scattered, moved)
		kit.OK(t, addToAll.With(scattered.OutView()).Apply(vto, vs)) // after the host has a copy
		kit.Expect(t, scattered, kit.Apply(func(x float32) float32 { return x + x }, moved))

		rest := vector.New[float32](n, on)
		whole := kit.FractionsOf.With(rest.OutView()).Apply(vector.Indices(n, on), vs)
		kit.Expect(t, rest, kit.Apply(func(x float32) float32 { return x - float32(int32(x)) }, s))
		kit.Expect(t, whole, kit.Apply(func(x float32) int32 { return int32(x) }, s))
	}
	t.Run("matrices", func(t *testing.T) {
		const rows, cols = 37, 11
		s := kit.Floats(rows * cols)
		even, odd := matrix.New[float32](rows, 6, on), matrix.New[float32](rows, 5, on)
		count := vector.New[int32](rows, on)
		kit.OK(t, kit.SplitAll.With(kit.Planes{even.OutView(), odd.OutView(),
			count.OutView()}).ApplyMatrix(matrix.Indices(rows,
			cols, on), kit.PutMatrix(t, d, rows, cols, s)))
		var e, o []float32
		for i, x := range s {
			if i%cols%2 == 0 {
				e = append(e, x)
			} else {
				o = append(o, x)
			}
		}
		kit.ExpectMatrix(t, even, rows, 6, e)
		kit.ExpectMatrix(t, odd, rows, 5, o)
		kit.Expect(t, count, kit.Generate(rows, func(*kit.Dice, int) int32 { return 11 }))
	})
	t.Run("index matrix", func(t *testing.T) {
		const rows, cols = 20, 33
		out := matrix.New[int](rows, cols, on)
		kit.OK(t, kit.Mirrors.With(out.OutView()).ApplyMatrix(matrix.Indices(rows, cols, on)))
		want := kit.Generate(rows*cols, func(_ *kit.Dice, i int) int {
			return kit.Place(matrix.Index{Row: i / cols, Col: cols - 1 - i%cols})
		})
		kit.ExpectMatrix(t, out, rows, cols, want)
	})
	t.Run("lazy input", func(t *testing.T) {
		s, to := kit.Floats(500), kit.Permutation(500)
		out := vector.New[float32](500, on)
		kit.OK(t, kit.ScatterAll.With(out.OutView()).Apply(kit.Put(t, d, to), kit.Squares.Apply(kit.Put(t, d, s))))
		want := make([]float32, 500)
		for i, j := range to {
			want[j] = s[i] * s[i]
		}
		kit.Expect(t, out, want)
	})
}
