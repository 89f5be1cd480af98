package elementwise

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
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

func timesFirst(x float32, by vector.View[float32]) float32 { return x * by.At(0) }

func elementAt(_ int, s rowState) int32 { return s.Prev.At(s.Row.At(0)) }

var (
	nextRows = skel.NewMapWith(nextRow)

	timesFirsts = skel.NewMapWith(timesFirst)
	elementsAt  = skel.NewMapWith(elementAt)
)

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
	s := kit.Floats(1000)
	x := vector.From(s, vector.Single(d))
	kit.ExpectValue(t, kit.Sums32.Reduce.Apply(x), kit.Reduce(s, kit.Plus[float32], 0))
	var sum *vector.Scalar[float32]
	loop := kit.Record(t, func() error {
		sum = kit.Sums32.Reduce.Apply(x)
		return sum.Err()
	})
	kit.OK(t, loop.Run(1))
	kit.ExpectValue(t, sum, kit.Reduce(s, kit.Plus[float32], 0))
	x.Free()
	if err := loop.Run(1); err == nil {
		t.Error("no error from a run after an input was freed")
	}
}

// loopRows runs a dynamic program that keeps the row number on the device.
func loopRows(t *testing.T, d *devices.Device) {
	const n, rows = 777, 30
	on := vector.Single(d)
	prev, next := kit.Put(t, d, make([]int32, n)), kit.Put(t, d, make([]int32, n))
	row := kit.Put(t, d, []int{1})
	loop := kit.Record(t, func() error {
		err := nextRows.With(rowState{row.View(), prev.View()}).ApplyTo(next, vector.Indices(n, on))
		return errors.Join(err, prev.CopyFrom(next), kit.Increments.ApplyTo(row, row))
	})
	kit.Expect(t, prev, make([]int32, n)) // nothing has been computed
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
	kit.WantLaunches(t, d, rows*2, func() { kit.OK(t, loop.Run(rows)) })
	kit.Expect(t, prev, want)
	kit.Expect(t, row, []int{rows + 1})
	kit.OK(t, loop.Run(0))
	kit.Expect(t, row, []int{rows + 1})
}

// loopAsCalls makes the same calls directly and in a loop, and checks that the results are bit-identical.
func loopAsCalls(t *testing.T, d *devices.Device) {
	const n, keys = 3*kit.TileSize + 5, 7
	type containers struct{ x, y, total, scan, byKey *vector.Vector[float32] }
	fresh := func() *containers {
		c := &containers{x: kit.Put(t, d, kit.Floats(n)), y: kit.Put(t, d, kit.Reversed(kit.Floats(n)))}
		c.total, c.scan, c.byKey = kit.Put(t, d, make([]float32, 1)), kit.Put(t, d, make([]float32, n)),
			kit.Put(t, d, make([]float32, keys))
		return c
	}
	of := kit.Put(t, d, kit.KeysFor(n, keys))
	step := func(c *containers) error {
		total := kit.Sums32.Reduce.Apply(kit.TimesAll.Apply(c.x, c.y))
		scaled := timesFirsts.With(total.Vector().View()).Apply(c.y)
		scan := kit.Sums32.Scan.Inclusive(kit.AddOnes.Apply(scaled))
		by := kit.Sums32.Reduce.ByKey(scan, of, keys)
		cols := kit.Sums32.Reduce.Cols(kit.Reshape(c.y, n, 1))
		return errors.Join(c.total.CopyFrom(total.Vector()), c.scan.CopyFrom(scan), c.byKey.CopyFrom(by),
			timesFirsts.With(cols.View()).ApplyTo(c.x, kit.AddOnes.Apply(c.x)), kit.Squares.ApplyTo(c.y, c.y))
	}
	calls, recorded := fresh(), fresh()
	loop := kit.Record(t, func() error { return step(recorded) })
	for range 3 {
		kit.OK(t, step(calls))
		kit.OK(t, loop.Run(1))
		for _, p := range [][2]*vector.Vector[float32]{
			{calls.x, recorded.x}, {calls.y, recorded.y}, {calls.total, recorded.total}, {calls.scan, recorded.scan},
			{calls.byKey, recorded.byKey},
		} {
			kit.Expect(t, p[1], kit.HostOf(t, p[0]))
		}
	}
}

// loopScalars changes a scalar between runs without waiting for them.
func loopScalars(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	x, out := kit.Put(t, d, []float32{1, 2, 3}), kit.Put(t, d, make([]float32, 3))
	by := vector.NewScalar[float32](0, on)
	t.Cleanup(by.Free)
	total := kit.Put(t, d, []float32{0})
	loop := kit.Record(t, func() error {
		err := timesFirsts.With(by.View()).ApplyTo(out, x)
		return errors.Join(err, kit.SumPairs.ApplyTo(total, total, kit.Sums32.Reduce.Apply(out).Vector()))
	})
	want := float32(0)
	for i := range 50 {
		kit.OK(t, by.Set(float32(i)))
		kit.OK(t, loop.Run(1))
		want += float32(6 * i)
	}
	kit.Expect(t, out, []float32{49, 98, 147})
	kit.Expect(t, total, []float32{want})
	kit.OK(t, x.Set(0, 100)) // vectors that the loop reads may change as well
	kit.OK(t, loop.Run(1))
	kit.Expect(t, out, []float32{4900, 98, 147})
	kit.ExpectValue(t, by, 49)
}

// loopSegments changes the offsets of segments between runs.
func loopSegments(t *testing.T, d *devices.Device) {
	const n = 2*kit.TileSize + 9
	a, offsets := kit.Floats(n), []int{0, 10, 10, n - 5}
	x, at := kit.Put(t, d, a), kit.Put(t, d, offsets)
	sums, scans := kit.Put(t, d, make([]float32, 3)), kit.Put(t, d, make([]float32, n))
	loop := kit.Record(t, func() error {
		return errors.Join(sums.CopyFrom(kit.Sums32.Reduce.Segments(x, at)),
			scans.CopyFrom(kit.Sums32.Scan.InclusiveSegments(x, at)))
	})
	for _, o := range []int{10, 300, kit.TileSize + 1, n - 5} {
		offsets[2] = o
		kit.OK(t, at.Set(2, o))
		kit.OK(t, loop.Run(1))
		kit.Expect(t, sums, kit.Segments(a, offsets, kit.Plus[float32], 0))
		want := make([]float32, n)
		for s := range 3 {
			copy(want[offsets[s]:], kit.Scan(a[offsets[s]:offsets[s+1]], kit.Plus[float32]))
		}
		kit.Expect(t, scans, want)
	}
}

// loopResults uses the results of a loop after each run and after Close.
func loopResults(t *testing.T, d *devices.Device) {
	const n = 500
	x := kit.Put(t, d, kit.Floats(n))
	var direct, lazy, part *vector.Vector[float32]
	loop, err := skel.Record(func() error {
		direct = kit.Sums32.Scan.Inclusive(x)
		lazy = kit.Squares.Apply(direct)
		part = kit.AddOnes.Apply(x)
		return kit.Sums32.Reduce.Apply(part).Err()
	})
	kit.OK(t, err)
	defer loop.Close()
	_, err = direct.Host()
	wantText(t, err, "has not been run")
	_, err = kit.AddOnes.Apply(lazy).Host()
	wantText(t, err, "has not been run")
	a := kit.Floats(n)
	for i := range 3 {
		a[i] = float32(10 * i)
		kit.OK(t, x.Set(i, a[i]))
		kit.OK(t, loop.Run(1))
		sums := kit.Scan(a, kit.Plus[float32])
		kit.Expect(t, direct, sums)
		kit.Expect(t, lazy, kit.Apply(kit.Square, sums))
		x0, err := direct.At(0)
		kit.OK(t, err)
		if x0 != a[0] {
			t.Errorf("element 0 = %v, want %v", x0, a[0])
		}
		_, err = part.Host()
		wantText(t, err, "was fused into another result")
	}
	before := kit.Squares.Apply(direct) // still pending when the loop runs again
	want := kit.Apply(kit.Square, kit.HostOf(t, direct))
	kit.OK(t, x.Set(0, -1))
	kit.OK(t, loop.Run(1))
	kit.Expect(t, before, want)
	after := kit.HostOf(t, direct)
	kit.OK(t, loop.Close())
	kit.OK(t, loop.Close())
	wantText(t, loop.Run(1), "closed")
	kit.Expect(t, direct, after)
	direct.Free()
	lazy.Free()
	before.Free()
}

// loopLazyInputs records uses of expressions that were created before. They keep their values, however
// often the loop runs.
func loopLazyInputs(t *testing.T, d *devices.Device) {
	a := kit.Floats(100)
	x, out := kit.Put(t, d, a), kit.Put(t, d, make([]float32, 100))
	y := kit.Squares.Apply(x)
	z := kit.AddOnes.Apply(x)
	t.Cleanup(y.Free)
	t.Cleanup(z.Free)
	loop := kit.Record(t, func() error {
		return errors.Join(kit.TimesAll.ApplyTo(out, y, x),
			kit.AddOnes.ApplyTo(x, x)) // the second changes what z reads
	})
	for range 3 {
		want := kit.Apply2(kit.Times, kit.Apply(kit.Square, kit.Floats(100)), a)
		a = kit.Apply(kit.AddOne, a)
		kit.OK(t, loop.Run(1))
		kit.Expect(t, out, want)
		kit.Expect(t, x, a)
	}
	kit.Expect(t, y, kit.Apply(kit.Square, kit.Floats(100)))
	kit.Expect(t, z, kit.Apply(kit.AddOne, kit.Floats(100)))
}

// loopMemory checks that the memory of a loop is not given to other containers.
func loopMemory(t *testing.T, d *devices.Device) {
	const n = 2*kit.TileSize + 3
	on := vector.Single(d)
	x, out := kit.Put(t, d, kit.Floats(n)), kit.Put(t, d, make([]float32, n))
	before := d.Stats()
	loop, err := skel.Record(func() error {
		for range 4 {
			scan := kit.Sums32.Scan.Exclusive(kit.Squares.Apply(x))
			if err := kit.AddOnes.ApplyTo(out, scan); err != nil {
				return err
			}
			scan.Free()
		}
		return nil
	})
	kit.OK(t, err)
	var others []*vector.Vector[float32]
	for range 8 {
		others = append(others, vector.From(kit.Floats(n), on))
	}
	kit.OK(t, loop.Run(2))
	kit.Expect(t, out, kit.Apply(kit.AddOne, kit.ScanExclusive(kit.Apply(kit.Square, kit.Floats(n)), kit.Plus[float32],
		0)))
	for _, v := range others {
		kit.Expect(t, v, kit.Floats(n))
		v.Free()
	}
	kit.OK(t, loop.Close())
	if live := d.Stats().Sub(before).LiveBuffers; live > 0 {
		t.Errorf("%d buffers are live after Close, want 0", live)
	}
}

// loopGoroutines uses the device in other goroutines while a loop is recorded.
func loopGoroutines(t *testing.T, d *devices.Device) {
	a := kit.Floats(1000)
	x, y := kit.Put(t, d, a), kit.Put(t, d, a)
	loop := kit.Record(t, func() error {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				own := vector.From(a, vector.Single(d))
				compare(t, kit.Squares.Apply(own), kit.Apply(kit.Square, a))
				own.Free()
			})
		}
		all.Go(func() {
			if err := kit.AddOnes.ApplyTo(y, y); err != nil {
				t.Error(err)
			}
		})
		err := kit.AddOnes.ApplyTo(x, x)
		all.Wait()
		return err
	})
	kit.Expect(t, x, a)
	kit.WantLaunches(t, d, 2, func() { kit.OK(t, loop.Run(2)) })
	kit.Expect(t, x, kit.Apply(kit.AddOne, kit.Apply(kit.AddOne, a)))
	kit.Expect(t, y, kit.Apply(kit.AddOne, a))
}

// loopRefusals records calls that cannot be recorded.
func loopRefusals(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	x := kit.Put(t, d, kit.Floats(10))
	for name, call := range kit.Ordered(map[string]func(){
		"vector: Host":           func() { x.Host() },
		"vector: HostRange":      func() { x.HostRange(2, 3) },
		"vector: Value":          func() { kit.Sums32.Reduce.Apply(x).Value() },
		"vector: At":             func() { x.At(1) },
		"vector: From":           func() { vector.From([]float32{1}, on) },
		"vector: Set or Write":   func() { x.Set(1, 2) },
		"vector: Wait":           func() { kit.Squares.Apply(x).Wait() },
		"waiting for the device": func() { d.Sync() },
		"already recording":      func() { skel.Record(func() error { return nil }) },
	}) {
		t.Run(name, func(t *testing.T) {
			_, err := skel.Record(func() error { call(); return nil })
			wantText(t, err, name)
		})
	}
	kit.Expect(t, x, kit.Floats(10))
}

func loopErrors(t *testing.T, d *devices.Device) {
	x := kit.Put(t, d, kit.Floats(10))
	mine := errors.New("mine")
	var made *vector.Vector[float32]
	_, err := skel.Record(func() error {
		made = kit.Sums32.Scan.Inclusive(x)
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
	kit.OK(t, kit.AddOnes.ApplyTo(x, x)) // the recording has ended
	kit.Expect(t, x, kit.Apply(kit.AddOne, kit.Floats(10)))

	empty := kit.Record(t, func() error { return nil })
	kit.WantLaunches(t, d, 0, func() { kit.OK(t, empty.Run(5)) })

	y := vector.From(kit.Floats(10), vector.Single(d))
	loop := kit.Record(t, func() error { return kit.AddOnes.ApplyTo(x, y) })
	kit.OK(t, loop.Run(1))
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
	table, out := kit.Put(t, d, []int32{5, 6, 7}), kit.Put(t, d, []int32{0})
	loop := kit.Record(t, func() error {
		return elementsAt.With(rowState{at.View(), table.View()}).ApplyTo(out, vector.Indices(1, on))
	})
	kit.OK(t, loop.Run(1))
	kit.Expect(t, out, []int32{6})
	kit.OK(t, at.Set(3))
	err := loop.Run(1)
	var check *devices.CheckError
	if !errors.As(err, &check) || check.Index != 3 || check.Bound != 3 {
		t.Errorf("error %v, want a CheckError for index 3 of 3", err)
	}
	kit.OK(t, at.Set(0))
	wantText(t, loop.Run(1), "out of range") // the error sticks
}

// wantText checks that an error contains a text.
func wantText(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}
