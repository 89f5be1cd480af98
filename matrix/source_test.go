package matrix_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// eachPlace runs a test on every device, on a fake, over several fakes, and over pages of every device that
// has them and of a fake.
func eachPlace(t *testing.T, f func(t *testing.T, on vector.Distribution)) {
	each(t, func(t *testing.T, d *devices.Device) { f(t, vector.Single(d)) })
	fakes := drivertest.NewFake(drivertest.Options{Devices: 3, Lazy: true})
	var devs []*devices.Device
	for i := range 3 {
		d := devices.Wrap(fmt.Sprintf("fake:%d", i), fakes.Device(i))
		t.Cleanup(func() { ok(t, d.Close()) })
		devs = append(devs, d)
	}
	for _, on := range []vector.Distribution{
		vector.Copy(devs...), vector.Block(devs...), vector.Block(devs...).Weighted(1, 0, 3),
		vector.Overlap(1, vector.Wrap, devs...),
	} {
		t.Run(on.String(), func(t *testing.T) {
			devicestest.NoLeaks(t, devs...)
			f(t, on)
		})
	}
	t.Setenv("SKEL_MEMORY", "1MiB")
	each(t, func(t *testing.T, d *devices.Device) {
		if d.Native() {
			return
		}
		pages, err := d.Pages(16)
		ok(t, err)
		devicestest.NoLeaks(t, pages...)
		f(t, vector.Block(pages...))
	})
}

// blocks returns s in blocks of different lengths, which do not end where rows do.
func blocks[T any](s []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for n := 0; len(s) > 0; n = 3*n + 1 {
			n = min(n, len(s), 50_000)
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

// wantRows checks the shape and all elements of a matrix.
func wantRows[T comparable](t *testing.T, what string, m *matrix.Matrix[T], rows, cols int, want []T) {
	t.Helper()
	ok(t, m.Err())
	if m.Rows() != rows || m.Cols() != cols || len(want) != rows*cols {
		t.Fatalf("%s: %d x %d, want %d x %d", what, m.Rows(), m.Cols(), rows, cols)
	}
	if rows > 0 && cols > 0 {
		i, j := rows/2, cols-1
		if x, err := m.At(i, j); err != nil || x != want[i*cols+j] {
			t.Errorf("%s: element (%d, %d) = %v, %v; want %v", what, i, j, x, err, want[i*cols+j])
		}
		row, err := m.Row(i)
		if err != nil || !slices.Equal(row, want[i*cols:][:cols]) {
			t.Errorf("%s: row %d is wrong, %v", what, i, err)
		}
	}
	at := 0
	for s, err := range m.Vector().Chunks(1 + len(want)/5) {
		ok(t, err)
		if !slices.Equal(s, want[at:at+len(s)]) {
			t.Fatalf("%s: the chunk of %d elements at %d is wrong", what, len(s), at)
		}
		at += len(s)
	}
	got, err := m.Host()
	ok(t, err)
	if at != len(want) || !slices.Equal(got, want) {
		t.Fatalf("%s: elements are wrong, or not all", what)
	}
}

// testSources makes matrices of elements of type T, which f computes, in all ways, and changes them.
func testSources[T comparable](t *testing.T, f func(i int) T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		all := append([][2]int{{123, 45}}, shapes...)
		if strings.Contains(on.String(), "pages") {
			all = append(all, [2]int{1001, 2 << 20 / 1001 / driver.SizeOf[T]()})
		}
		for _, shape := range all {
			rows, cols := shape[0], shape[1]
			want := make([]T, rows*cols)
			for i := range want {
				want[i] = f(i)
			}
			for what, create := range map[string]func() *matrix.Matrix[T]{
				"FromReader": func() *matrix.Matrix[T] {
					return matrix.FromReader[T](bytes.NewReader(driver.Bytes(want)), rows, cols, on)
				},
				"FromFunc": func() *matrix.Matrix[T] {
					return matrix.FromFunc(rows, cols, func(first int, dst []T) error {
						copy(dst, want[first:])
						return nil
					}, on)
				},
				"FromSeq": func() *matrix.Matrix[T] { return matrix.FromSeq(rows, cols, blocks(want), on) },
			} {
				what = fmt.Sprintf("%s of %d x %d", what, rows, cols)
				m := create()
				wantRows(t, what, m, rows, cols, want)
				if len(want) == 0 {
					continue
				}
				changed := slices.Clone(want)
				changed[len(want)-1] = f(7)
				ok(t, m.Set(rows-1, cols-1, f(7)))
				wantRows(t, what+", changed", m, rows, cols, changed)
				m.Free()
			}
		}
	})
}

func TestSources(t *testing.T) {
	t.Run("1 byte", func(t *testing.T) { testSources(t, func(i int) uint8 { return uint8(i*i/3 + i) }) })
	t.Run("3 bytes", func(t *testing.T) {
		testSources(t, func(i int) [3]uint8 { return [3]uint8{uint8(i), uint8(i >> 8), uint8(i>>16 + 1)} })
	})
	t.Run("4 bytes", func(t *testing.T) { testSources(t, func(i int) float32 { return float32(i) / 3 }) })
	t.Run("12 bytes", func(t *testing.T) {
		testSources(t, func(i int) [3]float32 { return [3]float32{float32(i), float32(-i) / 3, 1} })
	})
}

// errUnreadable is the error of a source.
var errUnreadable = errors.New("the disk is on fire")

// broken is a reader that fails at one byte.
type broken struct {
	io.ReaderAt
	at int64
}

func (b *broken) ReadAt(p []byte, off int64) (int, error) {
	if off <= b.at && b.at < off+int64(len(p)) {
		return 0, errUnreadable
	}
	return b.ReaderAt.ReadAt(p, off)
}

func TestSourceErrors(t *testing.T) {
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		const rows, cols = 500, 200
		s := grid(rows, cols)
		for _, c := range []struct {
			what string
			make func() *matrix.Matrix[float64]
			want string
		}{
			{"an error of the reader", func() *matrix.Matrix[float64] {
				return matrix.FromReader[float64](&broken{bytes.NewReader(driver.Bytes(s)), 3000}, rows, cols, on)
			}, errUnreadable.Error()},
			{"a reader that ends", func() *matrix.Matrix[float64] {
				return matrix.FromReader[float64](bytes.NewReader(driver.Bytes(s[1:])), rows, cols, on)
			}, io.ErrUnexpectedEOF.Error()},
			{"an error of the function", func() *matrix.Matrix[float64] {
				return matrix.FromFunc(rows, cols, func(int, []float64) error { return errUnreadable }, on)
			}, errUnreadable.Error()},
			{"too few", func() *matrix.Matrix[float64] { return matrix.FromSeq(rows, cols, blocks(s[1:]), on) },
				"FromSeq: the blocks hold 99999 elements, not 100000"},
			{"too many", func() *matrix.Matrix[float64] { return matrix.FromSeq(rows-1, cols, blocks(s), on) },
				"FromSeq: the blocks hold more than 99800 elements"},
		} {
			m := c.make()
			if _, err := m.Host(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: Host: error %v, want %s", c.what, err, c.want)
			}
			if err := m.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: Err() = %v, want %s", c.what, err, c.want)
			}
			if m.Cols() != cols {
				t.Errorf("%s: %d columns, want %d", c.what, m.Cols(), cols)
			}
			m.Free()
		}
	})
}

func TestSourceBadArguments(t *testing.T) {
	_, d := fake(t)
	on, r := vector.Single(d), bytes.NewReader(nil)
	wantPanic(t, "matrix: FromReader: shape -1 x 2 is negative", func() { matrix.FromReader[int32](r, -1, 2, on) })
	wantPanic(t, "matrix: FromReader: shape 1 x -2 is negative", func() { matrix.FromReader[int32](r, 1, -2, on) })
	wantPanic(t, "matrix: FromFunc: shape -1 x 2 is negative", func() {
		matrix.FromFunc(-1, 2, func(int, []int32) error { return nil }, on)
	})
	wantPanic(t, "matrix: FromSeq: shape -1 x 2 is negative", func() {
		matrix.FromSeq(-1, 2, blocks([]int32{1}), on)
	})
	for what, m := range map[string]*matrix.Matrix[int32]{
		"FromReader": matrix.FromReader[int32](r, math.MaxInt, 3, on),
		"FromFunc":   matrix.FromFunc(math.MaxInt, 3, func(int, []int32) error { return nil }, on),
		"FromSeq":    matrix.FromSeq(math.MaxInt, 3, blocks([]int32{1}), on),
	} {
		if m.Err() == nil {
			t.Errorf("%s: no error for more elements than an int can count", what)
		}
	}
}

// file writes a file into a folder of the test and returns its name.
func file(t *testing.T, name string, contents []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	ok(t, os.WriteFile(name, contents, 0o600))
	return name
}

// npy returns a .npy of version 1.
func npy(descr, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(b, header...), data...)
}

func TestFromFile(t *testing.T) {
	const rows, cols = 5003, 11
	want := grid(rows, cols)
	big, err := binary.Append(nil, binary.BigEndian, want)
	ok(t, err)
	little, err := binary.Append(nil, binary.LittleEndian, want)
	ok(t, err)
	text := func(sep, end string) []byte {
		b := []byte(strings.Repeat("x"+sep, cols-1) + "x" + end)
		for i, x := range want {
			if b = fmt.Appendf(b, "%v", x); i%cols < cols-1 {
				b = append(b, sep...)
			} else {
				b = append(b, end...)
			}
		}
		return b
	}
	shape := fmt.Sprintf("(%d, %d)", rows, cols)
	files := map[string]string{
		"little-endian": file(t, "a.npy", npy("<f8", shape, little)),
		"big-endian":    file(t, "b.npy", npy(">f8", shape, big)),
		"commas":        file(t, "c.csv", text(",", "\n")),
		"tabs":          file(t, "d.tsv", text("\t", "\r\n")),
		"blanks":        file(t, "e.txt", text("  ", "\n\n")),
		"raw":           file(t, "f.bin", driver.Bytes(want)),
	}
	eachPlace(t, func(t *testing.T, on vector.Distribution) {
		for what, name := range files {
			m, err := matrix.FromFile[float64](name, cols, on)
			ok(t, err)
			wantRows(t, what, m, rows, cols, want)
			m.Free()
			if what == "raw" {
				continue
			}
			m, err = matrix.FromFile[float64](name, 0, on)
			ok(t, err)
			wantRows(t, what+", columns of the file", m, rows, cols, want)
			m.Free()
		}
	})
}

// TestFromFileErrors checks that an error names the file, and the line if there is one.
func TestFromFileErrors(t *testing.T) {
	_, d := fake(t)
	on := vector.Single(d)
	for _, c := range []struct {
		name, contents string
		cols           int
		want           string
	}{
		{"a.csv", "1,2\n3,4\n", 3, "a.csv: its rows have 2 numbers, not 3"},
		{"a.csv", "x,y\n", 0, "a.csv: it holds no numbers"},
		{"a.bin", "0123456789", 3, "a.bin: its 10 bytes are not a multiple of the 12 bytes of a row: 3 of float32"},
		{"a.npy", string(npy("<f4", "(1, 2, 1)", make([]byte, 8))), 0, "a.npy: an array of rank 3"},
	} {
		m, err := matrix.FromFile[float32](file(t, c.name, []byte(c.contents)), c.cols, on)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: %v, error %v; want %s", c.name, c.contents, m, err, c.want)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if m, err := matrix.FromFile[float32](missing, 1, on); m != nil || !os.IsNotExist(err) {
		t.Errorf("a missing file: %v, error %v", m, err)
	}
	m, err := matrix.FromFile[float32](file(t, "a.csv", []byte("1,2\n3,\n")), 0, on)
	ok(t, err)
	want := "a.csv:2: column 2: the value is missing"
	if err := m.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a missing value: error %v, want %s", err, want)
	}
}

// TestFromFileEmpty reads matrices without elements.
func TestFromFileEmpty(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		m, err := matrix.FromFile[float32](file(t, "a.bin", nil), 3, vector.Single(d))
		ok(t, err)
		wantRows(t, "an empty file", m, 0, 3, nil)
		for shape, want := range map[string][2]int{"(0, 3)": {0, 3}, "(3, 0)": {3, 0}} {
			m, err := matrix.FromFile[float32](file(t, "a.npy", npy("<f4", shape, nil)), 0, vector.Single(d))
			ok(t, err)
			wantRows(t, shape, m, want[0], want[1], nil)
		}
	})
}
