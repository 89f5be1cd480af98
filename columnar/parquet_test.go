package columnar

import (
	"bytes"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

var parquetFormats = []fileFormat{
	{"parquet", func(t testing.TB, d *data) string { return writeParquet[plainRow](t, d, &parquet.Uncompressed) }},
	{"parquet, snappy, pages of version 1", func(t testing.TB, d *data) string {
		return writeParquet[plainRow](t, d, &parquet.Snappy, parquet.DataPageVersion(1), parquet.PageBufferSize(1000))
	}},
	{"parquet, zstd, dictionaries", func(t testing.TB, d *data) string {
		return writeParquet[dictionaryRow](t, d, &parquet.Zstd, parquet.PageBufferSize(5000))
	}},
	{"parquet, gzip, other encodings", func(t testing.TB, d *data) string {
		return writeParquet[deltaRow](t, d, &parquet.Gzip)
	}},
}

type plainRow struct {
	Name    string     `parquet:"name"`
	I8      int8       `parquet:"i8"`
	I16     int16      `parquet:"i16"`
	I32     int32      `parquet:"i32"`
	I64     int64      `parquet:"i64"`
	U8      uint8      `parquet:"u8"`
	U16     uint16     `parquet:"u16"`
	U32     uint32     `parquet:"u32"`
	U64     uint64     `parquet:"u64"`
	F32     float32    `parquet:"f32"`
	F64     float64    `parquet:"f64"`
	Maybe   *float64   `parquet:"maybe,optional"`
	List    []int32    `parquet:"list"`
	Flag    bool       `parquet:"flag"`
	Decimal int64      `parquet:"decimal,decimal(2:10)"`
	When    time.Time  `parquet:"when,timestamp(microsecond)"`
	Date    int32      `parquet:"date,date"`
	Inner   *innerData `parquet:"inner,optional"`
}

type innerData struct {
	X float64 `parquet:"x"`
}

// dictionaryRow is a plainRow whose numbers are in dictionaries.
type dictionaryRow struct {
	Name    string     `parquet:"name,dict"`
	I8      int8       `parquet:"i8,dict"`
	I16     int16      `parquet:"i16,dict"`
	I32     int32      `parquet:"i32,dict"`
	I64     int64      `parquet:"i64,dict"`
	U8      uint8      `parquet:"u8,dict"`
	U16     uint16     `parquet:"u16,dict"`
	U32     uint32     `parquet:"u32,dict"`
	U64     uint64     `parquet:"u64,dict"`
	F32     float32    `parquet:"f32,dict"`
	F64     float64    `parquet:"f64,dict"`
	Maybe   *float64   `parquet:"maybe,optional,dict"`
	List    []int32    `parquet:"list"`
	Flag    bool       `parquet:"flag"`
	Decimal int64      `parquet:"decimal,decimal(2:10)"`
	When    time.Time  `parquet:"when,timestamp(microsecond),dict"`
	Date    int32      `parquet:"date,date,dict"`
	Inner   *innerData `parquet:"inner,optional"`
}

// deltaRow is a plainRow with differences of integers, and the bytes of floats in streams.
type deltaRow struct {
	Name    string     `parquet:"name,delta"`
	I8      int8       `parquet:"i8,delta"`
	I16     int16      `parquet:"i16,delta"`
	I32     int32      `parquet:"i32,delta"`
	I64     int64      `parquet:"i64,delta"`
	U8      uint8      `parquet:"u8,delta"`
	U16     uint16     `parquet:"u16,delta"`
	U32     uint32     `parquet:"u32,delta"`
	U64     uint64     `parquet:"u64,delta"`
	F32     float32    `parquet:"f32,split"`
	F64     float64    `parquet:"f64,split"`
	Maybe   *float64   `parquet:"maybe,optional,split"`
	List    []int32    `parquet:"list"`
	Flag    bool       `parquet:"flag"`
	Decimal int64      `parquet:"decimal,decimal(2:10)"`
	When    time.Time  `parquet:"when,timestamp(microsecond)"`
	Date    int32      `parquet:"date,date"`
	Inner   *innerData `parquet:"inner,optional"`
}

type anyRow interface {
	plainRow | dictionaryRow | deltaRow
}

// writeParquet writes data in row groups.
func writeParquet[R anyRow](t testing.TB, d *data, codec compress.Codec, opts ...parquet.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[R](&b, append(opts, parquet.Compression(codec))...)
	first := 0
	for _, n := range d.lengths {
		rows := make([]R, 0, n)
		for i := first; i < first+n; i++ {
			row := plainRow{
				[]string{"", "a", "bc"}[i%3], d.ints8[i], d.ints16[i], d.ints32[i], d.ints64[i],
				d.uints8[i], d.uints16[i], d.uints32[i], d.uints64[i], d.floats[i], d.doubles[i], nil,
				make([]int32, i%3), d.null[i], int64(i),
				time.UnixMicro(int64(d.ints32[i])).UTC(), int32(d.uints16[i]), nil,
			}
			if !d.null[i] {
				row.Maybe, row.Inner = &d.doubles[i], &innerData{d.doubles[i]}
			}
			rows = append(rows, R(row))
		}
		_, err := w.Write(rows)
		ok(t, err)
		ok(t, w.Flush())
		first += n
	}
	ok(t, w.Close())
	return create(t, "data.parquet", b.Bytes())
}

// TestParquetStruct reads a field of a struct, which is null where the struct is.
func TestParquetStruct(t *testing.T) {
	d := randomData(20, 300)
	for _, f := range parquetFormats {
		testNaN(t, f.write(t, d), "inner.x", d.null, d.doubles)
	}
}

// TestParquetCodecs reads files of all codecs, with pages of many sizes.
func TestParquetCodecs(t *testing.T) {
	for _, codec := range []compress.Codec{&parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd} {
		for bits := range 14 {
			for n := 1<<bits - 1; n <= 1<<bits+1; n++ {
				testColumn(t, writeIntegers(t, n, codec), "x", integers(n))
			}
		}
	}
	name := writeIntegers(t, 100, &parquet.Lz4Raw)
	_, err := Vector[float64](name, "x", On(cpu()))
	wantError(t, "LZ4", err, name+`: column "x": row group 0: it is compressed with LZ4_RAW, which cannot be read: `+
		"write the file with zstd or snappy")
}

// integers returns floats that can be compressed.
func integers(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = float64(i * i % 1001)
	}
	return s
}

func writeIntegers(t *testing.T, n int, codec compress.Codec) string {
	t.Helper()
	rows := make([]innerData, n)
	for i, x := range integers(n) {
		rows[i].X = x
	}
	var b bytes.Buffer
	ok(t, parquet.Write(&b, rows, parquet.Compression(codec)))
	return create(t, "x.parquet", b.Bytes())
}
