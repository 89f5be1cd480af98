package skeltest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// jump returns an index below n that depends on i in no regular manner.
func jump(i int, n int) int { return i * 7919 % n }

var jumps = skel.NewMapWith(jump)

// gathered is Gather in plain Go.
func gathered[T any](from []T, at []int) []T {
	return apply(func(k int) T { return from[k] }, at)
}

// scattered is Scatter in plain Go.
func scattered[T any](to []T, at []int, values []T) []T {
	to = slices.Clone(to)
	for i, k := range at {
		to[k] = values[i]
	}
	return to
}

// moving tests the skeletons that move elements of one type, which need no code for it.
type moving[T any] struct {
	name    string
	element func(*dice, int) T
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
	moving[float32]{"float32", func(d *dice, _ int) float32 { return small(d) }},
	moving[triple]{"triple", func(d *dice, _ int) triple { return triple{small(d), small(d), small(d)} }},
	moving[padded]{"padded", somePadded},
	moving[uint8]{"uint8", func(d *dice, _ int) uint8 { return uint8(d.Uint32()) }},
	moving[[3]uint8]{"[3]uint8", func(d *dice, _ int) [3]uint8 {
		return [3]uint8{uint8(d.Uint32()), uint8(d.Uint32()), uint8(d.Uint32())}
	}},
	moving[int16]{"int16", func(d *dice, _ int) int16 { return int16(d.Uint32()) }},
	moving[int]{"int", func(d *dice, _ int) int { return int(d.Uint64()) }},
	moving[complexPair]{"complexPair", func(d *dice, _ int) complexPair { return complexPair{d.wide(), d.wide()} }},
	moving[wide]{"wide", func(d *dice, i int) wide { return wide{F: [5]float64{d.wide(), d.wide()}, N: i} }},
	moving[[700]int32]{"[700]int32", func(d *dice, i int) (x [700]int32) {
		x[0], x[699] = d.Int32(),
			int32(i)
		return x
	}},
}

// complexPair has 16 bytes, the size of a vector.
type complexPair struct{ Re, Im float64 }

func (m moving[T]) moves(t *testing.T, d *devices.Device, n int) {
	from := generate(n, m.element)
	v := put(t, d, from)
	turned := skel.Reverse(v)
	expect(t, turned, reversed(from))
	turned.Free()
	if n == 0 {
		return
	}
	for _, count := range []int{0, 1, n/3 + 1, 2*n + 1} {
		at := generate(count, func(d *dice, _ int) int { return d.IntN(n) })
		index := put(t, d, at)
		got := skel.Gather(v, index)
		expect(t, got, gathered(from, at))
		got.Free()
		values := generate(count, func(d *dice, i int) T { return m.element(d, i+n) })
		to, x := put(t, d, from), put(t, d, values)
		ok(t, skel.Scatter(to, index, x))
		expect(t, to, scattered(from, at, values))
	}
	order := roll(uint64(n)).Perm(n)
	to, index := put(t, d, make([]T, n)), put(t, d, order)
	ok(t, skel.Permute(to, index, v))
	expect(t, to, scattered(make([]T, n), order, from))
	back := skel.Gather(to, index)
	expect(t, back, from)
	back.Free()
}

func testGather(t *testing.T, d *devices.Device) {
	for i, m := range movables {
		t.Run(m.String(), func(t *testing.T) {
			if i >= 3 {
				skipBuilds(t, d)
			}
			for _, n := range few {
				if _, long := m.(moving[[700]int32]); !long || n < 1000 {
					m.moves(t, d, n)
				}
			}
		})
	}
	const n = 5000
	from, at := floats(n), generate(n, func(d *dice, _ int) int { return d.IntN(n) })
	v, index := put(t, d, from), put(t, d, at)
	jumped := apply(func(i int) int { return jump(i, n) }, upTo(n))
	t.Run("pending indices", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			pending := jumps.With(n).Apply(vector.Indices(n, home(d)))
			expect(t, addOnes.Apply(skel.Gather(v, pending)), apply(addOne, gathered(from, jumped)))
		})
	})
	t.Run("into a reduction", func(t *testing.T) {
		want := Reduce(apply2(times, gathered(from, at), from), plus[float32], 0)
		wantLaunches(t, d, 1, func() {
			expectValue(t, sums32.reduce.Apply(timesAll.Apply(skel.Gather(v, index), v)), want)
		})
		expectValue(t, sums32.reduce.Apply(skel.Gather(v, index)), Reduce(gathered(from, at), plus[float32], 0))
		expectValue(t, sums32.reduce.Apply(skel.Reverse(v)), Reduce(reversed(from), plus[float32], 0))
	})
	t.Run("into a scan", func(t *testing.T) {
		want := Scan(gathered(from, jumped), plus[float32])
		pending := jumps.With(n).Apply(vector.Indices(n, home(d)))
		expect(t, sums32.scan.Inclusive(skel.Gather(v, pending)), want)
	})
	t.Run("a gather of a gather", func(t *testing.T) {
		expect(t, skel.Gather(v, skel.Gather(index, index)), gathered(from, gathered(at, at)))
		expect(t, skel.Reverse(skel.Gather(v, skel.Reverse(index))), reversed(gathered(from, reversed(at))))
	})
	t.Run("of a pending vector", func(t *testing.T) {
		pending := addOnes.Apply(v)
		expect(t, skel.Gather(pending, index), gathered(apply(addOne, from), at))
		expect(t, pending, apply(addOne, from))
		expect(t, skel.Reverse(addOnes.Apply(v)), reversed(apply(addOne, from)))
	})
	t.Run("indices", func(t *testing.T) {
		expect(t, skel.Gather(v, vector.Indices(n/2)), from[:n/2])
		expect(t, skel.Gather(v, vector.Indices(n, home(d))), from)
	})
	t.Run("scatter", func(t *testing.T) {
		to := put(t, d, upTo(n))
		ok(t, skel.Scatter(to, index, vector.Indices(n)))
		expect(t, to, scattered(upTo(n), at, upTo(n)))
		ok(t, skel.Scatter(to, index, index)) // computed once for both
		expect(t, to, scattered(upTo(n), at, at))
		moved, pending := put(t, d, from), jumps.With(n).Apply(vector.Indices(n, home(d)))
		ok(t, skel.Scatter(moved, pending, addOnes.Apply(skel.Reverse(v))))
		expect(t, moved, scattered(from, jumped, apply(addOne, reversed(from))))
		ok(t, skel.Scatter(moved, put(t, d, at[:9]), addOnes.Apply(put(t, d, from[:9]))))
		expect(t, moved, scattered(scattered(from, jumped, apply(addOne, reversed(from))), at[:9],
			apply(addOne, from[:9])))
	})
	t.Run("structs", func(t *testing.T) {
		s := generate(n, somePadded)
		x := put(t, d, s)
		expect(t, padZips.Apply(skel.Gather(x, index), skel.Reverse(x)), apply2(padZip, gathered(s, at), reversed(s)))
	})
	t.Run("a vector that changes", func(t *testing.T) {
		x := put(t, d, from)
		a, b := skel.Gather(x, index), skel.Reverse(x)
		ok(t, addOnes.ApplyTo(x, a))
		expect(t, x, apply(addOne, gathered(from, at)))
		expect(t, b, reversed(from))
		expect(t, a, gathered(from, at))
		ok(t, addOnes.ApplyTo(x, skel.Reverse(x)))
		expect(t, x, apply(addOne, reversed(apply(addOne, gathered(from, at)))))
	})
	t.Run("elsewhere", func(t *testing.T) {
		far, farIndex := vector.From(from), vector.From(at) // on the default device
		expect(t, skel.Gather(far, index), gathered(from, at))
		expect(t, skel.Gather(v, farIndex), gathered(from, at))
		to := put(t, d, from)
		ok(t, skel.Scatter(to, farIndex, far))
		expect(t, to, scattered(from, at, from))
	})
	t.Run("errors", func(t *testing.T) { gatherErrors(t, d) })
	t.Run("loop", func(t *testing.T) { gatherLoop(t, d) })
}

func gatherErrors(t *testing.T, d *devices.Device) {
	v := put(t, d, floats(10))
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
		if c.Label != label || d.Native() && !strings.HasPrefix(c.Func, "skeltest.") {
			t.Errorf("error %q does not name the caller and %s", err, label)
		}
	}
	for _, bad := range []int{-1, 10, 1 << 40, -1 << 63} {
		at := put(t, d, []int{3, 4, 5, bad, 7})
		want := devices.CheckError{Kind: devices.BadElement, Index: int64(bad), Bound: 10, At: 3}
		checked(d, func() {
			wantCheck("Gather", skel.Gather(v, at).Wait(), want)
			wantCheck("Scatter", skel.Scatter(put(t, d, floats(10)), at, put(t, d, floats(5))), want)
			wantCheck("Permute", skel.Permute(put(t, d, floats(10)), at, put(t, d, floats(5))), want)
		})
		if d.Native() {
			continue
		}
		s, err := skel.Gather(v, at).Host() // reads some element
		ok(t, err)
		if s[2] != floats(10)[5] || s[4] != floats(10)[7] {
			t.Errorf("index %d changes the other elements: %v", bad, s)
		}
		for _, f := range []func(*vector.Vector[float32], vector.Source[int], vector.Source[float32]) error{
			skel.Scatter[float32], skel.Permute[float32],
		} {
			to := put(t, d, make([]float32, 10))
			ok(t, f(to, at, put(t, d, []float32{1, 2, 3, 4, 5})))
			expect(t, to, []float32{3: 1, 4: 2, 5: 3, 7: 5, 9: 0})
		}
	}
	twice := put(t, d, []int{3, 4, 9, 4, 7})
	checked(d, func() {
		wantCheck("Permute", skel.Permute(put(t, d, floats(10)), twice, put(t, d, floats(5))),
			devices.CheckError{Kind: devices.EqualElements, Index: 4, Other: 1, At: 3})
		to := put(t, d, make([]float32, 10))
		ok(t, skel.Permute(to, put(t, d, []int{9, 0, 4}), put(t, d, []float32{1, 2, 3})))
		expect(t, to, []float32{0: 2, 4: 3, 9: 1})
		ok(t, skel.Scatter(to, twice, put(t, d, []float32{5, 6, 7, 8, 9})))
		expect(t, to, []float32{0: 2, 3: 5, 4: 8, 7: 9, 9: 7})
	})
	empty, none := put(t, d, []float32{}), put(t, d, []int{})
	expect(t, skel.Gather(empty, none), []float32{})
	if err := skel.Gather(empty, twice).Wait(); err == nil {
		t.Error("no error for indices into no elements")
	}
	ok(t, skel.Scatter(empty, none, put(t, d, []float32{})))
	if err := skel.Scatter(v, vector.Indices(10), v); err == nil {
		t.Error("no error for an output that is an input")
	}
	if text := recovered(func() { _ = skel.Scatter(v, twice, v) }); !strings.Contains(text, "5 indices and 10 values") {
		t.Errorf("panic %q, want one that names the lengths", text)
	}
	first := errors.New("the first error")
	for _, err := range []error{
		skel.Gather(failedVector[float32](3, first), twice).Wait(),
		skel.Gather(v, failedVector[int](3, first)).Wait(),
		skel.Reverse(failedVector[float32](3, first)).Wait(),
		skel.Scatter(failedVector[float32](3, first), twice, put(t, d, floats(5))),
		skel.Scatter(v, twice, failedVector[float32](5, first)),
		skel.Permute(v, failedVector[int](10, first), v),
	} {
		if !errors.Is(err, first) {
			t.Errorf("error %v, want %q", err, first)
		}
	}
}

// gatherLoop records calls whose inputs change.
func gatherLoop(t *testing.T, d *devices.Device) {
	if several(d) {
		t.Skip("other tests record loops on several devices")
	}
	const n = 3000
	from, at := floats(n), roll(9).Perm(n)
	v, to, index := put(t, d, from), put(t, d, make([]float32, n)), put(t, d, at)
	loop := record(t, func() error {
		if err := skel.Scatter(to, index, skel.Gather(v, skel.Reverse(index))); err != nil {
			return err
		}
		return addOnes.ApplyTo(v, skel.Reverse(to))
	})
	want := from
	for range 3 {
		ok(t, loop.Run(1))
		moved := scattered(make([]float32, n), at, gathered(want, reversed(at)))
		want = apply(addOne, reversed(moved))
		expect(t, to, moved)
		expect(t, v, want)
	}
}
