package skeltest

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

type rowState struct {
	Row  vector.View[int]
	Prev vector.View[int32]
}

// nextRow computes element i of a row of a dynamic program, which needs the row's number.
func nextRow(i int, s rowState) int32 {
	left := int32(0)
	if i > 0 {
		left = s.Prev.At(i - 1)
	}
	return s.Prev.At(i)*3 - left + int32(s.Row.At(0)*(i+1))
}

func increment(i int) int { return i + 1 }

func timesFirst(x float32, by vector.View[float32]) float32 { return x * by.At(0) }

func elementAt(_ int, s rowState) int32 { return s.Prev.At(s.Row.At(0)) }

var (
	nextRows    = skel.NewMapWith(nextRow)
	increments  = skel.NewMap(increment)
	timesFirsts = skel.NewMapWith(timesFirst)
	elementsAt  = skel.NewMapWith(elementAt)
)

// record records a loop, and closes it after the test.
func record(t *testing.T, body func() error) *skel.Loop {
	t.Helper()
	l, err := skel.Record(body)
	ok(t, err)
	t.Cleanup(func() { ok(t, l.Close()) })
	return l
}

// testLoop records sequences of calls and runs them again.
func testLoop(t *testing.T, d *devices.Device) {
	t.Run("rows", func(t *testing.T) { loopRows(t, d) })
	t.Run("same as calls", func(t *testing.T) { loopAsCalls(t, d) })
	t.Run("scalars", func(t *testing.T) { loopScalars(t, d) })
	t.Run("segments", func(t *testing.T) { loopSegments(t, d) })
	t.Run("results", func(t *testing.T) { loopResults(t, d) })
	t.Run("lazy inputs", func(t *testing.T) { loopLazyInputs(t, d) })
	t.Run("memory", func(t *testing.T) { loopMemory(t, d) })
	t.Run("freed", func(t *testing.T) { loopFreed(t, d) })
	t.Run("goroutines", func(t *testing.T) { loopGoroutines(t, d) })
	t.Run("refusals", func(t *testing.T) { loopRefusals(t, d) })
	t.Run("errors", func(t *testing.T) { loopErrors(t, d) })
	t.Run("checked", func(t *testing.T) { loopChecked(t, d) })
}

// loopFreed frees an input of a loop that was used before the loop was recorded. A native device keeps a
// slice of such an input.
func loopFreed(t *testing.T, d *devices.Device) {
	s := floats(1000)
	x := vector.From(s, vector.Single(d))
	expectValue(t, sums32.reduce.Apply(x), Reduce(s, plus[float32], 0))
	var sum *vector.Scalar[float32]
	loop := record(t, func() error {
		sum = sums32.reduce.Apply(x)
		return sum.Err()
	})
	ok(t, loop.Run(1))
	expectValue(t, sum, Reduce(s, plus[float32], 0))
	x.Free()
	if err := loop.Run(1); err == nil {
		t.Error("no error from a run after an input was freed")
	}
}

// loopRows runs a dynamic program that keeps the row number on the device.
func loopRows(t *testing.T, d *devices.Device) {
	const n, rows = 777, 30
	on := vector.Single(d)
	prev, next := put(t, d, make([]int32, n)), put(t, d, make([]int32, n))
	row := put(t, d, []int{1})
	loop := record(t, func() error {
		err := nextRows.With(rowState{row.View(), prev.View()}).ApplyTo(next, vector.Indices(n, on))
		return errors.Join(err, prev.CopyFrom(next), increments.ApplyTo(row, row))
	})
	expect(t, prev, make([]int32, n)) // nothing has been computed
	want := make([]int32, n)
	for r := 1; r <= rows; r++ {
		for i := n - 1; i >= 0; i-- {
			left := int32(0)
			if i > 0 {
				left = want[i-1]
			}
			want[i] = want[i]*3 - left + int32(r*(i+1))
		}
	}
	wantLaunches(t, d, rows*2, func() { ok(t, loop.Run(rows)) })
	expect(t, prev, want)
	expect(t, row, []int{rows + 1})
	ok(t, loop.Run(0))
	expect(t, row, []int{rows + 1})
}

// loopAsCalls makes the same calls directly and in a loop, and checks that the results are bit-identical.
func loopAsCalls(t *testing.T, d *devices.Device) {
	const n, keys = 3*tileSize + 5, 7
	type containers struct{ x, y, total, scan, byKey *vector.Vector[float32] }
	fresh := func() *containers {
		c := &containers{x: put(t, d, floats(n)), y: put(t, d, reversed(floats(n)))}
		c.total, c.scan, c.byKey = put(t, d, make([]float32, 1)), put(t, d, make([]float32, n)),
			put(t, d, make([]float32, keys))
		return c
	}
	of := put(t, d, keysFor(n, keys))
	step := func(c *containers) error {
		total := sums32.reduce.Apply(timesAll.Apply(c.x, c.y))
		scaled := timesFirsts.With(total.Vector().View()).Apply(c.y)
		scan := sums32.scan.Inclusive(addOnes.Apply(scaled))
		by := sums32.reduce.ByKey(scan, of, keys)
		cols := sums32.reduce.Cols(reshape(c.y, n, 1))
		return errors.Join(c.total.CopyFrom(total.Vector()), c.scan.CopyFrom(scan), c.byKey.CopyFrom(by),
			timesFirsts.With(cols.View()).ApplyTo(c.x, addOnes.Apply(c.x)), squares.ApplyTo(c.y, c.y))
	}
	calls, recorded := fresh(), fresh()
	loop := record(t, func() error { return step(recorded) })
	for range 3 {
		ok(t, step(calls))
		ok(t, loop.Run(1))
		for _, p := range [][2]*vector.Vector[float32]{
			{calls.x, recorded.x}, {calls.y, recorded.y}, {calls.total, recorded.total}, {calls.scan, recorded.scan},
			{calls.byKey, recorded.byKey},
		} {
			expect(t, p[1], hostOf(t, p[0]))
		}
	}
}

// loopScalars changes a scalar between runs without waiting for them.
func loopScalars(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	x, out := put(t, d, []float32{1, 2, 3}), put(t, d, make([]float32, 3))
	by := vector.NewScalar[float32](0, on)
	t.Cleanup(by.Free)
	total := put(t, d, []float32{0})
	loop := record(t, func() error {
		err := timesFirsts.With(by.View()).ApplyTo(out, x)
		return errors.Join(err, sumPairs.ApplyTo(total, total, sums32.reduce.Apply(out).Vector()))
	})
	want := float32(0)
	for i := range 50 {
		ok(t, by.Set(float32(i)))
		ok(t, loop.Run(1))
		want += float32(6 * i)
	}
	expect(t, out, []float32{49, 98, 147})
	expect(t, total, []float32{want})
	ok(t, x.Set(0, 100)) // vectors that the loop reads may change as well
	ok(t, loop.Run(1))
	expect(t, out, []float32{4900, 98, 147})
	expectValue(t, by, 49)
}

// loopSegments changes the offsets of segments between runs.
func loopSegments(t *testing.T, d *devices.Device) {
	const n = 2*tileSize + 9
	a, offsets := floats(n), []int{0, 10, 10, n - 5}
	x, at := put(t, d, a), put(t, d, offsets)
	sums, scans := put(t, d, make([]float32, 3)), put(t, d, make([]float32, n))
	loop := record(t, func() error {
		return errors.Join(sums.CopyFrom(sums32.reduce.Segments(x, at)),
			scans.CopyFrom(sums32.scan.InclusiveSegments(x, at)))
	})
	for _, o := range []int{10, 300, tileSize + 1, n - 5} {
		offsets[2] = o
		ok(t, at.Set(2, o))
		ok(t, loop.Run(1))
		expect(t, sums, Segments(a, offsets, plus[float32], 0))
		want := make([]float32, n)
		for s := range 3 {
			copy(want[offsets[s]:], Scan(a[offsets[s]:offsets[s+1]], plus[float32]))
		}
		expect(t, scans, want)
	}
}

// loopResults uses the results of a loop after each run and after Close.
func loopResults(t *testing.T, d *devices.Device) {
	const n = 500
	x := put(t, d, floats(n))
	var direct, lazy, part *vector.Vector[float32]
	loop, err := skel.Record(func() error {
		direct = sums32.scan.Inclusive(x)
		lazy = squares.Apply(direct)
		part = addOnes.Apply(x)
		return sums32.reduce.Apply(part).Err()
	})
	ok(t, err)
	defer loop.Close()
	_, err = direct.Host()
	wantText(t, err, "has not been run")
	_, err = addOnes.Apply(lazy).Host()
	wantText(t, err, "has not been run")
	a := floats(n)
	for i := range 3 {
		a[i] = float32(10 * i)
		ok(t, x.Set(i, a[i]))
		ok(t, loop.Run(1))
		sums := Scan(a, plus[float32])
		expect(t, direct, sums)
		expect(t, lazy, apply(square, sums))
		x0, err := direct.At(0)
		ok(t, err)
		if x0 != a[0] {
			t.Errorf("element 0 = %v, want %v", x0, a[0])
		}
		_, err = part.Host()
		wantText(t, err, "was fused into another result")
	}
	before := squares.Apply(direct) // still pending when the loop runs again
	want := apply(square, hostOf(t, direct))
	ok(t, x.Set(0, -1))
	ok(t, loop.Run(1))
	expect(t, before, want)
	after := hostOf(t, direct)
	ok(t, loop.Close())
	ok(t, loop.Close())
	wantText(t, loop.Run(1), "closed")
	expect(t, direct, after)
	direct.Free()
	lazy.Free()
	before.Free()
}

// loopLazyInputs records uses of expressions that were created before. They keep their values, however
// often the loop runs.
func loopLazyInputs(t *testing.T, d *devices.Device) {
	a := floats(100)
	x, out := put(t, d, a), put(t, d, make([]float32, 100))
	y := squares.Apply(x)
	z := addOnes.Apply(x)
	t.Cleanup(y.Free)
	t.Cleanup(z.Free)
	loop := record(t, func() error {
		return errors.Join(timesAll.ApplyTo(out, y, x), addOnes.ApplyTo(x, x)) // the second changes what z reads
	})
	for range 3 {
		want := apply2(times, apply(square, floats(100)), a)
		a = apply(addOne, a)
		ok(t, loop.Run(1))
		expect(t, out, want)
		expect(t, x, a)
	}
	expect(t, y, apply(square, floats(100)))
	expect(t, z, apply(addOne, floats(100)))
}

// loopMemory checks that the memory of a loop is not given to other containers.
func loopMemory(t *testing.T, d *devices.Device) {
	const n = 2*tileSize + 3
	on := vector.Single(d)
	x, out := put(t, d, floats(n)), put(t, d, make([]float32, n))
	before := d.Stats()
	loop, err := skel.Record(func() error {
		for range 4 {
			scan := sums32.scan.Exclusive(squares.Apply(x))
			if err := addOnes.ApplyTo(out, scan); err != nil {
				return err
			}
			scan.Free()
		}
		return nil
	})
	ok(t, err)
	var others []*vector.Vector[float32]
	for range 8 {
		others = append(others, vector.From(floats(n), on))
	}
	ok(t, loop.Run(2))
	expect(t, out, apply(addOne, ScanExclusive(apply(square, floats(n)), plus[float32], 0)))
	for _, v := range others {
		expect(t, v, floats(n))
		v.Free()
	}
	ok(t, loop.Close())
	if live := d.Stats().Sub(before).LiveBuffers; live > 0 {
		t.Errorf("%d buffers are live after Close, want 0", live)
	}
}

// loopGoroutines uses the device in other goroutines while a loop is recorded.
func loopGoroutines(t *testing.T, d *devices.Device) {
	a := floats(1000)
	x, y := put(t, d, a), put(t, d, a)
	loop := record(t, func() error {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				own := vector.From(a, vector.Single(d))
				compare(t, squares.Apply(own), apply(square, a))
				own.Free()
			})
		}
		all.Go(func() {
			if err := addOnes.ApplyTo(y, y); err != nil {
				t.Error(err)
			}
		})
		err := addOnes.ApplyTo(x, x)
		all.Wait()
		return err
	})
	expect(t, x, a)
	wantLaunches(t, d, 2, func() { ok(t, loop.Run(2)) })
	expect(t, x, apply(addOne, apply(addOne, a)))
	expect(t, y, apply(addOne, a))
}

// loopRefusals records calls that cannot be recorded.
func loopRefusals(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	x := put(t, d, floats(10))
	for name, call := range map[string]func(){
		"vector: Host":           func() { x.Host() },
		"vector: HostRange":      func() { x.HostRange(2, 3) },
		"vector: At":             func() { sums32.reduce.Apply(x).Value() },
		"vector: From":           func() { vector.From([]float32{1}, on) },
		"vector: Set or Write":   func() { x.Set(1, 2) },
		"vector: Wait":           func() { squares.Apply(x).Wait() },
		"waiting for the device": func() { d.Sync() },
		"already recording":      func() { skel.Record(func() error { return nil }) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := skel.Record(func() error { call(); return nil })
			wantText(t, err, name)
		})
	}
	expect(t, x, floats(10))
}

func loopErrors(t *testing.T, d *devices.Device) {
	x := put(t, d, floats(10))
	mine := errors.New("mine")
	var made *vector.Vector[float32]
	_, err := skel.Record(func() error {
		made = sums32.scan.Inclusive(x)
		return mine
	})
	if !errors.Is(err, mine) {
		t.Errorf("Record returns error %v, want the body's error %v", err, mine)
	}
	if _, err := made.Host(); !errors.Is(err, mine) {
		t.Errorf("the error of a result is %v, want the body's error %v", err, mine)
	}
	func() {
		defer func() {
			if p := recover(); p != "stop" {
				t.Errorf("panic %v, want the body's panic %q", p, "stop")
			}
		}()
		skel.Record(func() error { panic("stop") })
	}()
	ok(t, addOnes.ApplyTo(x, x)) // the recording has ended
	expect(t, x, apply(addOne, floats(10)))

	empty := record(t, func() error { return nil })
	wantLaunches(t, d, 0, func() { ok(t, empty.Run(5)) })

	y := vector.From(floats(10), vector.Single(d))
	loop := record(t, func() error { return addOnes.ApplyTo(x, y) })
	ok(t, loop.Run(1))
	_, err = skel.Record(func() error { return loop.Run(1) })
	wantText(t, err, "while another is recorded")
	y.Free()
	wantText(t, loop.Run(1), "was freed")
}

// loopChecked runs a loop in checked mode, with an index that becomes bad after it was recorded.
func loopChecked(t *testing.T, d *devices.Device) {
	was := d.Checked()
	d.SetChecked(true)
	defer d.SetChecked(was)
	on := vector.Single(d)
	at := vector.NewScalar(1, on)
	t.Cleanup(at.Free)
	table, out := put(t, d, []int32{5, 6, 7}), put(t, d, []int32{0})
	loop := record(t, func() error {
		return elementsAt.With(rowState{at.View(), table.View()}).ApplyTo(out, vector.Indices(1, on))
	})
	ok(t, loop.Run(1))
	expect(t, out, []int32{6})
	ok(t, at.Set(3))
	err := loop.Run(1)
	var check *devices.CheckError
	if !errors.As(err, &check) || check.Index != 3 || check.Bound != 3 {
		t.Errorf("error %v, want a CheckError for index 3 of 3", err)
	}
	ok(t, at.Set(0))
	wantText(t, loop.Run(1), "out of range") // the error sticks
}

// wantText checks that an error contains a text.
func wantText(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}
