package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type celsius float32

// write writes a file into a folder of the test and returns its name.
func write(t *testing.T, name, contents string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(contents), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// open opens a file that must have the given shape.
func open(t *testing.T, name string, of reflect.Type, cols, wantRows, wantCols int) *File {
	t.Helper()
	f, err := Open(name, of, cols)
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows != wantRows || f.Cols != wantCols {
		t.Fatalf("%s: %d x %d, want %d x %d", name, f.Rows, f.Cols, wantRows, wantCols)
	}
	return f
}

// inMemory returns numbers of a fixed size as this machine has them in memory.
func inMemory(t *testing.T, numbers any) []byte { return encoded(t, binary.NativeEndian, numbers) }

func encoded(t *testing.T, order binary.AppendByteOrder, numbers any) []byte {
	t.Helper()
	b, err := binary.Append(nil, order.(binary.ByteOrder), numbers)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkReads compares reads of random bytes with want, and reads beyond the end with an error.
func checkReads(t *testing.T, r io.ReaderAt, want []byte) {
	t.Helper()
	all := make([]byte, len(want))
	if n, err := r.ReadAt(all, 0); n != len(all) || err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("reading all %d bytes: %d, %v", len(all), n, err)
	}
	if !bytes.Equal(all, want) {
		t.Fatalf("all bytes: %v, want %v", brief(all), brief(want))
	}
	rapid.Check(t, func(t *rapid.T) {
		off := rapid.IntRange(0, len(want)).Draw(t, "off")
		p := make([]byte, rapid.IntRange(0, len(want)-off).Draw(t, "length"))
		if n, err := r.ReadAt(p, int64(off)); n != len(p) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("reading %d bytes at %d: %d, %v", len(p), off, n, err)
		}
		if !bytes.Equal(p, want[off:off+len(p)]) {
			t.Fatalf("%d bytes at %d: %v, want %v", len(p), off, brief(p), brief(want[off:off+len(p)]))
		}
		more := rapid.IntRange(1, 20).Draw(t, "bytes too many")
		p = make([]byte, len(want)-off+more)
		if n, err := r.ReadAt(p, int64(off)); n > len(want)-off || err == nil {
			t.Fatalf("reading %d bytes at %d of %d: %d, %v; want an error", len(p), off, len(want), n, err)
		}
	})
}

// brief returns the beginning of b.
func brief(b []byte) []byte { return b[:min(len(b), 64)] }

// npy returns a .npy with the given entries of its header.
func npy(version byte, descr string, fortran bool, shape string, data []byte) string {
	order := "False"
	if fortran {
		order = "True"
	}
	return npyWith(version, fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, order, shape), data)
}

func npyWith(version byte, header string, data []byte) string {
	fixed := 10
	if version > 1 {
		fixed = 12
	}
	for (fixed+len(header)+1)%64 != 0 {
		header += " "
	}
	header += "\n"
	b := append([]byte(npyMagic), version, 0)
	if version > 1 {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	}
	return string(b) + header + string(data)
}

func TestNPY(t *testing.T) {
	for _, c := range []struct {
		descr   string
		of      reflect.Type
		numbers any
	}{
		{"i1", reflect.TypeFor[int8](), []int8{-128, -1, 0, 1, 2, 127}},
		{"i2", reflect.TypeFor[int16](), []int16{math.MinInt16, -1, 0, 1, 2, math.MaxInt16}},
		{"i4", reflect.TypeFor[int32](), []int32{math.MinInt32, -1, 0, 1, 2, math.MaxInt32}},
		{"i8", reflect.TypeFor[int64](), []int64{math.MinInt64, -1, 0, 1, 2, math.MaxInt64}},
		{"u1", reflect.TypeFor[uint8](), []uint8{0, 1, 2, 3, 4, 255}},
		{"u2", reflect.TypeFor[uint16](), []uint16{0, 1, 2, 3, 4, math.MaxUint16}},
		{"u4", reflect.TypeFor[uint32](), []uint32{0, 1, 2, 3, 4, math.MaxUint32}},
		{"u8", reflect.TypeFor[uint64](), []uint64{0, 1, 2, 3, 4, math.MaxUint64}},
		{"f4", reflect.TypeFor[float32](), []float32{0, -1.5, 0.1, math.MaxFloat32, float32(math.Inf(-1)), 5}},
		{"f8", reflect.TypeFor[float64](), []float64{0, -1.5, 0.1, math.MaxFloat64, math.Inf(-1), math.NaN()}},
		{"f4", reflect.TypeFor[celsius](), []celsius{0, -1.5, 36.6, 1e30, 4, 5}},
	} {
		for _, order := range []struct {
			sign string
			binary.AppendByteOrder
		}{{"<", binary.LittleEndian}, {">", binary.BigEndian}} {
			if c.of.Size() == 1 {
				order.sign = "|"
			}
			data := encoded(t, order.AppendByteOrder, c.numbers)
			for _, shape := range []struct {
				text       string
				rows, cols int
			}{{"(6,)", 6, 1}, {"(6)", 6, 1}, {"(6, 1)", 6, 1}, {"(2, 3)", 2, 3}, {"(3,2)", 3, 2}, {"(1, 6)", 1, 6}} {
				for version := byte(1); version <= 3; version++ {
					t.Run(fmt.Sprint(c.of, order.sign, shape.text, "version", version), func(t *testing.T) {
						name := write(t, "a.npy", npy(version, "'"+order.sign+c.descr+"'", false, shape.text, data))
						want := inMemory(t, c.numbers)
						for _, cols := range []int{0, shape.cols} {
							f := open(t, name, c.of, cols, shape.rows, shape.cols)
							if got := make([]byte, len(want)); cols == 0 {
								if _, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
									t.Errorf("elements are %v, %v; want %v", got, err, want)
								}
							}
						}
					})
				}
			}
		}
	}
}

// TestNPYOrders reads random bytes of files in both orders of bytes.
func TestNPYOrders(t *testing.T) {
	numbers := make([]uint64, 100)
	for i := range numbers {
		numbers[i] = rand.Uint64()
	}
	for sign, order := range map[string]binary.AppendByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian} {
		name := write(t, "a.npy", npy(1, "'"+sign+"u8'", false, "(25, 4)", encoded(t, order, numbers)))
		checkReads(t, open(t, name, reflect.TypeFor[uint64](), 0, 25, 4), inMemory(t, numbers))
	}
}

// TestNPYForms opens files that other programs than the current NumPy write.
func TestNPYForms(t *testing.T) {
	two := inMemory(t, []int32{1, 2})
	sign := "<"
	if !littleEndian {
		sign = ">"
	}
	for name, c := range map[string]struct {
		contents   string
		rows, cols int
	}{
		"no blanks":        {npyWith(1, "{'descr':'"+sign+"i4','fortran_order':False,'shape':(2,)}", two), 2, 1},
		"other order":      {npyWith(1, "{'shape': (2,), 'fortran_order': False, 'descr': '"+sign+"i4'}", two), 2, 1},
		"Fortran, rank 1":  {npy(1, "'"+sign+"i4'", true, "(2,)", two), 2, 1},
		"Fortran, one row": {npy(1, "'"+sign+"i4'", true, "(1, 2)", two), 1, 2},
		"Fortran, a column": {
			npy(1, "'"+sign+"i4'", true, "(2, 1)", two), 2, 1},
		"no elements": {npy(1, "'"+sign+"i4'", false, "(0,)", nil), 0, 1},
		"no rows":     {npy(1, "'"+sign+"i4'", false, "(0, 3)", nil), 0, 3},
		"no columns":  {npy(1, "'"+sign+"i4'", false, "(3, 0)", nil), 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			// The name of the file does not matter.
			f := open(t, write(t, "a.csv", c.contents), reflect.TypeFor[int32](), 0, c.rows, c.cols)
			checkReads(t, f, two[:4*c.rows*c.cols])
		})
	}
}

// TestNPYCutLater cuts off a file that is open, in the middle of an element.
func TestNPYCutLater(t *testing.T) {
	data := encoded(t, binary.BigEndian, []uint32{1, 2, 3})
	contents := npy(1, "'>u4'", false, "(3,)", data)
	name := write(t, "a.npy", contents)
	f := open(t, name, reflect.TypeFor[uint32](), 1, 3, 1)
	if err := os.Truncate(name, int64(len(contents)-6)); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 12)
	want := inMemory(t, []uint32{1})
	if n, err := f.ReadAt(p, 0); n != 4 || err == nil || !bytes.Equal(p[:4], want) {
		t.Errorf("reads %d bytes %v, %v; want %v and an error", n, p, err, want)
	}
	if n, err := f.ReadAt(p[:2], 10); n != 0 || err == nil {
		t.Errorf("reads %d bytes that were cut off, %v", n, err)
	}
}

// TestRaw opens files without a header.
func TestRaw(t *testing.T) {
	type point struct {
		X, Y float32
		N    int32
	}
	data := inMemory(t, []point{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}})
	for _, c := range []struct {
		name         string
		of           reflect.Type
		cols         int
		wantR, wantC int
	}{
		{"points.bin", reflect.TypeFor[point](), 1, 4, 1},
		{"points", reflect.TypeFor[point](), 1, 4, 1},
		{"points.dat", reflect.TypeFor[point](), 2, 2, 2},
		{"bytes.raw", reflect.TypeFor[uint8](), 1, 48, 1},
		{"bytes.raw", reflect.TypeFor[[3]uint8](), 4, 4, 4},
		{"bytes.raw", reflect.TypeFor[bool](), 48, 1, 48},
	} {
		f := open(t, write(t, c.name, string(data)), c.of, c.cols, c.wantR, c.wantC)
		checkReads(t, f, data)
	}
	open(t, write(t, "empty.bin", ""), reflect.TypeFor[point](), 1, 0, 1)
	open(t, write(t, "empty.bin", ""), reflect.TypeFor[point](), 3, 0, 3)
}

func TestOpenErrors(t *testing.T) {
	f4, f8, i4 := reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[int32]()
	eight := make([]byte, 8)
	good := npy(1, "'<f4'", false, "(2,)", eight)
	for _, c := range []struct {
		name, file, contents string
		of                   reflect.Type
		cols                 int
		want                 string
	}{
		{"other size", "a.npy", npy(1, "'<f8'", false, "(1,)", eight), f4, 1,
			`its elements are "<f8", and float32 is "f4": choose that type, or convert the file, ` +
				`in NumPy by a.astype('f4')`},
		{"integers", "a.npy", npy(1, "'<i4'", false, "(2,)", eight), f4, 1,
			`its elements are "<i4", and float32 is "f4"`},
		{"no columns given", "points", "12345678", f4, 0,
			"it has no header that says how many columns there are: give their number"},
		{"unsigned", "a.npy", npy(1, "'<u4'", false, "(2,)", eight), i4, 1,
			`its elements are "<u4", and int32 is "i4"`},
		{"bool", "a.npy", npy(1, "'|b1'", false, "(8,)", eight), reflect.TypeFor[uint8](), 1,
			`its elements are "|b1", and uint8 is "u1"`},
		{"complex", "a.npy", npy(1, "'<c8'", false, "(1,)", eight), f8, 1,
			`its elements are "<c8", and float64 is "f8"`},
		{"records", "a.npy", npy(1, "[('x', '<f4'), ('y', '<f4')]", false, "(1,)", eight), f4, 1,
			"unreadable .npy header: \"{'descr': [("},
		{"struct elements", "a.npy", good, reflect.TypeFor[struct{ X float32 }](), 1,
			"it holds numbers, which cannot become elements of type struct { X float32 }; " +
				"files of other types have no header"},
		{"bool elements", "a.npy", good, reflect.TypeFor[bool](), 1,
			"it holds numbers, which cannot become elements of type bool"},
		{"Fortran", "a.npy", npy(1, "'<f4'", true, "(2, 2)", make([]byte, 16)), f4, 0,
			"its elements are in Fortran order; in NumPy, save np.ascontiguousarray(a)"},
		{"rank 0", "a.npy", npy(1, "'<f8'", false, "()", eight), f8, 0,
			"an array of rank 0, shape (); it must have rank 1 or 2"},
		{"rank 3", "a.npy", npy(1, "'<f4'", false, "(1, 2, 1)", eight), f4, 0,
			"an array of rank 3, shape (1, 2, 1); it must have rank 1 or 2"},
		{"too short", "a.npy", good[:len(good)-1], f4, 1,
			"shape (2,) of <f4 needs 8 bytes of data, and the file has 7: it is damaged, or cut off"},
		{"no data", "a.npy", good[:len(good)-8], f4, 1, "needs 8 bytes of data, and the file has 0"},
		{"too long", "a.npy", good + "\x00", f4, 1, "needs 8 bytes of data, and the file has 9: it is damaged"},
		{"cut in the header", "a.npy", good[:40], f4, 1, "unreadable .npy header: unexpected EOF"},
		{"cut before the header", "a.npy", good[:9], f4, 1, "unreadable .npy header: unexpected EOF"},
		{"only the magic", "a.npy", npyMagic, f4, 1, "unreadable .npy header: unexpected EOF"},
		{"a long header", "a.npy", npyMagic + "\x02\x00\xff\xff\xff\xff abc", f4, 1,
			"unreadable .npy header: it has 4294967295 bytes"},
		{"no header", "a.npy", npyWith(1, "abc", eight), f4, 1, `unreadable .npy header: "abc`},
		{"no shape", "a.npy", npyWith(1, "{'descr': '<f4'}", eight), f4, 1, "unreadable .npy header: \"{'descr'"},
		{"negative shape", "a.npy", npy(1, "'<f4'", false, "(-2,)", eight), f4, 1, "unreadable .npy header"},
		{"a large number", "a.npy", npy(1, "'<f4'", false, "(99999999999999999999,)", eight), f4, 1,
			"unreadable .npy header: shape (99999999999999999999,)"},
		{"many elements", "a.npy", npy(1, "'<f4'", false, "(4611686018427387904, 4)", eight), f4, 0,
			"unreadable .npy header: shape (4611686018427387904, 4)"},
		{"columns", "a.npy", npy(1, "'<f4'", false, "(1, 2)", eight), f4, 1, "its rows have 2 numbers, not 1"},
		{"columns of rank 1", "a.npy", good, f4, 2, "its rows have 1 numbers, not 2"},
		{"no columns", "a.npy", npy(1, "'<f4'", false, "(3, 0)", nil), f4, 1, "its rows have 0 numbers, not 1"},
		{"not a .npy", "a.NPY", "\x93NUMP", f4, 1, "it does not begin like a .npy"},
		{"an empty .npy", "a.npy", "", f4, 1, "it does not begin like a .npy"},

		{"half an element", "a.bin", "0123456", f4, 1,
			"its 7 bytes are not a multiple of the 4 bytes of a row: 1 of float32"},
		{"half a row", "a.bin", "01234567", f4, 3,
			"its 8 bytes are not a multiple of the 12 bytes of a row: 3 of float32"},
		{"half a struct", "a", "0123456", reflect.TypeFor[struct{ A, B uint8 }](), 1,
			"its 7 bytes are not a multiple of the 2 bytes of a row: 1 of struct { A uint8; B uint8 }"},
		{"no bytes in an element", "a.bin", "01", reflect.TypeFor[struct{}](), 1, "1 of struct {}"},

		{"empty text", "a.txt", "", f4, 1, "it holds no numbers"},
		{"blank text", "a.csv", " \r\n\n\t\n", f4, 1, "it holds no numbers"},
		{"only a header", "a.tsv", "a\tb\n", f4, 0, "it holds no numbers"},
		{"only a byte order mark", "a.txt", "\xef\xbb\xbf", f4, 0, "it holds no numbers"},
		{"columns of text", "a.csv", "1,2\n3,4\n", f4, 1, "its rows have 2 numbers, not 1"},
		{"columns of text, more", "a.csv", "1,2\n3,4\n", f4, 3, "its rows have 2 numbers, not 3"},
		{"text for structs", "a.csv", "1,2\n", reflect.TypeFor[[2]float32](), 0,
			"it holds numbers, which cannot become elements of type [2]float32; files of other types have no header"},
		{"a line without an end", "a.csv", "1\n" + strings.Repeat(" ", longLine+1), f4, 0,
			"a.csv:2: the line has more than 16777216 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := write(t, c.file, c.contents)
			f, err := Open(name, c.of, c.cols)
			if err == nil {
				t.Fatalf("opened as %d x %d, want an error", f.Rows, f.Cols)
			}
			if !strings.HasPrefix(err.Error(), name+":") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want one with the name of the file and %q", err, c.want)
			}
		})
	}
}

// TestOpenOthers opens what is not a regular file.
func TestOpenOthers(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{dir: "it is a directory", os.DevNull: "only a regular file can be read"} {
		if _, err := Open(name, reflect.TypeFor[uint8](), 1); err == nil ||
			!strings.HasPrefix(err.Error(), name+": "+want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	missing := filepath.Join(dir, "missing.csv")
	if _, err := Open(missing, reflect.TypeFor[uint8](), 1); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("a missing file: error %v", err)
	}
}

// TestOpenPipe opens a pipe to which nothing writes. It must not wait.
func TestOpenPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe.csv")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skip("no pipe: ", err)
	}
	done := make(chan error)
	go func() {
		_, err := Open(name, reflect.TypeFor[uint8](), 1)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "only a regular file can be read in any order, not a pipe") {
			t.Errorf("error %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("Open waits for a writer")
	}
}
