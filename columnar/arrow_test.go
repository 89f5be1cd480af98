package columnar

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

var arrowFormats = []fileFormat{
	{"arrow", func(t testing.TB, d *data) string { return writeArrow(t, d) }},
	{"arrow, lz4", func(t testing.TB, d *data) string { return writeArrow(t, d, ipc.WithLZ4()) }},
	{"arrow, zstd", func(t testing.TB, d *data) string { return writeArrow(t, d, ipc.WithZstd()) }},
	{"arrow, partly zstd", func(t testing.TB, d *data) string { // random numbers are not compressed
		return writeArrow(t, d, ipc.WithZstd(), ipc.WithMinSpaceSavings(0.05))
	}},
}

// arrowSchema has types with different numbers of buffers before the numbers.
var arrowSchema = arrow.NewSchema([]arrow.Field{
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "none", Type: arrow.Null, Nullable: true},
	{Name: "i8", Type: arrow.PrimitiveTypes.Int8},
	{Name: "category", Type: &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String,
	}},
	{Name: "i16", Type: arrow.PrimitiveTypes.Int16},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	{Name: "fixed", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float32)},
	{Name: "i32", Type: arrow.PrimitiveTypes.Int32},
	{Name: "struct", Type: arrow.StructOf(
		arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		arrow.Field{Name: "views", Type: arrow.ListOf(arrow.BinaryTypes.StringView)},
	), Nullable: true},
	{Name: "i64", Type: arrow.PrimitiveTypes.Int64},
	{Name: "view", Type: arrow.BinaryTypes.StringView},
	{Name: "u8", Type: arrow.PrimitiveTypes.Uint8},
	{Name: "sparse", Type: arrow.SparseUnionOf([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int16}, {Name: "b", Type: arrow.BinaryTypes.LargeString},
	}, []arrow.UnionTypeCode{0, 1})},
	{Name: "u16", Type: arrow.PrimitiveTypes.Uint16},
	{Name: "dense", Type: arrow.DenseUnionOf([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int16}, {Name: "b", Type: arrow.BinaryTypes.Binary},
	}, []arrow.UnionTypeCode{0, 1})},
	{Name: "u32", Type: arrow.PrimitiveTypes.Uint32},
	{Name: "runs", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64)},
	{Name: "map", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int8)},
	{Name: "u64", Type: arrow.PrimitiveTypes.Uint64},
	{Name: "flag", Type: arrow.FixedWidthTypes.Boolean},
	{Name: "f16", Type: arrow.FixedWidthTypes.Float16},
	{Name: "f32", Type: arrow.PrimitiveTypes.Float32},
	{Name: "decimal", Type: &arrow.Decimal128Type{Precision: 10, Scale: 2}},
	{Name: "f64", Type: arrow.PrimitiveTypes.Float64},
	{Name: "bytes", Type: &arrow.FixedSizeBinaryType{ByteWidth: 3}},
	{Name: "list view", Type: arrow.ListViewOf(arrow.PrimitiveTypes.Int8)},
	{Name: "when", Type: arrow.FixedWidthTypes.Timestamp_us},
	{Name: "date", Type: arrow.FixedWidthTypes.Date32},
	{Name: "time", Type: arrow.FixedWidthTypes.Time32ms},
	{Name: "month", Type: arrow.FixedWidthTypes.MonthInterval},
	{Name: "maybe", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

// writeArrow writes data in record batches.
func writeArrow(t testing.TB, d *data, opts ...ipc.Option) string {
	t.Helper()
	values := array.NewStringBuilder(memory.DefaultAllocator)
	values.AppendValues([]string{"a", "b"}, nil)
	categories := values.NewStringArray()
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, append(opts, ipc.WithSchema(arrowSchema))...)
	ok(t, err)
	first := 0
	for _, n := range d.lengths {
		r := array.NewRecordBuilder(memory.DefaultAllocator, arrowSchema)
		ok(t, r.Field(3).(*array.BinaryDictionaryBuilder).InsertStringDictValues(categories)) // the same in all batches
		for i := first; i < first+n; i++ {
			for j, f := range arrowSchema.Fields() {
				d.appendArrow(r.Field(j), f.Name, i)
			}
		}
		ok(t, w.Write(r.NewRecordBatch()))
		first += n
	}
	ok(t, w.Close())
	return create(t, "data.arrow", b.Bytes())
}

// appendArrow appends the value of a row to a column.
func (d *data) appendArrow(b array.Builder, column string, i int) {
	text := []string{"", "a", "some text that is too long for a view"}[i%3]
	switch column {
	case "none":
		b.AppendNull()
	case "name", "view":
		if column == "name" && i%4 == 1 {
			b.AppendNull()
			return
		}
		b.(array.StringLikeBuilder).Append(text)
	case "category":
		if err := b.(*array.BinaryDictionaryBuilder).AppendString("b"); err != nil {
			panic(err)
		}
	case "list", "list view", "fixed", "struct", "sparse", "dense", "runs", "map":
		d.appendNested(b, text, i)
	case "i8":
		b.(*array.Int8Builder).Append(d.ints8[i])
	case "i16":
		b.(*array.Int16Builder).Append(d.ints16[i])
	case "i32":
		b.(*array.Int32Builder).Append(d.ints32[i])
	case "i64":
		b.(*array.Int64Builder).Append(d.ints64[i])
	case "u8":
		b.(*array.Uint8Builder).Append(d.uints8[i])
	case "u16":
		b.(*array.Uint16Builder).Append(d.uints16[i])
	case "u32":
		b.(*array.Uint32Builder).Append(d.uints32[i])
	case "u64":
		b.(*array.Uint64Builder).Append(d.uints64[i])
	case "f16":
		b.(*array.Float16Builder).Append(float16.New(float32(d.ints8[i])))
	case "f32":
		b.(*array.Float32Builder).Append(d.floats[i])
	case "f64":
		b.(*array.Float64Builder).Append(d.doubles[i])
	case "maybe":
		if d.null[i] {
			b.AppendNull()
		} else {
			b.(*array.Float64Builder).Append(d.doubles[i])
		}
	case "flag":
		b.(*array.BooleanBuilder).Append(d.null[i])
	case "decimal":
		b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i)))
	case "bytes":
		b.(*array.FixedSizeBinaryBuilder).Append([]byte{1, 2, 3})
	case "when":
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(d.ints32[i]))
	case "date":
		b.(*array.Date32Builder).Append(arrow.Date32(d.uints16[i]))
	case "time":
		b.(*array.Time32Builder).Append(arrow.Time32(d.uints16[i]))
	case "month":
		b.(*array.MonthIntervalBuilder).Append(arrow.MonthInterval(i))
	default:
		panic(column)
	}
}

// appendNested appends to a column that has others inside.
func (d *data) appendNested(b array.Builder, text string, i int) {
	switch b := b.(type) {
	case *array.ListBuilder:
		if i%5 == 2 {
			b.AppendNull()
			return
		}
		b.Append(true)
		for k := range i % 4 {
			b.ValueBuilder().(*array.Int32Builder).Append(int32(k))
		}
	case *array.ListViewBuilder:
		b.AppendWithSize(true, 1)
		b.ValueBuilder().(*array.Int8Builder).Append(int8(i))
	case *array.FixedSizeListBuilder:
		b.Append(true)
		b.ValueBuilder().(*array.Float32Builder).AppendValues([]float32{1, 2}, nil)
	case *array.StructBuilder:
		b.Append(true)
		b.FieldBuilder(0).(*array.Float64Builder).Append(d.doubles[i])
		views := b.FieldBuilder(1).(*array.ListBuilder)
		views.Append(true)
		views.ValueBuilder().(*array.StringViewBuilder).Append(text)
	case *array.SparseUnionBuilder:
		b.Append(0)
		b.Child(0).(*array.Int16Builder).Append(d.ints16[i])
		b.Child(1).AppendEmptyValue()
	case *array.DenseUnionBuilder:
		b.Append(1)
		b.Child(1).(*array.BinaryBuilder).Append([]byte(text))
	case *array.RunEndEncodedBuilder:
		b.Append(1)
		b.ValueBuilder().(*array.Int64Builder).Append(int64(i))
	case *array.MapBuilder:
		b.Append(true)
		b.KeyBuilder().(*array.StringBuilder).Append(text)
		b.ItemBuilder().(*array.Int8Builder).Append(1)
	default:
		panic(b.Type())
	}
}

func TestArrowColumns(t *testing.T) {
	columns, err := Columns(writeArrow(t, randomData(3)))
	ok(t, err)
	want := map[string]string{
		"name": "utf8", "none": "null", "category": "dictionary of utf8", "list": "list", "struct": "struct",
		"view":   "utf8_view",
		"sparse": "union", "runs": "run_end_encoded", "map": "map", "flag": "bool", "f16": "float16", "f64": "float64",
		"decimal": "decimal", "bytes": "fixed_size_binary", "when": "timestamp[us]", "date": "date[day]",
		"time": "time[ms]", "month": "interval", "u8": "uint8", "i64": "int64",
	}
	for i, f := range arrowSchema.Fields() {
		if columns[i].Name != f.Name {
			t.Errorf("column %d is %s, want %s", i, columns[i].Name, f.Name)
		}
		if w := want[f.Name]; w != "" && columns[i].Type != w {
			t.Errorf("column %s is of type %s, want %s", f.Name, columns[i].Type, w)
		}
	}
}

func TestFloat16(t *testing.T) {
	d := randomData(5, 300)
	name := writeArrow(t, d)
	testColumn(t, name, "f16", converted[float32](d.ints8))
	testColumn(t, name, "f16", converted[float64](d.ints8))
	_, err := Vector[int32](name, "f16", On(cpu()))
	wantError(t, "as int32", err, `column "f16" is float16, which int32 cannot hold exactly: read it as float32`)
	for bits := range 1 << 15 {
		exponent, mantissa := bits>>10, float64(bits&1023)
		want := math.Ldexp(1024+mantissa, exponent-25)
		switch {
		case exponent == 0:
			want = math.Ldexp(mantissa, -24)
		case exponent == 31 && mantissa == 0:
			want = math.Inf(1)
		case exponent == 31:
			want = math.NaN()
		}
		for sign, want := range map[int]float64{0: want, 1 << 15: -want} {
			got := float64(halfToFloat(uint16(bits + sign)))
			if math.IsNaN(want) != math.IsNaN(got) || want == want && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%#x is %v, want %v", bits+sign, got, want)
			}
		}
	}
}

// TestArrowEndian opens a file in the other order of bytes.
func TestArrowEndian(t *testing.T) {
	x := arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int32}
	schema := arrow.NewSchemaWithEndian([]arrow.Field{x}, nil, 1-arrowSchema.Endianness())
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, ipc.WithSchema(schema))
	ok(t, err)
	ok(t, w.Close())
	_, err = Columns(create(t, "other.arrow", b.Bytes()))
	wantError(t, "the other order", err, "its bytes are in another order than this machine's")
}

// TestArrowUnknownType: after a column of an unknown type, nobody knows where the values of columns are.
func TestArrowUnknownType(t *testing.T) {
	c := arrowCursor{version: arrowV5}
	c.pass(&arrowField{Column: Column{Name: "known"}, kind: arrowFloat})
	if c.lost != "" || c.buffer != 2 {
		t.Errorf("after a known column: %+v", c)
	}
	for _, name := range []string{"new", "later"} {
		c.pass(&arrowField{Column: Column{Name: name}})
	}
	if c.lost != "new" {
		t.Errorf("the first unknown column is %q", c.lost)
	}
}

// TestArrowSameNames opens a file whose columns have the same name.
func TestArrowSameNames(t *testing.T) {
	x := arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int32}
	schema := arrow.NewSchema([]arrow.Field{x, x}, nil)
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, ipc.WithSchema(schema))
	ok(t, err)
	r := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	r.Field(0).(*array.Int32Builder).AppendValues([]int32{1, 2}, nil)
	r.Field(1).(*array.Int32Builder).AppendValues([]int32{3, 4}, nil)
	ok(t, w.Write(r.NewRecordBatch()))
	ok(t, w.Close())
	name := create(t, "same.arrow", b.Bytes())
	_, err = Vector[int32](name, "x", On(cpu()))
	wantError(t, "a vector", err, `several columns are named "x"`)
	m, err := Matrix[int32](name, nil, On(cpu()))
	ok(t, err)
	if got, err := m.Host(); err != nil || !slices.Equal(got, []int32{1, 3, 2, 4}) {
		t.Errorf("all columns: %v, %v", got, err)
	}
}
