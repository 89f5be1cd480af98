package data

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWriteAndReadBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(1, 4).Draw(t, "cols")
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		want := &Table[float32]{Rows: rows, Cols: cols, Data: rapid.SliceOfN(rapid.Float32Range(-1e9, 1e9), rows*cols,
			rows*cols).Draw(t, "data")}
		name := filepath.Join(dir, "c"+rapid.SampledFrom([]string{".csv", ".npy"}).Draw(t, "ext"))
		if err := Write(nil, name, want); err != nil {
			t.Fatal(err)
		}
		got, err := Read[float32](context.Background(), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestWriteRows writes tables in blocks.
func TestWriteRows(t *testing.T) {
	dir := t.TempDir()
	shape := &Table[float32]{Rows: 3, Cols: 2, Names: []string{"a", "b"}}
	whole := &Table[float32]{Rows: 3, Cols: 2, Names: shape.Names, Data: []float32{1, 2.5, 3, 4, 5, 6}}
	write := func(name string, lengths []int, last error) error {
		return WriteRows(nil, filepath.Join(dir, name), shape, func(yield func([]float32, error) bool) {
			rest := whole.Data
			for _, n := range lengths {
				if !yield(rest[:n], nil) {
					return
				}
				rest = rest[n:]
			}
			if last != nil {
				yield(nil, last)
			}
		})
	}
	for _, ext := range []string{".csv", ".npy"} {
		want, got := filepath.Join(dir, "want"+ext), filepath.Join(dir, "got"+ext)
		if err := errors.Join(Write(nil, want, whole), write("got"+ext, []int{4, 0, 2}, nil)); err != nil {
			t.Fatal(err)
		}
		a, err1 := os.ReadFile(want)
		b, err2 := os.ReadFile(got)
		if !bytes.Equal(a, b) || err1 != nil || err2 != nil {
			t.Errorf("%s: %q, want %q, %v, %v", ext, b, a, err1, err2)
		}
		if err := write("bad"+ext, []int{4}, nil); err == nil ||
			!strings.Contains(err.Error(), "the blocks have 2 rows, not 3") {
			t.Errorf("%s: too few rows: %v", ext, err)
		}
		if err := write("bad"+ext, []int{2}, io.ErrNoProgress); err != io.ErrNoProgress {
			t.Errorf("%s: %v", ext, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "bad"+ext)); err == nil {
			t.Errorf("%s: a file with an error was written", ext)
		}
	}
}

func TestWriteLabels(t *testing.T) {
	name := filepath.Join(t.TempDir(), "labels")
	if err := WriteLabels(nil, name, []int32{0, 12, 3}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "0\n12\n3\n" {
		t.Errorf("%q", got)
	}
	if err := WriteLabels(nil, name+".npy", []int32{0, 12, 3}); err != nil {
		t.Fatal(err)
	}
	got, err := ReadVector[float64](context.Background(), name+".npy", Options{})
	if diff := cmp.Diff([]float64{0, 12, 3}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
