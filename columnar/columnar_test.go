package columnar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError checks that an error has all of the texts.
func wantError(t *testing.T, what string, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %v, want %s", what, err, text)
		}
	}
}

// cpu returns the distribution of examples and of most tests.
func cpu() vector.Distribution {
	found, err := devices.Get("cpu")
	if err != nil {
		panic(err)
	}
	return vector.Single(found[0])
}

// eachPaged runs a test over 16 pages of every device that has them and of a fake, which computes nothing. At most
// 1 MiB of them is on the device.
func eachPaged(t *testing.T, f func(t *testing.T, on vector.Distribution, computes bool)) {
	t.Setenv("SKEL_MEMORY", "1MiB")
	fake := devices.Wrap("fake:0", drivertest.NewFake(drivertest.Options{Lazy: true}).Device(0))
	t.Cleanup(func() { ok(t, fake.Close()) })
	for _, d := range append(devicestest.All(t), fake) {
		if d.Native() {
			continue
		}
		t.Run(d.String(), func(t *testing.T) {
			pages, err := d.Pages(16)
			ok(t, err)
			devicestest.NoLeaks(t, pages...)
			f(t, vector.Block(pages...), d != fake)
		})
	}
}

// celsius is an element type with a name of its own.
type celsius float32

// data are columns of all types, whose rows are in chunks of the given lengths.
type data struct {
	lengths []int
	ints8   []int8
	ints16  []int16
	ints32  []int32
	ints64  []int64
	uints8  []uint8
	uints16 []uint16
	uints32 []uint32
	uints64 []uint64
	floats  []float32
	doubles []float64
	null    []bool // rows of the column with nulls, which otherwise has the doubles
}

func (d *data) rows() int { return len(d.ints8) }

// randomData returns random numbers, among them the least and the largest of each type.
func randomData(lengths ...int) *data {
	d := &data{lengths: lengths}
	for _, n := range lengths {
		for range n {
			x := rand.Uint64()
			switch len(d.ints8) {
			case 0:
				x = 0
			case 1:
				x = 0x8000_0000_8080_8080
			case 2:
				x = math.MaxUint64
			case 3:
				x = 0x7fff_ffff_7f7f_7f7f
			}
			d.ints8, d.uints8 = append(d.ints8, int8(x)), append(d.uints8, uint8(x))
			d.ints16, d.uints16 = append(d.ints16, int16(x)), append(d.uints16, uint16(x))
			d.ints32, d.uints32 = append(d.ints32, int32(x)), append(d.uints32, uint32(x))
			d.ints64, d.uints64 = append(d.ints64, int64(x)), append(d.uints64, x)
			d.floats, d.doubles = append(d.floats, rand.Float32()), append(d.doubles, rand.NormFloat64())
			d.null = append(d.null, x%3 == 0)
		}
	}
	return d
}

// fileFormat is a way to write data to a file.
type fileFormat struct {
	name  string
	write func(t testing.TB, d *data) (name string)
}

var formats = slices.Concat(arrowFormats, parquetFormats)

func eachFormat(t *testing.T, f func(t *testing.T, write func(testing.TB, *data) string)) {
	for _, form := range formats {
		t.Run(form.name, func(t *testing.T) { f(t, form.write) })
	}
}

// shapes are lengths of chunks: none, empty ones, one row, and rows that end within a byte of a bitmap.
var shapes = [][]int{nil, {0}, {1}, {3, 0, 1, 8, 17}, {1000, 1, 2024, 9000, 77}}

// testColumn reads a column as elements of type T, which must be want.
func testColumn[T Number](t *testing.T, name, column string, want []T) {
	t.Helper()
	v, err := Vector[T](name, column, On(cpu()))
	ok(t, err)
	defer v.Free()
	got, err := v.Host()
	ok(t, err)
	if !slices.Equal(got, want) {
		t.Errorf("column %s as %v: elements are wrong, or not all", column, reflect.TypeFor[T]())
	}
}

func converted[T, S Number](s []S) []T {
	result := make([]T, len(s))
	for i, x := range s {
		result[i] = T(x)
	}
	return result
}

func TestVector(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		for _, lengths := range shapes {
			d := randomData(lengths...)
			name := write(t, d)
			testColumn(t, name, "i8", d.ints8)
			testColumn(t, name, "i16", d.ints16)
			testColumn(t, name, "i32", d.ints32)
			testColumn(t, name, "i64", d.ints64)
			testColumn(t, name, "u8", d.uints8)
			testColumn(t, name, "u16", d.uints16)
			testColumn(t, name, "u32", d.uints32)
			testColumn(t, name, "u64", d.uints64)
			testColumn(t, name, "f32", d.floats)
			testColumn(t, name, "f64", d.doubles)
			testColumn(t, name, "i64", converted[int](d.ints64))
			testColumn(t, name, "f32", converted[celsius](d.floats))
			testColumn(t, name, "i8", converted[float32](d.ints8))
			testColumn(t, name, "i16", converted[int32](d.ints16))
			testColumn(t, name, "i32", converted[float64](d.ints32))
			testColumn(t, name, "u8", converted[int16](d.uints8))
			testColumn(t, name, "u16", converted[uint64](d.uints16))
			testColumn(t, name, "u32", converted[int64](d.uints32))
			testColumn(t, name, "f32", converted[float64](d.floats))
		}
	})
}

func TestRounded(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(100, 20)
		name := write(t, d)
		v, err := Vector[float32](name, "f64", Rounded(), On(cpu()))
		ok(t, err)
		if got, err := v.Host(); err != nil || !slices.Equal(got, converted[float32](d.doubles)) {
			t.Errorf("float64 as float32: %v, %v", got, err)
		}
		w, err := Vector[float64](name, "u64", Rounded(), On(cpu()))
		ok(t, err)
		if got, err := w.Host(); err != nil || !slices.Equal(got, converted[float64](d.uints64)) {
			t.Errorf("uint64 as float64: %v, %v", got, err)
		}
	})
}

// TestMatrix reads several columns, in an order of its own, one of them twice.
func TestMatrix(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		for _, lengths := range append(shapes, []int{20_000, 3}) {
			d := randomData(lengths...)
			m, err := Matrix[float64](write(t, d), []string{"u8", "f64", "i32", "f64"}, On(cpu()))
			ok(t, err)
			var want []float64
			for i := range d.rows() {
				want = append(want, float64(d.uints8[i]), d.doubles[i], float64(d.ints32[i]), d.doubles[i])
			}
			got, err := m.Host()
			ok(t, err)
			if m.Rows() != d.rows() || m.Cols() != 4 || !slices.Equal(got, want) {
				t.Errorf("%v: %d x %d, elements are wrong", lengths, m.Rows(), m.Cols())
			}
		}
	})
}

// TestAllColumns reads all columns that hold numbers.
func TestAllColumns(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(50)
		d.null = make([]bool, 50)
		name := write(t, d)
		columns, err := Columns(name)
		ok(t, err)
		var numeric []string
		for _, c := range columns {
			if c.Numeric {
				numeric = append(numeric, c.Name)
			}
		}
		for _, c := range []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "maybe"} {
			if !slices.Contains(numeric, c) {
				t.Errorf("%s is not numeric", c)
			}
		}
		for _, c := range []string{"name", "when", "date", "list", "flag"} {
			at := slices.IndexFunc(columns, func(x Column) bool { return x.Name == c })
			if at < 0 || columns[at].Numeric {
				t.Errorf("%s is numeric, or missing", c)
			}
		}
		m, err := Matrix[float64](name, nil, Rounded(), On(cpu()))
		ok(t, err)
		if m.Cols() != len(numeric) {
			t.Fatalf("%d columns, want %v", m.Cols(), numeric)
		}
		for j, c := range numeric {
			v, err := Vector[float64](name, c, Rounded(), On(cpu()))
			ok(t, err)
			want, err := v.Host()
			ok(t, err)
			for i := range want {
				if x, err := m.At(i, j); err != nil || x != want[i] {
					t.Fatalf("element (%d, %d) of %s = %v, %v; want %v", i, j, c, x, err, want[i])
				}
			}
		}
	})
}

// TestTimes reads dates and times as integers.
func TestTimes(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(10, 20)
		name := write(t, d)
		testColumn(t, name, "when", converted[int64](d.ints32)) // microseconds
		testColumn(t, name, "date", converted[int32](d.uints16))
	})
}

// TestPaged computes with containers that are larger than the memory of their device.
func TestPaged(t *testing.T) {
	d := randomData(50_000, 1, 40_000, 10_001, 2, 60_000)
	all := make([]float64, 0, 3*d.rows())
	for i := range d.rows() {
		all = append(all, float64(d.ints32[i]), d.doubles[i], float64(d.uints8[i]))
	}
	sum := skel.NewReduce(skel.Sum[float64]())
	want, err := sum.Apply(vector.From(d.doubles, cpu())).Value()
	ok(t, err)
	wantCols, err := sum.Cols(matrix.From(d.rows(), 3, all, cpu())).Host()
	ok(t, err)
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		name := write(t, d)
		eachPaged(t, func(t *testing.T, on vector.Distribution, computes bool) {
			v, err := Vector[float64](name, "f64", On(on))
			ok(t, err)
			defer v.Free()
			m, err := Matrix[float64](name, []string{"i32", "f64", "u8"}, On(on))
			ok(t, err)
			defer m.Free()
			if got, err := v.Host(); err != nil || !slices.Equal(got, d.doubles) {
				t.Errorf("elements of the vector are wrong, %v", err)
			}
			if got, err := m.Host(); err != nil || !slices.Equal(got, all) {
				t.Errorf("elements of the matrix are wrong, %v", err)
			}
			if !computes {
				return
			}
			for range 2 {
				if got, err := sum.Apply(v).Value(); err != nil || got != want {
					t.Errorf("sum %v, %v; want %v", got, err, want)
				}
				if got, err := sum.Cols(m).Host(); err != nil || !slices.Equal(got, wantCols) {
					t.Errorf("sums of columns %v, %v; want %v", got, err, wantCols)
				}
			}
		})
	})
}

// TestRandomReads reads random parts from several goroutines.
func TestRandomReads(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(5000, 0, 1, 20_000, 77, 9000)
		name := write(t, d)
		testReads(t, name, []string{"f64"}, d.doubles)
		testReads(t, name, []string{"f32"}, converted[float64](d.floats))
		var mixed []float64
		for i := range d.rows() {
			mixed = append(mixed, float64(d.ints16[i]), d.doubles[i], float64(d.uints32[i]))
		}
		testReads(t, name, []string{"i16", "f64", "u32"}, mixed)
	})
}

func testReads(t *testing.T, name string, columns []string, want []float64) {
	t.Helper()
	s, _, err := newSource[float64](name, columns, nil)
	ok(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for k := range 60 {
				first := rand.IntN(len(want))
				got := make([]float64, rand.IntN(min(len(want)-first, 1<<(k%16)))+1)
				if err := s.fill(first, got); err != nil || !slices.Equal(got, want[first:first+len(got)]) {
					t.Errorf("%v: %d elements from %d on are wrong, %v", columns, len(got), first, err)
				}
			}
		})
	}
	all.Wait()
}

func TestNulls(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(30, 9000, 1, 12_345)
		for i := range 7000 { // the first null is not in the first chunk
			d.null[i] = false
		}
		name := write(t, d)
		row := fmt.Sprintf("row %d, counted from 0, is null", slices.Index(d.null, true))
		_, err := Vector[float64](name, "maybe", On(cpu()))
		wantError(t, "a vector", err, name+`: column "maybe": `+row, "columnar.NullsAsNaN()")
		_, err = Matrix[float64](name, []string{"f64", "maybe"}, On(cpu()))
		wantError(t, "a matrix", err, name+`: column "maybe": `+row)
		_, err = Vector[int32](name, "i32", NullsAsNaN(), On(cpu()))
		wantError(t, "NaN of an integer type", err, name+": only elements of a float type can be NaN, not int32")
		testNaN(t, name, "maybe", d.null, d.doubles)
		testNaN(t, name, "maybe", d.null, converted[float32](d.doubles), Rounded())
		testNaN(t, name, "f64", make([]bool, d.rows()), d.doubles)
		if m, err := Matrix[float64](name, []string{"maybe", "f32"}, NullsAsNaN(), On(cpu())); err != nil {
			t.Error(err)
		} else if got, err := m.Host(); err != nil {
			t.Error(err)
		} else {
			for i, null := range d.null {
				x, y := got[2*i], got[2*i+1]
				if math.IsNaN(x) != null || !null && x != d.doubles[i] || y != float64(d.floats[i]) {
					t.Fatalf("row %d is %v, %v", i, x, y)
				}
			}
		}
	})
}

func testNaN[T float32 | float64](t *testing.T, name, column string, null []bool, want []T, opts ...Option) {
	t.Helper()
	v, err := Vector[T](name, column, append(opts, NullsAsNaN(), On(cpu()))...)
	ok(t, err)
	got, err := v.Host()
	ok(t, err)
	for i, x := range got {
		if (x != x) != null[i] || !null[i] && x != want[i] {
			t.Fatalf("column %s: row %d is %v, want %v, null %t", column, i, x, want[i], null[i])
		}
	}
}

// TestLateNull reads a null that the file does not announce.
func TestLateNull(t *testing.T) {
	d := randomData(100, 100)
	for i := range d.null {
		d.null[i] = i == 150
	}
	name := parquetFormats[0].write(t, d)
	s, _, err := newSource[float64](name, []string{"maybe"}, []Option{NullsAsNaN()})
	ok(t, err)
	s.nan = false
	v := vector.FromFunc(s.rows(), s.fill, cpu())
	wantError(t, "elements", v.Err(), name+`: column "maybe": row 150, counted from 0, is null`)
}

// create writes a file into a folder of the test and returns its name.
func create(t testing.TB, name string, contents []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	ok(t, os.WriteFile(name, contents, 0o600))
	return name
}
