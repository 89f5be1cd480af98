package elementwise

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
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
	mixes32   = skel.NewZip(kit.Mix[int32])
	puts32    = skel.NewZipVoidWith(put32)
	picks32   = skel.NewMapWith(pick32)
	sums      = skel.NewReduce(kit.Plus[int32], 0)
	prefixes  = skel.NewScan(kit.Plus[int32], 0)
	evens32   = skel.NewFilter(even32)
	all32     = skel.NewFilter(any32)
)

// testProperties tests random shapes, and compares random programs with a model.
func testProperties(t *testing.T, d *devices.Device) {
	t.Run("parts", func(t *testing.T) {
		kit.Check(t, 60, func(t *rapid.T) { randomParts(t, d) })
	})
	t.Run("programs", func(t *testing.T) {
		kit.SkipBuilds(t, d)
		n := 60
		if !d.Native() {
			n = 6 // every new expression builds a kernel
		}
		kit.Check(t, n, func(t *rapid.T) {
			m := &machine{d: d, n: rapid.OneOf(rapid.IntRange(1, 50),
				rapid.SampledFrom(kit.VectorLengths)).Draw(t, "n")}
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

// randomParts reduces and scans random parts of texts, whose results show the order.
func randomParts(t *rapid.T, d *devices.Device) {
	o := kit.Texts
	rows, cols := rapid.IntRange(0, 70).Draw(t, "rows"), rapid.IntRange(0, 70).Draw(t, "cols")
	n := rows * cols
	s := kit.Generate(n, o.Element)
	segments := rapid.IntRange(1, 30).Draw(t, "segments")
	offsets := rapid.SliceOfN(rapid.IntRange(0, n), segments+1, segments+1).Draw(t, "offsets")
	slices.Sort(offsets)
	k := rapid.IntRange(1, 9).Draw(t, "k")
	keys := rapid.SliceOfN(rapid.Int32Range(-1, int32(k)), n, n).Draw(t, "keys")

	rowKeys := rapid.SliceOfN(rapid.Int32Range(-1, int32(k)), rows, rows).Draw(t, "row keys")

	v, at, by := kit.Put(t, d, s), kit.Put(t, d, offsets), kit.Put(t, d, keys)
	m := matrix.Of(v, rows, cols)
	kit.ExpectValue(t, o.Reduce.Apply(v), kit.Reduce(s, o.Op, o.Identity))
	kit.Expect(t, o.Reduce.Rows(m), kit.Rows(s, rows, cols, o.Op, o.Identity))
	kit.Expect(t, o.Reduce.Cols(m), kit.Cols(s, rows, cols, o.Op, o.Identity))
	kit.Expect(t, o.Reduce.Segments(v, at), kit.Segments(s, offsets, o.Op, o.Identity))
	kit.Expect(t, o.Reduce.ByKey(v, by, k), kit.ByKey(s, keys, k, o.Op, o.Identity))
	kit.ExpectMatrix(t, o.Reduce.RowsByKey(m, kit.Put(t, d, rowKeys), k), k, cols,
		kit.RowsByKey(s, rows, cols, rowKeys, k, o.Op, o.Identity))
	kit.Expect(t, o.Scan.Inclusive(v), kit.Scan(s, o.Op))
	kit.Expect(t, o.Scan.Exclusive(v), kit.ScanExclusive(s, o.Op, o.Identity))
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
	d, s := kit.Roll(rapid.Uint64().Draw(t, "elements")), make([]int32, n)
	for i := range s {
		s[i] = d.Int32N(19) - 9
	}
	return s
}

func (m *machine) fresh(t *rapid.T) {
	s := m.elements(t, m.n)
	m.push(vector.From(s, kit.Home(m.d)), s)
}

func (m *machine) mapOne(t *rapid.T) {
	i := m.any(t)
	m.push(moveSigns.Apply(m.vecs[i]), kit.Apply(moveSign, m.model[i]))
}

func (m *machine) zip(t *rapid.T) {
	i, j := m.any(t), m.any(t)
	m.push(mixes32.Apply(m.vecs[i], m.vecs[j]), kit.Apply2(kit.Mix[int32], m.model[i], m.model[j]))
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
	m.model[out] = kit.Apply2(kit.Mix[int32], m.model[i], kit.Apply(moveSign, m.model[j]))
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
	for k, i := range kit.Roll(rapid.Uint64().Draw(t, "to")).Perm(m.n) {
		to[k] = int32(i)
	}
	in := m.vecs[i].Clone() // m.vecs[i] may be an expression that reads m.vecs[out]
	if err := puts32.With(m.vecs[out].OutView()).Apply(vector.From(to, kit.Home(m.d)), in); err != nil {
		t.Fatal(err)
	}
	m.model[out] = make([]int32, m.n)
	for k, x := range m.model[i] {
		m.model[out][to[k]] = x
	}
}

func (m *machine) scan(t *rapid.T) {
	i, out := m.any(t), m.any(t)
	want := kit.ScanExclusive(m.model[i], kit.Plus[int32], 0)
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
	i, d := m.any(t), kit.Roll(rapid.Uint64().Draw(t, "at"))
	at := make([]int, m.n)
	for k := range at {
		at[k] = d.IntN(m.n)
	}
	m.push(skel.Gather(m.vecs[i], vector.From(at, kit.Home(m.d))), kit.Picked(m.model[i], at))
}

func (m *machine) reverse(t *rapid.T) {
	i := m.any(t)
	m.push(skel.Reverse(m.vecs[i]), kit.Reversed(m.model[i]))
}

// partition uses vectors whose lengths are on the device.
func (m *machine) partition(t *rapid.T) {
	i := m.any(t)
	kept, rest := evens32.Partition(m.vecs[i])
	want, _, wantRest := kit.Keep(m.model[i], even32)
	kit.Expect(t, skel.Reverse(moveSigns.Apply(rest)), kit.Reversed(kit.Apply(moveSign, wantRest)))
	kit.ExpectValue(t, sums.Apply(moveSigns.Apply(kept)), kit.Reduce(kit.Apply(moveSign, want), kit.Plus[int32], 0))
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
	m.push(s.Apply(m.vecs[i]), kit.Picked(m.model[i], kit.OrderOf(m.model[i], kit.Itself[int32], descending)))
}

func (m *machine) sum(t *rapid.T) {
	i := m.any(t)
	kit.ExpectValue(t, sums.Apply(m.vecs[i]), kit.Reduce(m.model[i], kit.Plus[int32], 0))
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
		kit.Expect(t, m.vecs[i], m.model[i])
	case 1:
		runtime.GC()
	}
}

func (m *machine) all(t *rapid.T) {
	for i, v := range m.vecs {
		kit.Expect(t, v, m.model[i])
	}
}
