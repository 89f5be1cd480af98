package selection

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// selector tests selections of one element type.
type selector[T any] struct {
	name    string
	keep    func(T) bool
	same    func(T, T) bool
	filter  *skel.Filter[T]
	unique  *skel.Unique[T]
	element func(*kit.Dice, int) T
}

func oddBits(x uint32) bool           { return x&1 != 0 }
func equal32(a, b uint32) bool        { return a == b }
func positive(x float32) bool         { return x > 0 }
func sameFloat(a, b float32) bool     { return a == b }
func keepPadded(x kit.Padded) bool    { return x.D }
func samePadded(a, b kit.Padded) bool { return a.A == b.A }
func keepNested(x kit.Nested) bool    { return x.Z[2]&3 == 0 }
func sameNested(a, b kit.Nested) bool { return a.M[1][2] == b.M[1][2] && a.P[0].N == b.P[0].N }
func keepByte(x uint8) bool           { return x >= 200 }
func sameByte(a, b uint8) bool        { return a>>6 == b>>6 }
func keepTrue(x bool) bool            { return x }
func sameBool(a, b bool) bool         { return a == b }
func keepLong(x int64) bool           { return x%3 == 0 }
func sameLong(a, b int64) bool        { return a/4 == b/4 }
func keepShort(x int16) bool          { return x != 7 }
func sameShort(a, b int16) bool       { return a == b }
func keepTriple(x [3]float32) bool    { return x[0] < x[1] }
func sameTriple(a, b [3]float32) bool { return a[2] == b[2] }

var (
	odd32 = selector[uint32]{"uint32", oddBits, equal32, skel.NewFilter(oddBits), skel.NewUnique(equal32),
		func(d *kit.Dice, i int) uint32 { return d.Uint32() >> (29 - uint(i/3000)%4) }}
	positive32 = selector[float32]{"float32", positive, sameFloat, skel.NewFilter(positive), skel.NewUnique(sameFloat),
		func(d *kit.Dice, i int) float32 {
			if s := kit.Specials(); i%11 < len(s) {
				return s[i%11]
			}
			return float32(d.IntN(5) - 2)
		}}
	paddedSelect = selector[kit.Padded]{"padded", keepPadded, samePadded, skel.NewFilter(keepPadded),
		skel.NewUnique(samePadded),
		func(d *kit.Dice, i int) kit.Padded {
			return kit.Padded{A: uint8(d.IntN(2)), B: float64(i), C: uint16(i), D: d.IntN(3) == 0}
		}}
	nestedSelect = selector[kit.Nested]{"nested", keepNested, sameNested, skel.NewFilter(keepNested),
		skel.NewUnique(sameNested),
		func(d *kit.Dice, i int) (x kit.Nested) {
			x.M[1][2], x.P[0].N, x.Z[2], x.Z[0] = int16(d.IntN(2)), uint8(d.IntN(2)), int64(d.IntN(9)), int64(i)
			return x
		}}
	byteSelect = selector[uint8]{"uint8", keepByte, sameByte, skel.NewFilter(keepByte), skel.NewUnique(sameByte),
		func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) }}
	boolSelect = selector[bool]{"bool", keepTrue, sameBool, skel.NewFilter(keepTrue), skel.NewUnique(sameBool),
		func(d *kit.Dice, _ int) bool { return d.IntN(4) == 0 }}
	longSelect = selector[int64]{"int64", keepLong, sameLong, skel.NewFilter(keepLong), skel.NewUnique(sameLong),
		func(d *kit.Dice, _ int) int64 { return d.Int64N(9) }}
	shortSelect = selector[int16]{"int16", keepShort, sameShort, skel.NewFilter(keepShort), skel.NewUnique(sameShort),
		func(d *kit.Dice, _ int) int16 { return int16(6 + d.IntN(2)) }}
	tripleSelect = selector[[3]float32]{"3 float32", keepTriple, sameTriple, skel.NewFilter(keepTriple),
		skel.NewUnique(sameTriple), func(d *kit.Dice, i int) [3]float32 {
			return [3]float32{d.Float32(), d.Float32(), float32(d.IntN(2))}
		}}
)

// RunsOf is Unique in plain Go.
func RunsOf[T any](s []T, same func(a, b T) bool) (values []T, lengths []int) {
	values, lengths = []T{}, []int{}
	for i, x := range s {
		if i == 0 || !same(s[i-1], x) {
			values, lengths = append(values, x), append(lengths, 0)
		}
		lengths[len(lengths)-1]++
	}
	return values, lengths
}

// selectSizes lists lengths around the tiles of selections.
var selectSizes = []int{0, 1, 2, 31, 32, 33, 255, 257, 1023, 1024, 1025, 4095, 4096, 4097, 2*4096 - 1, 8192, 8193,
	16383, 16384, 16385, 100_003}

// selectSizesOn leaves out sizes on emulated devices.
func selectSizesOn(d *devices.Device) []int {
	if kit.Emulated(d) {
		return []int{0, 1, 33, 255, 1024, 1025, 4097, 8191, 8192, 40_003}
	}
	return selectSizes
}

func testSelect(t *testing.T, d *devices.Device) {
	odd32.test(t, d)
	if !kit.Fewest(d) {
		nestedSelect.test(t, d)
		byteSelect.test(t, d)
		shortSelect.test(t, d)
	}
	if !kit.Fewest(d) && !kit.Emulated(d) { // their elements have the sizes of others, or consist of words too
		positive32.test(t, d)
		paddedSelect.test(t, d)
		boolSelect.test(t, d)
		longSelect.test(t, d)
	}
	tripleSelect.test(t, d)
	t.Run("all and none", func(t *testing.T) { selectAllAndNone(t, d) })
	t.Run("inputs", func(t *testing.T) { selectInputs(t, d) })
	t.Run("chains", func(t *testing.T) { selectChains(t, d) })
	t.Run("containers", func(t *testing.T) { selectContainers(t, d) })
	t.Run("errors", func(t *testing.T) { selectErrors(t, d) })
	t.Run("random", func(t *testing.T) {
		if kit.Emulated(d) {
			t.Skip("takes long on an emulated device; SKEL_TEST=nightly runs this test")
		}
		kit.Check(t, 40, func(t *rapid.T) { selectRandom(t, d) })
	})
	t.Run("large", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		n := kit.Large
		if !d.Native() {
			n /= 8
		}
		odd32.at(t, d, n)
	})
}

func (s selector[T]) test(t *testing.T, d *devices.Device) {
	t.Run(s.name, func(t *testing.T) {
		for _, n := range selectSizesOn(d) {
			s.at(t, d, n)
		}
	})
}

// at tests all results for n elements.
func (s selector[T]) at(t *testing.T, d *devices.Device, n int) {
	t.Helper()
	in := kit.Generate(n, s.element)
	v := kit.Put(t, d, in)
	kept, indices, rest := kit.Keep(in, s.keep)
	got := s.filter.Apply(v)
	if got.Cap() != n || got.Len() != len(kept) {
		t.Fatalf("%d elements: cap %d, length %d, want %d", n, got.Cap(), got.Len(), len(kept))
	}
	kit.Expect(t, got, kept)
	kit.Expect(t, s.filter.Indices(v), indices)
	a, b := s.filter.Partition(v)
	kit.Expect(t, b, rest)
	kit.Expect(t, a, kept)
	values, lengths := RunsOf(in, s.same)
	kit.Expect(t, s.unique.Apply(v), values)
	firsts, runs := s.unique.Runs(v)
	kit.Expect(t, runs, lengths)
	kit.Expect(t, firsts, values)
	flags := kit.Apply(s.keep, in)
	kit.Expect(t, skel.Compact[T](v, kit.Put(t, d, flags)), kept)
}

func isLess(x int, most vector.View[int]) bool { return x < most.At(0) }

func aboveOne(x int) bool                 { return x > 1 }
func addInts(a, b int) int                { return a + b }
func sameInt(a, b int) bool               { return a == b }
func tenth(x int) int                     { return x / 10 }
func mark(i int, out vector.OutView[int]) { out.Set(i, out.At(i)+1) }

func markBoth(i, x int, out vector.OutView[int]) { out.Set(i, x) }

var (
	lesses = skel.NewFilterWith(isLess)

	aboveOnes  = skel.NewFilter(aboveOne)
	addsInts   = skel.NewZip(addInts)
	sumsInts   = skel.NewReduce(addInts, 0)
	scansInts  = skel.NewScan(addInts, 0)
	uniqueInts = skel.NewUnique(sameInt)
	tenths     = skel.NewMap(tenth)
	marks      = skel.NewMapVoidWith(mark)
	marksBoth  = skel.NewZipVoidWith(markBoth)
	areEven    = skel.NewMap(kit.Even)
)

// selectAllAndNone keeps everything and nothing, in every length.
func selectAllAndNone(t *testing.T, d *devices.Device) {
	for _, n := range selectSizesOn(d) {
		v := kit.Put(t, d, kit.UpTo(n))
		for _, most := range []int{0, 1, n / 2, n - 1, n} {
			keep := lesses.With(kit.Put(t, d, []int{most}).View())
			k := min(max(most, 0), n)
			a, b := keep.Partition(v)
			kit.Expect(t, a, kit.UpTo(k))
			kit.Expect(t, b, kit.UpTo(n)[k:])
		}
	}
}

// selectInputs selects from index vectors and from pending expressions.
func selectInputs(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 1000, 10_007} {
		kept, _, rest := kit.Keep(kit.UpTo(n), kit.Even)
		kit.Expect(t, kit.Evens.Indices(vector.Indices(n, kit.Home(d))), kept)
		a, b := kit.Evens.Partition(vector.Indices(n, kit.Home(d)))
		kit.Expect(t, a, kept)
		kit.Expect(t, b, rest)
		v := kit.Put(t, d, kit.UpTo(n))
		values, lengths := RunsOf(kit.Apply(tenth, kit.UpTo(n)), sameInt)
		x, l := uniqueInts.Runs(tenths.Apply(v))
		kit.Expect(t, x, values)
		kit.Expect(t, l, lengths)
		kept, indices, _ := kit.Keep(kit.Apply(tenth, kit.UpTo(n)), kit.Even)
		kit.Expect(t, kit.Evens.Apply(tenths.Apply(v)), kept)
		kit.Expect(t, kit.Evens.Indices(tenths.Apply(v)), indices)
		kit.Expect(t, skel.Compact[int](tenths.Apply(v), areEven.Apply(tenths.Apply(v))), kept)
		kit.Expect(t, skel.Compact[int](vector.Indices(n, kit.Home(d)), areEven.Apply(v)), evensUpTo(n))
	}
}

func evensUpTo(n int) []int {
	kept, _, _ := kit.Keep(kit.UpTo(n), kit.Even)
	return kept
}

// selectChains uses selections as the inputs of other skeletons, while their lengths are
// on the device.
func selectChains(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 1000, 4096, 50_021} {
		v := kit.Put(t, d, kit.UpTo(n))
		want := evensUpTo(n)
		kit.Expect(t, kit.Collatzes.Apply(kit.Evens.Apply(v)), kit.Apply(kit.Collatz, want))
		kit.Expect(t, kit.Collatzes.Apply(kit.Collatzes.Apply(kit.Evens.Apply(v))),
			kit.Apply(kit.Collatz, kit.Apply(kit.Collatz, want)))
		kept, _, _ := kit.Keep(kit.Apply(kit.Collatz, want), kit.Even)
		kit.Expect(t, kit.Evens.Apply(kit.Collatzes.Apply(kit.Evens.Apply(v))), kept)
		values, lengths := RunsOf(kit.Apply(tenth, want), sameInt)
		x, l := uniqueInts.Runs(tenths.Apply(kit.Evens.Apply(v)))
		kit.Expect(t, l, lengths)
		kit.Expect(t, x, values)
		same := kit.Put(t, d, slices.Repeat([]int{1}, n)) // a pending function of neighbours in two parts
		kit.Expect(t, uniqueInts.Apply(kit.Collatzes.Apply(same)), slices.Repeat([]int{4}, min(n, 1)))
		e := kit.Evens.Apply(v)
		kit.Expect(t, addsInts.Apply(e, tenths.Apply(e)), zip(want, kit.Apply(tenth, want), addInts))
		kit.Expect(t, addsInts.Apply(kit.Collatzes.Apply(e), tenths.Apply(e)),
			zip(kit.Apply(kit.Collatz, want), kit.Apply(tenth, want), addInts))
		kit.Expect(t, addsInts.Apply(kit.Evens.Apply(v), kit.Evens.Apply(v)), zip(want, want, addInts))
		kit.Expect(t, addsInts.Apply(kit.Evens.Apply(v), kit.Put(t, d, want)), zip(want, want, addInts))
		kit.ExpectValue(t, sumsInts.Apply(kit.Evens.Apply(v)), kit.Reduce(want, addInts, 0))
		kit.ExpectValue(t, sumsInts.Apply(kit.Collatzes.Apply(kit.Evens.Apply(v))),
			kit.Reduce(kit.Apply(kit.Collatz, want), addInts, 0))
		kit.Expect(t, scansInts.Inclusive(kit.Evens.Apply(v)), kit.Scan(want, addInts))
		kit.Expect(t, scansInts.Exclusive(tenths.Apply(kit.Evens.Apply(v))),
			kit.ScanExclusive(kit.Apply(tenth, want), addInts, 0))
		out := kit.Put(t, d, make([]int, n))
		kit.OK(t, marks.With(out.OutView()).Apply(kit.Evens.Indices(v)))
		marked := make([]int, n)
		for _, i := range want {
			marked[i] = 1
		}
		kit.Expect(t, out, marked)
		i := kit.Evens.Indices(v)
		kit.OK(t, marksBoth.With(out.OutView()).Apply(i, kit.Collatzes.Apply(i)))
		for _, i := range want {
			marked[i] = kit.Collatz(i)
		}
		kit.Expect(t, out, marked)
		counted := kit.Evens.Apply(v)
		kit.ExpectValue(t, counted.Count(), len(want))
	}
}

func zip[A, B, C any](a []A, b []B, f func(A, B) C) []C {
	out := make([]C, len(a))
	for i, x := range a {
		out[i] = f(x, b[i])
	}
	return out
}

// selectContainers uses the methods of vectors whose length is on the device.
func selectContainers(t *testing.T, d *devices.Device) {
	const n = 10_001
	v := kit.Put(t, d, kit.UpTo(n))
	want := evensUpTo(n)
	fresh := func() *vector.Vector[int] { return kit.Evens.Apply(v) }
	kit.Expect(t, fresh().Clone(), want)
	kit.Expect(t, fresh().To(vector.Single(d)), want)
	part, err := fresh().HostRange(3, 7)
	kit.OK(t, err)
	if !slices.Equal(part, want[3:7]) {
		t.Errorf("elements 3 to 6 are %v", part)
	}
	x, err := fresh().At(len(want) - 1)
	kit.OK(t, err)
	if x != want[len(want)-1] {
		t.Errorf("the last element is %d", x)
	}
	panics(t, "out of range [0, 5001)", func() { _, _ = fresh().At(len(want)) })
	panics(t, "[0:5002] out of range [0:5001]", func() { _, _ = fresh().HostRange(0, len(want)+1) })
	panics(t, "out of range [0, 5001)", func() { _ = fresh().Set(len(want), 1) })
	panics(t, "out of range [0:5001]", func() { _ = fresh().Write(len(want)-1, []int{1, 2}) })
	panics(t, "lengths differ: 5001 and 10001", func() { _ = fresh().CopyFrom(v) })
	panics(t, "lengths differ", func() { _ = kit.Collatzes.ApplyTo(v, fresh()) })
	panics(t, "lengths differ", func() { _ = addsInts.Apply(v, fresh()) })
	w := fresh()
	kit.OK(t, w.Set(0, 77))
	kit.OK(t, w.CopyFrom(fresh()))
	kit.Expect(t, w, want)
	kit.OK(t, kit.Collatzes.ApplyTo(w, w))
	kit.Expect(t, w, kit.Apply(kit.Collatz, want))
	kit.OK(t, kit.Collatzes.ApplyTo(w, fresh()))
	kit.Expect(t, w, kit.Apply(kit.Collatz, want))
	short := kit.Put(t, d, make([]int, len(want)))
	kit.OK(t, kit.Collatzes.ApplyTo(short, fresh()))
	kit.Expect(t, short, kit.Apply(kit.Collatz, want))
	kit.OK(t, short.CopyFrom(fresh()))
	kit.Expect(t, short, want)
	if got := fresh().View().Len(); got != len(want) {
		t.Errorf("a view has %d elements", got)
	}
	u := fresh()
	if got := fmt.Sprint(u); !kit.Several(d) && got != fmt.Sprintf("vector of at most %d int on %v", n, d) {
		t.Error(got)
	}
	u.Free()
}

// selectErrors passes errors on, and keeps that of a predicate that panics.
func selectErrors(t *testing.T, d *devices.Device) {
	failed := kit.Collatzes.Apply(kit.FailedVector[int](10, errors.New("out of order")))
	kept, rest := kit.Evens.Partition(failed)
	values, lengths := uniqueInts.Runs(failed)
	for name, err := range kit.Ordered(map[string]error{
		"kept": kept.Err(), "rest": rest.Err(), "indices": kit.Evens.Indices(failed).Err(), "values": values.Err(),
		"lengths": lengths.Err(), "compact": skel.Compact[int](failed, areEven.Apply(failed)).Err(),
		"map": kit.Collatzes.Apply(kept).Err(), "sum": sumsInts.Apply(kept).Err(),
	}) {
		if err == nil {
			t.Errorf("%s: there is no error", name)
		}
	}
	if !d.Native() {
		return // only the CPU finds an index out of range
	}
	short, long := kit.Put(t, d, []int{1, 2, 3}), kit.Put(t, d, kit.UpTo(100_000))
	out := unfinishedOf.With(short.View()).Apply(long)
	var e *devices.CheckError
	if err := out.Wait(); !errors.As(err, &e) { // another rank may have found it
		t.Errorf("a predicate that panics: error %v", err)
	}
	if err := kit.Collatzes.Apply(out).Wait(); err == nil {
		t.Error("the error is lost")
	}
}

// selectRandom compares a random chain of selections and maps with plain Go.
func selectRandom(t *rapid.T, d *devices.Device) {
	n := rapid.OneOf(rapid.IntRange(0, 100), rapid.SampledFrom(selectSizes)).Draw(t, "n")
	most := 1 << rapid.IntRange(1, 12).Draw(t, "bits")
	want := kit.Generate(n, func(r *kit.Dice, _ int) int { return r.IntN(most) })
	v := kit.Put(t, d, want)
	for range rapid.IntRange(1, 4).Draw(t, "steps") {
		switch rapid.IntRange(0, 4).Draw(t, "step") {
		case 0:
			v, want = kit.Evens.Apply(v), evensOf(want)
		case 1:
			v, want = kit.Collatzes.Apply(v), kit.Apply(kit.Collatz, want)
		case 2:
			v = uniqueInts.Apply(v)
			want, _ = RunsOf(want, sameInt)
		case 3:
			_, v = kit.Evens.Partition(v)
			_, _, want = kit.Keep(want, kit.Even)
		case 4:
			_, v = uniqueInts.Runs(v)
			_, want = RunsOf(want, sameInt)
		}
	}
	kit.Expect(t, v, want)
}

func evensOf(s []int) []int {
	kept, _, _ := kit.Keep(s, kit.Even)
	return kept
}

// panics checks that f panics with a message that contains text.
func panics(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), text) {
			t.Errorf("panic %v, want one with %q", v, text)
		}
	}()
	f()
}
