package data

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"
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
