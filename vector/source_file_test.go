package vector_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/vector"
)

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
	const n = fitting / 3
	want := ints(n)
	big, err := binary.Append(nil, binary.BigEndian, want)
	ok(t, err)
	little, err := binary.Append(nil, binary.LittleEndian, want)
	ok(t, err)
	text := []byte("\xef\xbb\xbfvalue\r\n")
	for _, x := range want {
		text = fmt.Appendf(text, "%d\r\n", x)
	}
	rank1, rank2 := fmt.Sprintf("(%d,)", n), fmt.Sprintf("(%d, 1)", n)
	files := map[string]string{
		"little-endian": file(t, "a.npy", npy("<i4", rank1, little)),
		"big-endian":    file(t, "b.npy", npy(">i4", rank2, big)),
		"text":          file(t, "c.csv", text),
		"raw":           file(t, "d.bin", driver.Bytes(want)),
	}
	run := func(t *testing.T, on vector.Distribution) {
		for what, name := range files {
			v, err := vector.FromFile[int32](name, on)
			ok(t, err)
			got, err := v.Host()
			ok(t, err)
			wantSame(t, what, got, want)
			v.Free()
		}
	}
	each(t, func(t *testing.T, d *devices.Device) { run(t, vector.Single(d)) })
	eachPages(t, run)
}

// TestFromFileOfStructs reads a file without a header.
func TestFromFileOfStructs(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		want := []point{{1.5, 2}, {-3, 4}, {5, 6}}
		name := file(t, "points", driver.Bytes(want))
		v, err := vector.FromFile[point](name, vector.Single(d))
		ok(t, err)
		wantElements(t, "FromFile", v, want)
		v, err = vector.FromFile[point](file(t, "empty", nil), vector.Single(d))
		ok(t, err)
		wantElements(t, "an empty file", v, []point{})
	})
}

// TestFromFileErrors checks that an error names the file, and the line if there is one.
func TestFromFileErrors(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	for _, c := range []struct{ name, contents, want string }{
		{"a.csv", "1,2\n3,4\n", "a.csv: its rows have 2 numbers, not 1"},
		{"a.csv", "", "a.csv: it holds no numbers"},
		{"a.bin", "12345", "a.bin: its 5 bytes are not a multiple of the 4 bytes of a row"},
		{"a.npy", string(npy("<i8", "(1,)", make([]byte, 8))), `a.npy: its elements are "<i8", and int32 is "i4"`},
	} {
		v, err := vector.FromFile[int32](file(t, c.name, []byte(c.contents)), on)
		if v != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: %v, error %v; want %s", c.name, c.contents, v, err, c.want)
		}
	}
	if v, err := vector.FromFile[int32](filepath.Join(t.TempDir(), "missing"), on); v != nil || !os.IsNotExist(err) {
		t.Errorf("a missing file: %v, error %v", v, err)
	}
	v, err := vector.FromFile[int32](file(t, "a.txt", []byte("1\n2\nx\n")), on)
	ok(t, err)
	want := `a.txt:3: column 1: "x" is not a number of type int32`
	if err := v.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a wrong number: error %v, want %s", err, want)
	}
	if _, err := v.Host(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a wrong number: Host: error %v, want %s", err, want)
	}
}

// TestFromFileCut cuts off a file after it was opened.
func TestFromFileCut(t *testing.T) {
	const n = fitting / 2
	name := file(t, "a.bin", driver.Bytes(ints(n)))
	v, err := vector.FromFile[int32](name, pagedFake(t))
	ok(t, err)
	defer v.Free()
	ok(t, os.Truncate(name, 2*n))
	if s, err := v.HostRange(10, 20); err != nil || !slices.Equal(s, ints(20)[10:]) {
		t.Errorf("elements that are there: %v, %v", s, err)
	}
	if _, err := v.Host(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("all elements: error %v, want %v", err, io.ErrUnexpectedEOF)
	}
}
