package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Functions that write through out-views.

// moves holds the destination of every element.
type moves struct {
	To  vector.View[int32]
	In  vector.View[padded]
	Out vector.OutView[padded]
}

func move(i int, m moves) { m.Out.Set(int(m.To.At(i)), m.In.At(i)) }

func scatter(to int32, x float32, out vector.OutView[float32]) { out.Set(int(to), x) }

// addTo reads the out-view that it writes.
func addTo(to int32, x float32, out vector.OutView[float32]) { out.Set(int(to), out.At(int(to))+x) }

type planes struct {
	Even, Odd matrix.OutView[float32]
	Count     vector.OutView[int32]
}

// split distributes the columns of a matrix to two others.
func split(at matrix.Index, x float32, p planes) {
	if at.Col%2 == 0 {
		p.Even.Set(at.Row, at.Col/2, x)
	} else {
		p.Odd.Set(at.Row, at.Col/2, x)
	}
	if at.Col == 0 {
		p.Count.Set(at.Row, int32(p.Even.Cols()+p.Odd.Cols()))
	}
}

// fractions returns the integer part of x, and writes the rest.
func fractions(i int, x float32, rest vector.OutView[float32]) int32 {
	whole := int32(x)
	rest.Set(i, x-float32(whole))
	return whole
}

func mirror(at matrix.Index, out matrix.OutView[int]) {
	out.Set(at.Row, out.Cols()-1-at.Col, place(at))
}

var (
	moveAll     = skel.NewMapVoidWith(move)
	scatterAll  = skel.NewZipVoidWith(scatter)
	addToAll    = skel.NewZipVoidWith(addTo)
	splitAll    = skel.NewZipVoidWith(split)
	fractionsOf = skel.NewZipWith(fractions)
	mirrors     = skel.NewMapVoidWith(mirror)
)

// permutation returns a permutation of 0, 1, ..., n-1.
func permutation(n int) []int32 {
	s := generate(n, func(_ *dice, i int) int32 { return int32(i) })
	roll(9).Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

func testOutViews(t *testing.T, d *devices.Device) {
	on := home(d)
	for _, n := range []int{0, 1, 17, 1000, 2*tileSize + 1} {
		s, to := floats(n), permutation(n)
		moved := make([]float32, n)
		for i, j := range to {
			moved[j] = s[i]
		}
		vs, vto := put(t, d, s), put(t, d, to)

		structs := generate(n, func(d *dice, i int) padded { return padded{uint8(i), d.wide(), uint16(i), i%2 == 0} })
		movedStructs := make([]padded, n)
		for i, j := range to {
			movedStructs[j] = structs[i]
		}
		out := vector.New[padded](n, on)
		ok(t, moveAll.With(moves{vto.View(), put(t, d, structs).View(), out.OutView()}).Apply(vector.Indices(n, on)))
		expect(t, out, movedStructs)

		scattered := vector.New[float32](n, on)
		ok(t, scatterAll.With(scattered.OutView()).Apply(vto, vs))
		expect(t, scattered, moved)
		ok(t, addToAll.With(scattered.OutView()).Apply(vto, vs)) // after the host has a copy
		expect(t, scattered, apply(func(x float32) float32 { return x + x }, moved))

		rest := vector.New[float32](n, on)
		whole := fractionsOf.With(rest.OutView()).Apply(vector.Indices(n, on), vs)
		expect(t, rest, apply(func(x float32) float32 { return x - float32(int32(x)) }, s))
		expect(t, whole, apply(func(x float32) int32 { return int32(x) }, s))
	}
	t.Run("matrices", func(t *testing.T) {
		const rows, cols = 37, 11
		s := floats(rows * cols)
		even, odd := matrix.New[float32](rows, 6, on), matrix.New[float32](rows, 5, on)
		count := vector.New[int32](rows, on)
		ok(t, splitAll.With(planes{even.OutView(), odd.OutView(), count.OutView()}).ApplyMatrix(matrix.Indices(rows,
			cols, on), putMatrix(t, d, rows, cols, s)))
		var e, o []float32
		for i, x := range s {
			if i%cols%2 == 0 {
				e = append(e, x)
			} else {
				o = append(o, x)
			}
		}
		expectMatrix(t, even, rows, 6, e)
		expectMatrix(t, odd, rows, 5, o)
		expect(t, count, generate(rows, func(*dice, int) int32 { return 11 }))
	})
	t.Run("index matrix", func(t *testing.T) {
		const rows, cols = 20, 33
		out := matrix.New[int](rows, cols, on)
		ok(t, mirrors.With(out.OutView()).ApplyMatrix(matrix.Indices(rows, cols, on)))
		want := generate(rows*cols, func(_ *dice, i int) int {
			return place(matrix.Index{Row: i / cols, Col: cols - 1 - i%cols})
		})
		expectMatrix(t, out, rows, cols, want)
	})
	t.Run("lazy input", func(t *testing.T) {
		s, to := floats(500), permutation(500)
		out := vector.New[float32](500, on)
		ok(t, scatterAll.With(out.OutView()).Apply(put(t, d, to), squares.Apply(put(t, d, s))))
		want := make([]float32, 500)
		for i, j := range to {
			want[j] = s[i] * s[i]
		}
		expect(t, out, want)
	})
}
