package columnar

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestColumnErrors(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		name := write(t, randomData(10))
		for _, c := range []struct {
			column string
			read   func(name, column string) error
			want   string
		}{
			{"f65", read[float64], `there is no column "f65"; the columns are "`},
			{"f65", read[float64], `"i8" (int8), `},
			{"f64", read[float32], `column "f64" is float64, which float32 cannot hold exactly: read it as float64, ` +
				"or round it with the option columnar.Rounded()"},
			{"f64", read[int64], `column "f64" is float64, which int64 cannot hold exactly: read it as float64`},
			{"i32", read[float32], `column "i32" is int32, which float32 cannot hold exactly: read it as int32, or`},
			{"i64", read[int32], `column "i64" is int64, which int32 cannot hold exactly: read it as int64`},
			{"i8", read[uint64], `column "i8" is int8, which uint64 cannot hold exactly`},
			{"u32", read[celsius], `column "u32" is uint32, which columnar.celsius cannot hold exactly`},
			{"when", read[float64], "stored as int64, which float64 cannot hold exactly"},
			{"name", read[float64], `column "name" is of type `},
			{"list", read[int32], `column "list" is of type list`},
			{"flag", read[uint8], "and holds no numbers"},
			{"decimal", read[float64], `column "decimal" is of type `},
		} {
			wantError(t, c.column, c.read(name, c.column), name+": ", c.want)
		}
		_, err := Vector[int32](name, "i64", Rounded(), On(cpu()))
		wantError(t, "rounded integers", err, `column "i64" is int64, which int32 cannot hold exactly`)
	})
}

// read returns the error of reading a column.
func read[T Number](name, column string) error {
	_, err := Vector[T](name, column, On(cpu()))
	return err
}

func TestOpenErrors(t *testing.T) {
	d := randomData(10)
	arrow, err := os.ReadFile(arrowFormats[0].write(t, d))
	ok(t, err)
	parquet, err := os.ReadFile(parquetFormats[0].write(t, d))
	ok(t, err)
	for _, c := range []struct {
		name, contents string
		want           string
	}{
		{"empty", "", "it is neither an Arrow file nor a Parquet file; vector.FromFile reads .npy, text"},
		{"a.csv", "x,y\n1,2\n", "it is neither an Arrow file nor a Parquet file"},
		{"a.arrow", string(arrow[:len(arrow)-1]), "begins like an Arrow file but does not end like one: it is cut off"},
		{"b.arrow", arrowMagic, "it is damaged, or cut off"},
		{"c.arrow", arrowMagic + "\x00\x00\xff\xff\xff\xff" + arrowMagic, "it is damaged, or cut off"},
		{"d.arrow", arrowMagic + strings.Repeat("\x00", 102) + "\x40\x00\x00\x00" + arrowMagic, "it is damaged"},
		{"a.parquet", string(parquet[:100]), "begins like a Parquet file but does not end like one: it is cut off"},
		{"b.parquet", parquetMagic + parquetMagic, "it is damaged, or cut off"},
		{"c.parquet", parquetMagic + "\xff\xff\xff\x7f" + parquetMagic, "it is damaged, or cut off"},
		{"e.parquet", parquetMagic + "abcd\x04\x00\x00\x00" + parquetMagic, "unreadable Parquet file: "},
		{"d.parquet", parquetMagic + "abc" + cipherMagic, "it is an encrypted Parquet file"},
		{"a.feather", featherMagic + "abc" + featherMagic, "it is a Feather file of version 1"},
		{"a.arrows", "\xff\xff\xff\xff" + string(arrow), "it may be an Arrow stream"},
	} {
		name := create(t, c.name, []byte(c.contents))
		_, err := Columns(name)
		wantError(t, c.name, err, name+": ", c.want)
		_, err = Matrix[float32](name, nil, On(cpu()))
		wantError(t, c.name, err, name+": ", c.want)
	}
	dir := t.TempDir()
	_, err = Columns(dir)
	wantError(t, "a directory", err, dir+": it is a directory")
	if _, err := Columns(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("a missing file: error %v", err)
	}
	_, err = Columns(os.DevNull)
	wantError(t, "a device", err, os.DevNull+": only a regular file")
}

// TestCutLater cuts off a file that is open.
func TestCutLater(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		d := randomData(30_000, 30_000)
		name := write(t, d)
		s, _, err := newSource[float64](name, []string{"f64"}, nil)
		ok(t, err)
		ok(t, os.Truncate(name, 1000))
		dst := make([]float64, d.rows())
		wantError(t, "all elements", s.fill(0, dst), name+`: column "f64": `, "cut off: ")
		wantError(t, "some elements", s.fill(40_000, dst[:100]), name+`: column "f64": `, "cut off: ")
	})
}

// TestDamaged changes random bytes: a read may succeed or fail, but not panic or take long.
func TestDamaged(t *testing.T) {
	eachFormat(t, func(t *testing.T, write func(testing.TB, *data) string) {
		good, err := os.ReadFile(write(t, randomData(100, 50)))
		ok(t, err)
		name, failed := create(t, "damaged", nil), 0
		for range 200 {
			bad := bytes.Clone(good)
			for range 1 + rand.IntN(3) {
				at := rand.IntN(len(bad)-12) + 6
				if rand.IntN(2) == 0 { // in the footer
					at = len(bad) - 8 - rand.IntN(min(len(bad)-16, 2000))
				}
				bad[at] ^= byte(1 << rand.IntN(8))
			}
			ok(t, os.WriteFile(name, bad, 0o600))
			for _, column := range []string{"f64", "maybe", "u8"} {
				s, _, err := newSource[float64](name, []string{column}, []Option{NullsAsNaN()})
				if err == nil && s.rows() < 1<<20 {
					err = s.fill(0, make([]float64, s.rows()))
				}
				if err != nil {
					failed++
				}
			}
		}
		if failed == 0 {
			t.Error("no damage was found")
		}
	})
}

// TestSharedFields reads a schema in which each field has the next one twice, so that there are 2^40 of them.
func TestSharedFields(t *testing.T) {
	const levels, first, size = 40, 16, 24
	order := binary.LittleEndian
	var b []byte
	for _, offset := range []uint16{16, 12, 0, 4, 8, 0, 0, 4} { // fields 1 and 5 are lists of fields, field 2 is a type
		b = order.AppendUint16(b, offset)
	}
	for i := range uint32(levels) {
		// A table: where the offsets of its fields are, its list of fields, and that it is a struct.
		for _, word := range []uint32{first + size*i, 8, 13, 2, size - 16, size - 20} {
			b = order.AppendUint32(b, word)
		}
	}
	for _, word := range []uint32{first + size*levels, 8, 13, 0} {
		b = order.AppendUint32(b, word)
	}
	m := &flatbuffer{b: b}
	if readArrowFields(m, first, 1, 0); !m.damaged {
		t.Error("no damage was found")
	}
}
