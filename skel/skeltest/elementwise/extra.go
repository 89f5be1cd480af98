package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Extra arguments of every kind.

// polynomial takes an array.
func polynomial(x float64, c [4]float64) float64 {
	y := 0.0
	for _, a := range c {
		y = float64(y*x) + a
	}
	return y
}

// window has plain fields of many sizes, with padding, a bool and nesting.
type window struct {
	Low  float32
	Flip bool
	High float64
	Bits struct {
		Mask  uint8
		Shift uint16
	}
	Step [3]int16
}

func clip(x float32, w window) int32 {
	y := int32(max(w.Low, min(x, float32(w.High))))
	if w.Flip {
		y = -y
	}
	return (y&int32(w.Bits.Mask))<<w.Bits.Shift + int32(w.Step[0]) + 10*int32(w.Step[1]) + 100*int32(w.Step[2])
}

// tables mixes views of vectors and matrices with plain fields, at several
// levels.
type tables struct {
	Bias  float32
	Inner struct {
		Weights vector.View[float64]
		Powers  [2]uint8
		Deep    struct {
			Grid matrix.View[int32]
		}
	}
	_      [3]byte
	Flags  vector.View[bool]
	Origin struct{ Row, Col int }
}

func lookUp(i int, e tables) float64 {
	y := float64(e.Bias) + e.Inner.Weights.At(i%e.Inner.Weights.Len())
	g := e.Inner.Deep.Grid
	y += float64(g.At((i+e.Origin.Row)%g.Rows(), (i+e.Origin.Col)%g.Cols()))
	if e.Flags.At(i % e.Flags.Len()) {
		y *= float64(e.Inner.Powers[0]) - float64(e.Inner.Powers[1])
	}
	return y
}

func gather(i int32, x float32, from vector.View[float32]) float32 { return from.At(int(i)) - x }

// structs holds a view whose elements are structs with padding.
type structs struct{ In vector.View[kit.Padded] }

func second(i int, e structs) float64 { return e.In.At(i).B }

// sides holds views of which neighbouring elements are read, in rows of any length.
type sides struct {
	Rows  matrix.View[int32]
	Bytes vector.View[uint8]
}

func side(i int, s sides) (sum int32) {
	for c := range 4 {
		sum = 3*sum + s.Rows.At(i%s.Rows.Rows(), i%(s.Rows.Cols()/4)*4+c)
	}
	for c := range 16 {
		sum = 3*sum + int32(s.Bytes.At(i%(s.Bytes.Len()/16)*16+c))
	}
	return sum
}

var (
	alongside = skel.NewMapWith(side)

	polynomials = skel.NewMapWith(polynomial)
	clips       = skel.NewMapWith(clip)
	lookUps     = skel.NewMapWith(lookUp)

	gathers = skel.NewZipWith(gather)
	seconds = skel.NewMapWith(second)
)

func testExtra(t *testing.T, d *devices.Device) {
	on := kit.Home(d)
	s := kit.Floats(5000)
	v := kit.Put(t, d, s)
	t.Run("scalar", func(t *testing.T) {
		kit.Expect(t, kit.Scales.With(2.5).Apply(v), kit.Apply(func(x float32) float32 { return kit.Scale(x, 2.5) }, s))
		out := kit.Put(t, d, s)
		kit.OK(t, kit.Scales.With(-1).ApplyTo(out, v))
		kit.Expect(t, out, kit.Apply(func(x float32) float32 { return -x }, s))
	})
	t.Run("array", func(t *testing.T) {
		c, x := [4]float64{1, -2, 0.5, 3}, kit.Generate(100, kit.Sums64.Element)
		kit.Expect(t, polynomials.With(c).Apply(kit.Put(t, d, x)),
			kit.Apply(func(x float64) float64 { return polynomial(x, c) }, x))
	})
	t.Run("plain struct", func(t *testing.T) {
		w := window{Low: -1000, High: 2000, Flip: true, Step: [3]int16{1, 2, -3}}
		w.Bits.Mask, w.Bits.Shift = 0x7e, 3
		kit.Expect(t, clips.With(w).Apply(v), kit.Apply(func(x float32) int32 { return clip(x, w) }, s))
	})
	t.Run("lone view", func(t *testing.T) {
		kit.Expect(t, kit.Flips.With(v.View()).Apply(vector.Indices(len(s), on)), kit.Reversed(s))
	})
	t.Run("lone matrix view", func(t *testing.T) {
		m := kit.PutMatrix(t, d, 50, 100, s)
		got := kit.Transposes.With(m.View()).ApplyMatrix(matrix.Indices(100, 50, on))
		back := kit.Transposes.With(got.View()).ApplyMatrix(matrix.Indices(50, 100, on))
		if x, err := got.At(99, 49); err != nil || x != s[len(s)-1] {
			t.Errorf("last element = %v, %v; want %v", x, err, s[len(s)-1])
		}
		if x, err := got.At(7, 3); err != nil || x != s[307] {
			t.Errorf("element (7, 3) = %v, %v; want %v", x, err, s[307])
		}
		kit.ExpectMatrix(t, back, 50, 100, s)
	})
	t.Run("nested views", func(t *testing.T) {
		weights, flags := kit.Generate(37, kit.Sums64.Element),
			kit.Generate(11, func(d *kit.Dice, _ int) bool { return d.IntN(2) == 0 })
		grid := kit.Generate(35, func(_ *kit.Dice, i int) int32 { return int32(i * i) })
		e := tables{Bias: 0.5, Flags: kit.Put(t, d, flags).View()}
		e.Inner.Weights, e.Inner.Powers = kit.Put(t, d, weights).View(), [2]uint8{3, 250}
		e.Inner.Deep.Grid = kit.PutMatrix(t, d, 5, 7, grid).View()
		e.Origin.Row, e.Origin.Col = 2, 4
		want := make([]float64, 1000)
		for i := range want {
			want[i] = 0.5 + weights[i%37]
			want[i] += float64(grid[(i+2)%5*7+(i+4)%7])
			if flags[i%11] {
				want[i] *= -247
			}
		}
		kit.Expect(t, lookUps.With(e).Apply(vector.Indices(1000, on)), want)
	})
	t.Run("view of structs", func(t *testing.T) {
		p := kit.Generate(100, func(d *kit.Dice, i int) kit.Padded {
			return kit.Padded{A: uint8(i), B: d.Wide(),
				D: true}
		})
		want := kit.Apply(func(p kit.Padded) float64 { return p.B }, p)
		kit.Expect(t, seconds.With(structs{kit.Put(t, d, p).View()}).Apply(vector.Indices(100, on)), want)
	})
	t.Run("neighbours", func(t *testing.T) {
		bytes := kit.Generate(50, func(d *kit.Dice, _ int) uint8 { return uint8(d.IntN(256)) })
		for _, cols := range []int{8, 10, 13} {
			rows := kit.Generate(5*cols, func(d *kit.Dice, _ int) int32 { return int32(d.Uint32()) })
			want := make([]int32, 500)
			for i := range want {
				for _, x := range rows[i%5*cols+i%(cols/4)*4:][:4] {
					want[i] = 3*want[i] + x
				}
				for _, x := range bytes[i%3*16:][:16] {
					want[i] = 3*want[i] + int32(x)
				}
			}
			both := sides{kit.PutMatrix(t, d, 5, cols, rows).View(), kit.Put(t, d, bytes).View()}
			got := alongside.With(both).Apply(vector.Indices(len(want), on))
			kit.Expect(t, got, want)
		}
	})
	t.Run("zip", func(t *testing.T) {
		r := kit.Reversed(s)
		vr := kit.Put(t, d, r)
		want := kit.Apply2(func(x, y float32) float32 { return kit.Blend(x, y, 0.25) }, s, r)
		kit.Expect(t, kit.Blends.With(0.25).Apply(v, vr), want)
		out := kit.Put(t, d, s)
		kit.OK(t, kit.Blends.With(0.25).ApplyTo(out, out, vr))
		kit.Expect(t, out, want)
		m, mr := kit.PutMatrix(t, d, 50, 100, s), kit.PutMatrix(t, d, 50, 100, r)
		kit.ExpectMatrix(t, kit.Blends.With(0.25).ApplyMatrix(m, mr), 50, 100, want)
		kit.OK(t, kit.Blends.With(0.25).ApplyMatrixTo(mr, m, mr))
		kit.ExpectMatrix(t, mr, 50, 100, want)
	})
	t.Run("gather", func(t *testing.T) {
		at := kit.Generate(len(s), func(d *kit.Dice, _ int) int32 { return int32(d.IntN(len(s))) })
		want := kit.Apply2(func(i int32, x float32) float32 { return s[i] - x }, at, s)
		kit.Expect(t, gathers.With(v.View()).Apply(kit.Put(t, d, at), v), want)
	})
	t.Run("a view of a lazy result", func(t *testing.T) {
		lazy := kit.Squares.Apply(v)
		kit.Expect(t, kit.Flips.With(lazy.View()).Apply(vector.Indices(len(s), on)),
			kit.Reversed(kit.Apply(kit.Square, s)))
	})
	t.Run("each call has its own", func(t *testing.T) {
		a, b := kit.Scales.With(2).Apply(v), kit.Scales.With(3).Apply(v)
		kit.Expect(t, kit.Differences.Apply(b, a),
			kit.Apply(func(x float32) float32 { return float32(x*3) - float32(x*2) }, s))
	})
}
