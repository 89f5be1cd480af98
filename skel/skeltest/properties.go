package skeltest

import (
	"flag"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// moveSign has a local array, so that a compiler must keep the elements separate
// that it computes in one vector.
func moveSign(x int32) int32 {
	var v [2]int32
	v[uint32(x)>>31] = x
	return 2*v[1] - v[0] - 1
}

func put32(to int32, x int32, out vector.OutView[int32]) { out.Set(int(to), x) }

func even32(x int32) bool { return x&1 == 0 }

func any32(x int32) bool { return x|1 != 0 } // true

func pick32(i int, v vector.View[int32]) int32 { return v.At((i * 7) % v.Len()) }

var (
	moveSigns = skel.NewMap(moveSign)
	mixes32   = skel.NewZip(mix[int32])
	puts32    = skel.NewZipVoidWith(put32)
	picks32   = skel.NewMapWith(pick32)
	sums      = skel.NewReduce(plus[int32], 0)
	prefixes  = skel.NewScan(plus[int32], 0)
	evens32   = skel.NewFilter(even32)
	all32     = skel.NewFilter(any32)
)

// testProperties tests random shapes, and compares random programs with a model.
func testProperties(t *testing.T, d *devices.Device) {
	t.Run("parts", func(t *testing.T) {
		check(t, 60, func(t *rapid.T) { randomParts(t, d) })
	})
	t.Run("sorts", func(t *testing.T) {
		n := 60
		if emulated(d) {
			n = 3
		} else if !d.Native() {
			n = 10
		}
		check(t, n, func(t *rapid.T) { randomSort(t, d) })
	})
	t.Run("programs", func(t *testing.T) {
		skipBuilds(t, d)
		n := 60
		if !d.Native() {
			n = 6 // every new expression builds a kernel
		}
		check(t, n, func(t *rapid.T) {
			m := &machine{d: d, n: rapid.OneOf(rapid.IntRange(1, 50), rapid.SampledFrom(vectorLengths)).Draw(t, "n")}
			m.fresh(t)
			t.Repeat(map[string]func(*rapid.T){
				"fresh": m.fresh, "map": m.mapOne, "zip": m.zip, "pick": m.pick, "in place": m.inPlace, "set": m.set,
				"write": m.write, "scatter": m.scatter, "scan": m.scan, "sum": m.sum, "at": m.at, "free": m.free,
				"clone": m.clone, "view": m.row, "gather": m.gather, "reverse": m.reverse, "partition": m.partition,
				"counted": m.counted, "sort": m.sort, "": m.look,
			})
			m.all(t)
		})
	})
}

// check is rapid.Check with n checks by default, of which rapid itself makes a fifth
// with -short.
func check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	if devicestest.RaceDetector {
		n = max(1, n/5)
	}
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := flag.Set(f.Name, strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = flag.Set(f.Name, f.DefValue) }()
	}
	rapid.Check(t, property)
}

// randomParts reduces and scans random parts of texts, whose results show the order.
func randomParts(t *rapid.T, d *devices.Device) {
	o := texts
	rows, cols := rapid.IntRange(0, 70).Draw(t, "rows"), rapid.IntRange(0, 70).Draw(t, "cols")
	n := rows * cols
	s := generate(n, o.element)
	segments := rapid.IntRange(1, 30).Draw(t, "segments")
	offsets := rapid.SliceOfN(rapid.IntRange(0, n), segments+1, segments+1).Draw(t, "offsets")
	slices.Sort(offsets)
	k := rapid.IntRange(1, 9).Draw(t, "k")
	keys := rapid.SliceOfN(rapid.Int32Range(-1, int32(k)), n, n).Draw(t, "keys")

	rowKeys := rapid.SliceOfN(rapid.Int32Range(-1, int32(k)), rows, rows).Draw(t, "row keys")

	v, at, by := put(t, d, s), put(t, d, offsets), put(t, d, keys)
	m := matrix.Of(v, rows, cols)
	expectValue(t, o.reduce.Apply(v), Reduce(s, o.op, o.identity))
	expect(t, o.reduce.Rows(m), Rows(s, rows, cols, o.op, o.identity))
	expect(t, o.reduce.Cols(m), Cols(s, rows, cols, o.op, o.identity))
	expect(t, o.reduce.Segments(v, at), Segments(s, offsets, o.op, o.identity))
	expect(t, o.reduce.ByKey(v, by, k), ByKey(s, keys, k, o.op, o.identity))
	expectMatrix(t, o.reduce.RowsByKey(m, put(t, d, rowKeys), k), k, cols,
		RowsByKey(s, rows, cols, rowKeys, k, o.op, o.identity))
	expect(t, o.scan.Inclusive(v), Scan(s, o.op))
	expect(t, o.scan.Exclusive(v), ScanExclusive(s, o.op, o.identity))
}

// machine holds vectors and a model of their elements. Whatever a random program does, laziness, fusion
// and host copies must not change a result.
type machine struct {
	d     *devices.Device
	n     int
	vecs  []*vector.Vector[int32]
	model [][]int32
}

func (m *machine) push(v *vector.Vector[int32], s []int32) {
	if len(m.vecs) < 8 {
		m.vecs, m.model = append(m.vecs, v), append(m.model, s)
		return
	}
	m.vecs, m.model = append(m.vecs[1:], v), append(m.model[1:], s) // drop the oldest without Free
}

func (m *machine) any(t *rapid.T) int { return rapid.IntRange(0, len(m.vecs)-1).Draw(t, "vector") }

func (m *machine) place(t *rapid.T) int { return rapid.IntRange(0, m.n-1).Draw(t, "place") }

// elements returns n small numbers. Rapid draws only their seed, because drawing each of them takes too long.
func (m *machine) elements(t *rapid.T, n int) []int32 {
	d, s := roll(rapid.Uint64().Draw(t, "elements")), make([]int32, n)
	for i := range s {
		s[i] = d.Int32N(19) - 9
	}
	return s
}

func (m *machine) fresh(t *rapid.T) {
	s := m.elements(t, m.n)
	m.push(vector.From(s, home(m.d)), s)
}

func (m *machine) mapOne(t *rapid.T) {
	i := m.any(t)
	m.push(moveSigns.Apply(m.vecs[i]), apply(moveSign, m.model[i]))
}

func (m *machine) zip(t *rapid.T) {
	i, j := m.any(t), m.any(t)
	m.push(mixes32.Apply(m.vecs[i], m.vecs[j]), apply2(mix[int32], m.model[i], m.model[j]))
}

func (m *machine) pick(t *rapid.T) {
	i := m.any(t)
	want := make([]int32, m.n)
	for j := range want {
		want[j] = m.model[i][j*7%m.n]
	}
	m.push(picks32.With(m.vecs[i].View()).Apply(vector.Indices(m.n)), want)
}

func (m *machine) inPlace(t *rapid.T) {
	i, j, out := m.any(t), m.any(t), m.any(t)
	err := mixes32.ApplyTo(m.vecs[out], m.vecs[i], moveSigns.Apply(m.vecs[j]))
	if err != nil && strings.Contains(err.Error(), "view") {
		return // an input is a pending pick that reads the output through a view
	}
	if err != nil {
		t.Fatal(err)
	}
	m.model[out] = apply2(mix[int32], m.model[i], apply(moveSign, m.model[j]))
}

func (m *machine) set(t *rapid.T) {
	i, at := m.any(t), m.place(t)
	if err := m.vecs[i].Set(at, 1000); err != nil {
		t.Fatal(err)
	}
	m.model[i] = slices.Clone(m.model[i])
	m.model[i][at] = 1000
}

func (m *machine) write(t *rapid.T) {
	i, at := m.any(t), m.place(t)
	s := m.elements(t, rapid.IntRange(0, m.n-at).Draw(t, "length"))
	if err := m.vecs[i].Write(at, s); err != nil {
		t.Fatal(err)
	}
	m.model[i] = slices.Clone(m.model[i])
	copy(m.model[i][at:], s)
}

func (m *machine) scatter(t *rapid.T) {
	i, out := m.any(t), m.any(t)
	if i == out {
		return
	}
	to := make([]int32, m.n)
	for k, i := range roll(rapid.Uint64().Draw(t, "to")).Perm(m.n) {
		to[k] = int32(i)
	}
	in := m.vecs[i].Clone() // m.vecs[i] may be an expression that reads m.vecs[out]
	if err := puts32.With(m.vecs[out].OutView()).Apply(vector.From(to, home(m.d)), in); err != nil {
		t.Fatal(err)
	}
	m.model[out] = make([]int32, m.n)
	for k, x := range m.model[i] {
		m.model[out][to[k]] = x
	}
}

func (m *machine) scan(t *rapid.T) {
	i, out := m.any(t), m.any(t)
	want := ScanExclusive(m.model[i], plus[int32], 0)
	if rapid.Bool().Draw(t, "in place") {
		if err := prefixes.ExclusiveTo(m.vecs[out], m.vecs[i]); err != nil {
			t.Fatal(err)
		}
		m.model[out] = want
		return
	}
	m.push(prefixes.Exclusive(m.vecs[i]), want)
}

func (m *machine) gather(t *rapid.T) {
	i, d := m.any(t), roll(rapid.Uint64().Draw(t, "at"))
	at := make([]int, m.n)
	for k := range at {
		at[k] = d.IntN(m.n)
	}
	m.push(skel.Gather(m.vecs[i], vector.From(at, home(m.d))), picked(m.model[i], at))
}

func (m *machine) reverse(t *rapid.T) {
	i := m.any(t)
	m.push(skel.Reverse(m.vecs[i]), reversed(m.model[i]))
}

// partition uses vectors whose lengths are on the device.
func (m *machine) partition(t *rapid.T) {
	i := m.any(t)
	kept, rest := evens32.Partition(m.vecs[i])
	want, _, wantRest := Keep(m.model[i], even32)
	expect(t, skel.Reverse(moveSigns.Apply(rest)), reversed(apply(moveSign, wantRest)))
	expectValue(t, sums.Apply(moveSigns.Apply(kept)), Reduce(apply(moveSign, want), plus[int32], 0))
}

// counted adds a vector that has the usual length, which the host does not know yet.
func (m *machine) counted(t *rapid.T) {
	i := m.any(t)
	m.push(all32.Apply(m.vecs[i]), m.model[i])
}

func (m *machine) sort(t *rapid.T) {
	i, descending := m.any(t), rapid.Bool().Draw(t, "descending")
	s := skel.Ascending[int32]()
	if descending {
		s = s.Descending()
	}
	m.push(s.Apply(m.vecs[i]), picked(m.model[i], orderOf(m.model[i], itself[int32], descending)))
}

func (m *machine) sum(t *rapid.T) {
	i := m.any(t)
	expectValue(t, sums.Apply(m.vecs[i]), Reduce(m.model[i], plus[int32], 0))
}

func (m *machine) at(t *rapid.T) {
	i, at := m.any(t), m.place(t)
	if x, err := m.vecs[i].At(at); err != nil || x != m.model[i][at] {
		t.Fatalf("element %d of vector %d = %v, %v; want %v", at, i, x, err, m.model[i][at])
	}
}

func (m *machine) clone(t *rapid.T) {
	i := m.any(t)
	m.push(m.vecs[i].Clone(), slices.Clone(m.model[i]))
}

func (m *machine) free(t *rapid.T) {
	i := m.any(t)
	if len(m.vecs) == 1 {
		return
	}
	m.vecs[i].Free()
	m.vecs, m.model = slices.Delete(m.vecs, i, i+1), slices.Delete(m.model, i, i+1)
}

// row changes a vector through a matrix that shares its elements.
func (m *machine) row(t *rapid.T) {
	i, at := m.any(t), m.place(t)
	if err := matrix.Of(m.vecs[i], 1, m.n).Set(0, at, -5); err != nil {
		t.Fatal(err)
	}
	m.model[i] = slices.Clone(m.model[i])
	m.model[i][at] = -5
}

// look runs after every step. Sometimes it compares a vector with the model, or runs the garbage collector.
func (m *machine) look(t *rapid.T) {
	switch rapid.IntRange(0, 9).Draw(t, "look") {
	case 0:
		i := m.any(t)
		expect(t, m.vecs[i], m.model[i])
	case 1:
		runtime.GC()
	}
}

func (m *machine) all(t *rapid.T) {
	for i, v := range m.vecs {
		expect(t, v, m.model[i])
	}
}
