package data

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"

	"github.com/skelgo/skelgo/devices"
)

// TestArrays writes arrays of several types and shapes, and reads them back.
func TestArrays(t *testing.T) {
	for _, shape := range [][]int{{}, {0}, {1}, {7}, {2, 3}, {3, 0}, {2, 3, 4}, {2, 1, 3, 2}} {
		n := 1
		for _, s := range shape {
			n *= s
		}
		roundTrip[float32](t, n, shape, "<f4")
		roundTrip[float64](t, n, shape, "<f8")
		roundTrip[int32](t, n, shape, "<i4")
		roundTrip[uint8](t, n, shape, "|u1")
	}
}

func roundTrip[T Element](t *testing.T, n int, shape []int, descr string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "array.npy")
	elements, want := make([]T, n), make([]float64, n)
	for i := range elements {
		elements[i] = T(3 * i)
		want[i] = float64(elements[i])
	}
	if err := WriteArray(nil, name, elements, shape...); err != nil {
		t.Fatal(err)
	}
	got, s, err := ReadArray[float64](t.Context(), name, Options{})
	if err != nil || !slices.Equal(got, want) || !slices.Equal(s, shape) {
		t.Errorf("%s %v: read %v %v, %v", descr, shape, got, s, err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other, err := npy.NewReader(f) // another reader of the format
	if err != nil {
		t.Fatal(err)
	}
	if d := other.Header.Descr; d.Type != descr || !slices.Equal(d.Shape, shape) || d.Fortran {
		t.Errorf("%s %v: npyio reads %+v", descr, shape, d)
	}
}

// TestArrayBytes compares a file with the one that NumPy 1.26 writes.
func TestArrayBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "array.npy")
	if err := WriteArray(nil, name, []int32{1, 2, 3}, 3); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	header := "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"
	want := "\x93NUMPY\x01\x00\x76\x00" + header + strings.Repeat(" ", 117-len(header)) + "\n" +
		"\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00"
	if diff := cmp.Diff(hex.Dump([]byte(want)), hex.Dump(got)); diff != "" {
		t.Error(diff)
	}
}

// TestFortranArray reads an array of rank 3 whose first index is the fastest.
func TestFortranArray(t *testing.T) {
	header := "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }"
	file := "\x93NUMPY\x01\x00\x76\x00" + header + strings.Repeat(" ", 117-len(header)) + "\n"
	want := make([]float64, 12)
	for i := range 2 {
		for j := range 3 {
			for k := range 2 {
				want[(i*3+j)*2+k] = float64(100*i + 10*j + k)
			}
		}
	}
	for k := range 2 {
		for j := range 3 {
			for i := range 2 {
				file += string(rune(100*i + 10*j + k))
			}
		}
	}
	got, shape, err := ReadArray[float64](t.Context(), "-", Options{Stdin: bytes.NewReader([]byte(file))})
	if err != nil || !slices.Equal(got, want) || !slices.Equal(shape, []int{2, 3, 2}) {
		t.Errorf("%v %v %v", got, shape, err)
	}
}

func TestArrayErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "array.npy")
	if err := WriteArray(nil, name, []int32{1, 2, 3}, 2, 2); err == nil ||
		!strings.Contains(err.Error(), "shape [2 2] needs 4 elements, not 3") {
		t.Errorf("%v", err)
	}
	if err := WriteArray(nil, name, []int32{1, 2, 3}, 3); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{whole[:len(whole)-1], "it ends after 11"},
		{append(slices.Clone(whole), 0), "more follow"},
		{bytes.Replace(whole, []byte("(3,)"), []byte("(-3)"), 1), "standard input"},
		{
			[]byte("PK\x03\x04\x2d\x00"),
			"it is a zip archive, such as an .xlsx or .npz file; save the table as .csv or .npy",
		},
		{[]byte("1,2\n3,4\n5,6\n"), "unreadable .npy header"},
	} {
		_, _, err := ReadArray[float64](t.Context(), "-", Options{Stdin: bytes.NewReader(c.file)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestReadArrayHeader(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.npy")
	if err := WriteArray(nil, name, make([]int16, 6), 3, 2); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadArrayHeader(bytes.NewReader(text), name)
	want := &ArrayHeader{Type: "<i2", Shape: []int{3, 2}, Offset: int64(len(text) - 12)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got, err := ReadArrayHeader(bytes.NewReader(make([]byte, 1000)), name); got != nil || err != nil {
		t.Errorf("no .npy: %v, %v", got, err)
	}
	if got, err := ReadArrayHeader(bytes.NewReader(text[:20]), name); got != nil || err == nil {
		t.Errorf("cut off: %v, %v", got, err)
	}
}

// TestArray reads rows of arrays where they lie in the file.
func TestArray(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.npy")
	if err := WriteArray(nil, name, []float32{1, 2, 3, 4, 5, float32(math.NaN())}, 3, 2); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	open := func(content []byte, o Options, ranks ...int) (*Array, error) {
		t.Helper()
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(t.Context(), name, o)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.Array(ranks...)
	}
	a, err := open(text, Options{Advice: "leave it out"}, 2)
	if err != nil || a.Rows != 3 || a.Cols != 2 || Bytes[float32](a) != 24 || Bytes[float64](a) != 48 {
		t.Fatal(a, err)
	}
	defer a.Close()
	row := make([]float32, 2)
	if err := ReadRows(a, 1, row); err != nil || !slices.Equal(row, []float32{3, 4}) {
		t.Errorf("row 1 is %v, %v", row, err)
	}
	wide := make([]float64, 4)
	if err := ReadRows(a, 0, wide); err != nil || !slices.Equal(wide, []float64{1, 2, 3, 4}) || a.Bits() != 32 {
		t.Errorf("rows 0 and 1 are %v, %v", wide, err)
	}
	part := make([]byte, 10) // of elements 1 to 3
	all := devices.Bytes(wide)
	if n, err := Elements[float64](a).ReadAt(part, 12); n != 10 || err != nil || !bytes.Equal(part, all[12:22]) {
		t.Errorf("bytes 12 to 21 are %v, %v", part, err)
	}
	if err := ReadRows(a, 3, row); err == nil || !strings.Contains(err.Error(), name+": row 3 (from 0): EOF") {
		t.Errorf("row 3: %v", err)
	}
	if err := CheckFinite[float32](a, 0, 2); err != nil {
		t.Error(err)
	}
	const nan = ": row 2, column 1 (from 0): NaN is not finite in float32; leave it out"
	if err := CheckFinite[float32](a, 1, 3); err == nil || err.Error() != name+nan {
		t.Errorf("NaN: %v", err)
	}
	header := func(old, changed string) []byte {
		b := bytes.Replace(text, []byte(old), []byte(changed), 1)
		padding := strings.Repeat(" ", len(old)-len(changed))
		return bytes.Replace(b, []byte("}"), []byte("}"+padding), 1)
	}
	fortran, vector := header("False", "True"), header("(3, 2)", "(6,)")
	for what, c := range map[string]struct {
		content []byte
		o       Options
	}{
		"Fortran order": {fortran, Options{}}, "rank 1": {vector, Options{}},
		"no elements": {header("(3, 2)", "(0, 2)"), Options{}},
		"columns":     {text, Options{Columns: []string{"1"}}},
		"ignored":     {text, Options{Ignore: []string{"1"}}}, "skipped": {text, Options{AllowNonFinite: true}},
		"text": {[]byte("1,2\n"), Options{Format: CSV}},
	} {
		if a, err := open(c.content, c.o, 2, 3); a != nil || err != nil {
			t.Errorf("%s: %v, %v", what, a, err)
		}
	}
	for end, b := range map[string][]byte{"it ends after 23": text[:len(text)-1], "more follow": append(text, 0)} {
		_, err := open(b, Options{}, 2)
		if err == nil || !strings.HasPrefix(err.Error(), name+": shape [3 2] of <f4 needs 24 bytes of data") ||
			!strings.Contains(err.Error(), end) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

// TestArrayTypes reads arrays of each type in parts, as DecodeArray reads them at once.
func TestArrayTypes(t *testing.T) {
	testArrayTypes[float32](t)
	testArrayTypes[float64](t)
}

func testArrayTypes[T Number](t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.npy")
	r := rand.New(rand.NewPCG(5, 6))
	const rows, samples, channels = 3001, 2, 3
	for _, kind := range []string{"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"} {
		for _, order := range []string{"<", ">"} {
			size := int(kind[1] - '0')
			text := []byte(arrayHeader[float32]([]int{rows, samples, channels}))
			text = bytes.Replace(text, []byte("<f4"), []byte(order+kind), 1)
			for range rows * samples * channels * size {
				text = append(text, byte(0x30+r.UintN(32))) // no NaN
			}
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			want, shape, err := ReadArray[T](t.Context(), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(t.Context(), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := f.Array(3)
			f.Close()
			if err != nil || a == nil || !slices.Equal(a.Shape, shape) || a.Rows != rows || a.Cols != samples*channels {
				t.Fatalf("%s%s: %v, %v", order, kind, a, err)
			}
			all := devices.Bytes(want)
			for _, part := range [][2]int{{0, len(all)}, {5, 6}, {8, 16}, {7, len(all) - 9}} {
				got := make([]byte, part[1]-part[0])
				n, err := Elements[T](a).ReadAt(got, int64(part[0]))
				if n != len(got) || err != nil || !bytes.Equal(got, all[part[0]:part[1]]) {
					t.Errorf("%s%s as %T: other bytes %d to %d, %v", order, kind, T(0), part[0], part[1], err)
				}
			}
			tail := make([]byte, 100)
			if n, err := Elements[T](a).ReadAt(tail, int64(len(all)-8)); n > 8 || err == nil {
				t.Errorf("%s%s: %d bytes at the end, %v", order, kind, n, err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
