package elementwise

import (
	"errors"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// jump returns an index below n that depends on i in no regular manner.
func jump(i int, n int) int { return i * 7919 % n }

var jumps = skel.NewMapWith(jump)

// moving tests the skeletons that move elements of one type, which need no code for it.
type moving[T any] struct {
	name    string
	element func(*kit.Dice, int) T
}

func (m moving[T]) String() string { return m.name }

// sizeable is moving for any element type.
type sizeable interface {
	String() string
	moves(t *testing.T, d *devices.Device, n int)
	transposes(t *testing.T, d *devices.Device, rows, cols int)
}

// movables begins with types of every kind of size: a vector, words, and bytes.
var movables = []sizeable{
	moving[float32]{"float32", func(d *kit.Dice, _ int) float32 { return kit.Small(d) }},
	moving[triple]{"triple", func(d *kit.Dice, _ int) triple {
		return triple{kit.Small(d), kit.Small(d),
			kit.Small(d)}
	}},
	moving[kit.Padded]{"padded", kit.SomePadded},
	moving[uint8]{"uint8", func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) }},
	moving[[3]uint8]{"[3]uint8", func(d *kit.Dice, _ int) [3]uint8 {
		return [3]uint8{uint8(d.Uint32()), uint8(d.Uint32()), uint8(d.Uint32())}
	}},
	moving[int16]{"int16", func(d *kit.Dice, _ int) int16 { return int16(d.Uint32()) }},
	moving[int]{"int", func(d *kit.Dice, _ int) int { return int(d.Uint64()) }},
	moving[complexPair]{"complexPair", func(d *kit.Dice, _ int) complexPair { return complexPair{d.Wide(), d.Wide()} }},
	moving[kit.Wide]{"wide", func(d *kit.Dice, i int) kit.Wide {
		return kit.Wide{F: [5]float64{d.Wide(), d.Wide()},
			N: i}
	}},
	moving[[700]int32]{"[700]int32", func(d *kit.Dice, i int) (x [700]int32) {
		x[0], x[699] = d.Int32(),
			int32(i)
		return x
	}},
}

// complexPair has 16 bytes, the size of a vector.
type complexPair struct{ Re, Im float64 }

func (m moving[T]) moves(t *testing.T, d *devices.Device, n int) {
	from := kit.Generate(n, m.element)
	v := kit.Put(t, d, from)
	turned := skel.Reverse(v)
	kit.Expect(t, turned, kit.Reversed(from))
	turned.Free()
	if n == 0 {
		return
	}
	for _, count := range []int{0, 1, n/3 + 1, 2*n + 1} {
		at := kit.Generate(count, func(d *kit.Dice, _ int) int { return d.IntN(n) })
		index := kit.Put(t, d, at)
		got := skel.Gather(v, index)
		kit.Expect(t, got, kit.Gathered(from, at))
		got.Free()
		values := kit.Generate(count, func(d *kit.Dice, i int) T { return m.element(d, i+n) })
		to, x := kit.Put(t, d, from), kit.Put(t, d, values)
		kit.OK(t, skel.Scatter(to, index, x))
		kit.Expect(t, to, kit.Scattered(from, at, values))
	}
	order := kit.Roll(uint64(n)).Perm(n)
	to, index := kit.Put(t, d, make([]T, n)), kit.Put(t, d, order)
	kit.OK(t, skel.Permute(to, index, v))
	kit.Expect(t, to, kit.Scattered(make([]T, n), order, from))
	back := skel.Gather(to, index)
	kit.Expect(t, back, from)
	back.Free()
}

func testGather(t *testing.T, d *devices.Device) {
	for i, m := range movables {
		t.Run(m.String(), func(t *testing.T) {
			if i >= 3 {
				kit.SkipBuilds(t, d)
			}
			for _, n := range kit.Few {
				if _, long := m.(moving[[700]int32]); !long || n < 1000 {
					m.moves(t, d, n)
				}
			}
		})
	}
	const n = 5000
	from, at := kit.Floats(n), kit.Generate(n, func(d *kit.Dice, _ int) int { return d.IntN(n) })
	v, index := kit.Put(t, d, from), kit.Put(t, d, at)
	jumped := kit.Apply(func(i int) int { return jump(i, n) }, kit.UpTo(n))
	t.Run("pending indices", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			pending := jumps.With(n).Apply(vector.Indices(n, kit.Home(d)))
			kit.Expect(t, kit.AddOnes.Apply(skel.Gather(v, pending)), kit.Apply(kit.AddOne, kit.Gathered(from, jumped)))
		})
	})
	t.Run("into a reduction", func(t *testing.T) {
		want := kit.Reduce(kit.Apply2(kit.Times, kit.Gathered(from, at), from), kit.Plus[float32], 0)
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.TimesAll.Apply(skel.Gather(v, index), v)), want)
		})
		kit.ExpectValue(t, kit.Sums32.Reduce.Apply(skel.Gather(v, index)),
			kit.Reduce(kit.Gathered(from, at), kit.Plus[float32], 0))
		kit.ExpectValue(t, kit.Sums32.Reduce.Apply(skel.Reverse(v)),
			kit.Reduce(kit.Reversed(from), kit.Plus[float32], 0))
	})
	t.Run("into a scan", func(t *testing.T) {
		want := kit.Scan(kit.Gathered(from, jumped), kit.Plus[float32])
		pending := jumps.With(n).Apply(vector.Indices(n, kit.Home(d)))
		kit.Expect(t, kit.Sums32.Scan.Inclusive(skel.Gather(v, pending)), want)
	})
	t.Run("a gather of a gather", func(t *testing.T) {
		kit.Expect(t, skel.Gather(v, skel.Gather(index, index)), kit.Gathered(from, kit.Gathered(at, at)))
		kit.Expect(t, skel.Reverse(skel.Gather(v, skel.Reverse(index))),
			kit.Reversed(kit.Gathered(from, kit.Reversed(at))))
	})
	t.Run("of a pending vector", func(t *testing.T) {
		pending := kit.AddOnes.Apply(v)
		kit.Expect(t, skel.Gather(pending, index), kit.Gathered(kit.Apply(kit.AddOne, from), at))
		kit.Expect(t, pending, kit.Apply(kit.AddOne, from))
		kit.Expect(t, skel.Reverse(kit.AddOnes.Apply(v)), kit.Reversed(kit.Apply(kit.AddOne, from)))
	})
	t.Run("indices", func(t *testing.T) {
		kit.Expect(t, skel.Gather(v, vector.Indices(n/2)), from[:n/2])
		kit.Expect(t, skel.Gather(v, vector.Indices(n, kit.Home(d))), from)
	})
	t.Run("scatter", func(t *testing.T) {
		to := kit.Put(t, d, kit.UpTo(n))
		kit.OK(t, skel.Scatter(to, index, vector.Indices(n)))
		kit.Expect(t, to, kit.Scattered(kit.UpTo(n), at, kit.UpTo(n)))
		kit.OK(t, skel.Scatter(to, index, index)) // computed once for both
		kit.Expect(t, to, kit.Scattered(kit.UpTo(n), at, at))
		moved, pending := kit.Put(t, d, from), jumps.With(n).Apply(vector.Indices(n, kit.Home(d)))
		kit.OK(t, skel.Scatter(moved, pending, kit.AddOnes.Apply(skel.Reverse(v))))
		kit.Expect(t, moved, kit.Scattered(from, jumped, kit.Apply(kit.AddOne, kit.Reversed(from))))
		kit.OK(t, skel.Scatter(moved, kit.Put(t, d, at[:9]), kit.AddOnes.Apply(kit.Put(t, d, from[:9]))))
		kit.Expect(t, moved, kit.Scattered(kit.Scattered(from, jumped, kit.Apply(kit.AddOne, kit.Reversed(from))),
			at[:9],
			kit.Apply(kit.AddOne, from[:9])))
	})
	t.Run("structs", func(t *testing.T) {
		s := kit.Generate(n, kit.SomePadded)
		x := kit.Put(t, d, s)
		kit.Expect(t, padZips.Apply(skel.Gather(x, index), skel.Reverse(x)),
			kit.Apply2(padZip, kit.Gathered(s, at), kit.Reversed(s)))
	})
	t.Run("a vector that changes", func(t *testing.T) {
		x := kit.Put(t, d, from)
		a, b := skel.Gather(x, index), skel.Reverse(x)
		kit.OK(t, kit.AddOnes.ApplyTo(x, a))
		kit.Expect(t, x, kit.Apply(kit.AddOne, kit.Gathered(from, at)))
		kit.Expect(t, b, kit.Reversed(from))
		kit.Expect(t, a, kit.Gathered(from, at))
		kit.OK(t, kit.AddOnes.ApplyTo(x, skel.Reverse(x)))
		kit.Expect(t, x, kit.Apply(kit.AddOne, kit.Reversed(kit.Apply(kit.AddOne, kit.Gathered(from, at)))))
	})
	t.Run("elsewhere", func(t *testing.T) {
		far, farIndex := vector.From(from), vector.From(at) // on the default device
		kit.Expect(t, skel.Gather(far, index), kit.Gathered(from, at))
		kit.Expect(t, skel.Gather(v, farIndex), kit.Gathered(from, at))
		to := kit.Put(t, d, from)
		kit.OK(t, skel.Scatter(to, farIndex, far))
		kit.Expect(t, to, kit.Scattered(from, at, from))
	})
	t.Run("errors", func(t *testing.T) { gatherErrors(t, d) })
	t.Run("loop", func(t *testing.T) { gatherLoop(t, d) })
}

func gatherErrors(t *testing.T, d *devices.Device) {
	v := kit.Put(t, d, kit.Floats(10))
	wantCheck := func(label string, err error, want devices.CheckError) {
		t.Helper()
		var c *devices.CheckError
		if !errors.As(err, &c) {
			t.Errorf("error %v, want a CheckError", err)
			return
		}
		if c.Kind != want.Kind || c.Index != want.Index || c.Bound != want.Bound || c.At != want.At ||
			c.Other != want.Other {
			t.Errorf("%v (%+v), want %+v", err, c, want)
		}
		if c.Label != label || d.Native() && !strings.HasPrefix(c.Func, "elementwise.") {
			t.Errorf("error %q does not name the caller and %s", err, label)
		}
	}
	for _, bad := range []int{-1, 10, 1 << 40, -1 << 63} {
		at := kit.Put(t, d, []int{3, 4, 5, bad, 7})
		want := devices.CheckError{Kind: devices.BadElement, Index: int64(bad), Bound: 10, At: 3}
		kit.Checked(d, func() {
			wantCheck("Gather", skel.Gather(v, at).Wait(), want)
			wantCheck("Scatter", skel.Scatter(kit.Put(t, d, kit.Floats(10)), at, kit.Put(t, d, kit.Floats(5))), want)
			wantCheck("Permute", skel.Permute(kit.Put(t, d, kit.Floats(10)), at, kit.Put(t, d, kit.Floats(5))), want)
		})
		if d.Native() {
			continue
		}
		s, err := skel.Gather(v, at).Host() // reads some element
		kit.OK(t, err)
		if s[2] != kit.Floats(10)[5] || s[4] != kit.Floats(10)[7] {
			t.Errorf("index %d changes the other elements: %v", bad, s)
		}
		for _, f := range []func(*vector.Vector[float32], vector.Source[int], vector.Source[float32]) error{
			skel.Scatter[float32], skel.Permute[float32],
		} {
			to := kit.Put(t, d, make([]float32, 10))
			kit.OK(t, f(to, at, kit.Put(t, d, []float32{1, 2, 3, 4, 5})))
			kit.Expect(t, to, []float32{3: 1, 4: 2, 5: 3, 7: 5, 9: 0})
		}
	}
	twice := kit.Put(t, d, []int{3, 4, 9, 4, 7})
	kit.Checked(d, func() {
		wantCheck("Permute", skel.Permute(kit.Put(t, d, kit.Floats(10)), twice, kit.Put(t, d, kit.Floats(5))),
			devices.CheckError{Kind: devices.EqualElements, Index: 4, Other: 1, At: 3})
		to := kit.Put(t, d, make([]float32, 10))
		kit.OK(t, skel.Permute(to, kit.Put(t, d, []int{9, 0, 4}), kit.Put(t, d, []float32{1, 2, 3})))
		kit.Expect(t, to, []float32{0: 2, 4: 3, 9: 1})
		kit.OK(t, skel.Scatter(to, twice, kit.Put(t, d, []float32{5, 6, 7, 8, 9})))
		kit.Expect(t, to, []float32{0: 2, 3: 5, 4: 8, 7: 9, 9: 7})
	})
	empty, none := kit.Put(t, d, []float32{}), kit.Put(t, d, []int{})
	kit.Expect(t, skel.Gather(empty, none), []float32{})
	if err := skel.Gather(empty, twice).Wait(); err == nil {
		t.Error("no error for indices into no elements")
	}
	kit.OK(t, skel.Scatter(empty, none, kit.Put(t, d, []float32{})))
	if err := skel.Scatter(v, vector.Indices(10), v); err == nil {
		t.Error("no error for an output that is an input")
	}
	if text := kit.Recovered(func() { _ = skel.Scatter(v, twice, v) }); !strings.Contains(text,
		"5 indices and 10 values") {
		t.Errorf("panic %q, want one that names the lengths", text)
	}
	first := errors.New("the first error")
	for _, err := range []error{
		skel.Gather(kit.FailedVector[float32](3, first), twice).Wait(),
		skel.Gather(v, kit.FailedVector[int](3, first)).Wait(),
		skel.Reverse(kit.FailedVector[float32](3, first)).Wait(),
		skel.Scatter(kit.FailedVector[float32](3, first), twice, kit.Put(t, d, kit.Floats(5))),
		skel.Scatter(v, twice, kit.FailedVector[float32](5, first)),
		skel.Permute(v, kit.FailedVector[int](10, first), v),
	} {
		if !errors.Is(err, first) {
			t.Errorf("error %v, want %q", err, first)
		}
	}
}

// gatherLoop records calls whose inputs change.
func gatherLoop(t *testing.T, d *devices.Device) {
	if kit.Several(d) {
		t.Skip("other tests record loops on several devices")
	}
	const n = 3000
	from, at := kit.Floats(n), kit.Roll(9).Perm(n)
	v, to, index := kit.Put(t, d, from), kit.Put(t, d, make([]float32, n)), kit.Put(t, d, at)
	loop := kit.Record(t, func() error {
		if err := skel.Scatter(to, index, skel.Gather(v, skel.Reverse(index))); err != nil {
			return err
		}
		return kit.AddOnes.ApplyTo(v, skel.Reverse(to))
	})
	want := from
	for range 3 {
		kit.OK(t, loop.Run(1))
		moved := kit.Scattered(make([]float32, n), at, kit.Gathered(want, kit.Reversed(at)))
		want = kit.Apply(kit.AddOne, kit.Reversed(moved))
		kit.Expect(t, to, moved)
		kit.Expect(t, v, want)
	}
}
