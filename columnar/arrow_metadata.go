package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// The metadata of Arrow files are described by Schema.fbs, Message.fbs and File.fbs of the format. Tables in
// them are numbered fields, so each function names those that it reads.

// arrowField is the type of a column, or of what is nested in it.
type arrowField struct {
	Column
	kind     byte // of arrowTypes
	mode     int16
	children []arrowField
	encoded  bool // by a dictionary
}

// arrowBlock is where a record batch is in the file.
type arrowBlock struct {
	at, meta, body int64
}

// arrowTypes are the types in the order of their numbers, with the buffers that an array has.
var arrowTypes = [...]struct {
	name    string
	buffers int
}{
	{"", 0},
	{"null", 0},
	{"int", 2},
	{"float", 2},
	{"binary", 3},
	{"utf8", 3},
	{"bool", 2},
	{"decimal", 2},
	{"date", 2},
	{"time", 2},
	{"timestamp", 2},
	{"interval", 2},
	{"list", 2},
	{"struct", 1},
	{"union", 1}, // and the offsets of a dense one
	{"fixed_size_binary", 2},
	{"fixed_size_list", 1},
	{"map", 2},
	{"duration", 2},
	{"large_binary", 3},
	{"large_utf8", 3},
	{"large_list", 2},
	{"run_end_encoded", 0},
	{"binary_view", 2}, // and a variable number
	{"utf8_view", 2},   // and a variable number
	{"list_view", 3},
	{"large_list_view", 3},
}

// Types that are read in a special way.
const (
	arrowInt       = 2
	arrowFloat     = 3
	arrowDate      = 8
	arrowTime      = 9
	arrowTimestamp = 10
	arrowUnion     = 14
	arrowDuration  = 18
	arrowBinView   = 23
	arrowUtf8View  = 24
)

// arrowV5 is the version of the metadata since Arrow 1.0, of 2020.
const arrowV5 = 4

// openArrow reads the footer of a file: its schema, and where the record batches are.
func openArrow(r io.ReaderAt, size int64) (*arrowFile, error) {
	const end = 4 + int64(len(arrowMagic))
	length := make([]byte, 4)
	if size < end+8 {
		return nil, errArrowDamaged
	}
	if err := readAt(r, length, size-end); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(length))
	if n > size-end-8 {
		return nil, errArrowDamaged
	}
	m := &flatbuffer{b: make([]byte, n)}
	if err := readAt(r, m.b, size-end-n); err != nil {
		return nil, err
	}
	f := &arrowFile{r: r}

	// Footer: 0 version, 1 schema, 3 record batches. Schema: 0 endianness, 1 fields.
	footer := m.follow(0)
	schema := m.table(footer, 1)
	if schema == 0 {
		return nil, errArrowDamaged
	}
	if m.enum(footer, 0) < arrowV5-1 {
		return nil, errors.New("it was written by Arrow before version 0.8; save it again")
	}
	if big := m.enum(schema, 0) != 0; big != (binary.NativeEndian.Uint16([]byte{0, 1}) == 1) {
		return nil, errors.New("its bytes are in another order than this machine's; save it again on this machine")
	}
	f.fields = readArrowFields(m, schema, 1, 0)
	at, count := m.vector(footer, 3, 24)
	for i := range count {
		b := at + 24*i
		block := arrowBlock{m.int64(b), int64(m.int32(b + 8)), m.int64(b + 16)}
		if block.at < 0 || block.meta < 8 || block.body < 0 || block.at > size ||
			block.meta > size-block.at || block.body > size-block.at-block.meta {
			return nil, errArrowDamaged
		}
		f.blocks = append(f.blocks, block)
	}
	if m.damaged {
		return nil, errArrowDamaged
	}
	for _, field := range f.fields {
		f.cols = append(f.cols, field.Column)
	}
	return f, nil
}

// readArrowFields reads the Fields in a field of a table: 0 name, 2 number of the type, 3 type, 4 dictionary,
// 5 children.
func readArrowFields(m *flatbuffer, table, number, depth int) []arrowField {
	const deepest = 64
	at, n := m.vector(table, number, 4)
	if m.fields += n; depth > deepest || m.fields > len(m.b) { // many may be the same one
		m.damaged = true
		return nil
	}
	var fields []arrowField
	for i := range n {
		t := m.follow(at + 4*i)
		f := arrowField{kind: m.uint8Field(t, 2), encoded: m.field(t, 4) != 0}
		f.Name = m.text(t, 0)
		if f.kind == 0 || int(f.kind) >= len(arrowTypes) {
			f.Type = fmt.Sprintf("number %d, which is newer than this program", f.kind)
			f.kind = 0
		} else {
			f.Type = arrowTypes[f.kind].name
			f.readType(m, m.table(t, 3))
		}
		if f.encoded {
			f.Type = "dictionary of " + f.Type
			f.number, f.Numeric = notANumber, false
		} else {
			f.children = readArrowFields(m, t, 5, depth+1)
		}
		f.storage = f.number
		if fields = append(fields, f); m.damaged {
			return nil
		}
	}
	return fields
}

// readType reads the table of a type.
func (f *arrowField) readType(m *flatbuffer, t int) {
	units := [...]string{"s", "ms", "us", "ns"}
	unit := func(fallback int16) string {
		if u := m.enum(t, fallback); u >= 0 && int(u) < len(units) {
			return fmt.Sprintf("%s[%s]", f.Type, units[u])
		}
		return f.Type
	}
	switch f.kind {
	case arrowInt: // 0 bits, 1 signed
		signed := m.uint8Field(t, 1) != 0
		for n := int8s; n <= uint64s; n++ {
			if numbers[n].signed == signed && numbers[n].size*8 == int(m.int32Field(t, 0, 0)) {
				f.number = n
			}
		}
	case arrowFloat: // 0 precision
		if p := m.enum(t, 0); p >= 0 && p <= 2 {
			f.number = float16s + number(p)
		}
	case arrowDate: // 0 unit: days, or milliseconds
		if f.number, f.Type = int32s, "date[day]"; m.enum(t, 1) != 0 {
			f.number, f.Type = int64s, "date[ms]"
		}
		return
	case arrowTime: // 0 unit, 1 bits
		if f.number = int32s; m.int32Field(t, 1, 32) != 32 {
			f.number = int64s
		}
		f.Type = unit(1)
		return
	case arrowTimestamp: // 0 unit
		f.number, f.Type = int64s, unit(0)
		return
	case arrowDuration: // 0 unit
		f.number, f.Type = int64s, unit(1)
		return
	case arrowUnion: // 0 mode: sparse, or dense
		f.mode = m.enum(t, 0)
	}
	if f.number != notANumber {
		f.Type, f.Numeric = f.number.String(), true
	}
}

// arrowCursor counts what the arrays of a record batch have, in the order of the schema.
type arrowCursor struct {
	version                 int16
	node, buffer, variadics int
	variadic                func(i int) int64
	lost                    string // the first field of an unknown type, after which nothing is found
}

// pass moves the cursor beyond the array of a field.
func (c *arrowCursor) pass(f *arrowField) {
	c.node++
	switch {
	case f.kind == 0 && !f.encoded && c.lost == "":
		c.lost = f.Name
	case f.encoded: // the indexes
		c.buffer += 2
		return
	case f.kind == arrowUnion:
		c.buffer += 1 + int(f.mode)
		if c.version < arrowV5 {
			c.buffer++
		}
	case f.kind == arrowBinView || f.kind == arrowUtf8View:
		c.buffer += 2 + int(c.variadic(c.variadics))
		c.variadics++
	default:
		c.buffer += arrowTypes[f.kind].buffers
	}
	for i := range f.children {
		c.pass(&f.children[i])
	}
}

// readBatch reads where columns of a record batch are.
func (f *arrowFile) readBatch(block arrowBlock, columns []int) (_ []arrowColumn, rows int, err error) {
	b := make([]byte, block.meta)
	if err := readAt(f.r, b, block.at); err != nil {
		return nil, 0, err
	}
	prefix := 4 // the length, which follows -1 since Arrow 0.15
	if binary.LittleEndian.Uint32(b) == 0xffffffff {
		prefix = 8
	}
	m := &flatbuffer{b: b[prefix:]}

	// Message: 0 version, 1 number of the header's type, 2 header. RecordBatch: 0 length, 1 nodes,
	// 2 buffers, 3 compression, 4 variadic buffers. BodyCompression: 0 codec.
	message := m.follow(0)
	batch := m.table(message, 2)
	if m.uint8Field(message, 1) != 3 || batch == 0 {
		return nil, 0, errArrowDamaged
	}
	rows = int(m.int64Field(batch, 0))
	codec := arrowRaw
	if t := m.table(batch, 3); t != 0 {
		codec = arrowCodec(m.uint8Field(t, 0))
	}
	if codec > arrowZstd {
		return nil, 0, fmt.Errorf("it is compressed by method %d, which is unknown", codec)
	}
	nodes, nodeCount := m.vector(batch, 1, 16)
	buffers, bufferCount := m.vector(batch, 2, 16)
	variadics, variadicCount := m.vector(batch, 4, 8)
	cursor := arrowCursor{version: m.enum(message, 0), variadic: func(i int) int64 {
		if i >= variadicCount {
			m.damaged = true
			return 0
		}
		return m.int64(variadics + 8*i)
	}}
	buffer := func(i int) span {
		s := span{m.int64(buffers + 16*i), m.int64(buffers + 16*i + 8)}
		if i >= bufferCount || s.at < 0 || s.n < 0 || s.at > block.body || s.n > block.body-s.at {
			m.damaged = true
		}
		return span{block.at + block.meta + s.at, s.n}
	}
	used := make([]bool, len(f.fields))
	for _, c := range columns {
		used[c] = true
	}
	result := make([]arrowColumn, len(f.fields))
	for i := range f.fields {
		if used[i] && cursor.lost != "" {
			return nil, 0, fmt.Errorf("column %q comes after %q, whose type is newer than this program, so it is "+
				"not known where its values are: write the file with the columns in another order",
				f.fields[i].Name, cursor.lost)
		}
		if used[i] && !m.damaged {
			at := nodes + 16*cursor.node
			c := arrowColumn{
				rows: int(m.int64(at)), nulls: int(m.int64(at + 8)),
				valid: buffer(cursor.buffer), values: buffer(cursor.buffer + 1), codec: codec,
			}
			if cursor.node >= nodeCount || !c.plausible(rows, f.cols[i].storage.size()) {
				m.damaged = true
			}
			result[i] = c
		}
		cursor.pass(&f.fields[i])
	}
	if m.damaged || rows < 0 {
		return nil, 0, errArrowDamaged
	}
	return result, rows, nil
}

// plausible reports whether the buffers of a column have room for its rows.
func (c *arrowColumn) plausible(rows, size int) bool {
	const most = math.MaxInt / 64 // rows, so that their bytes and bits can be counted
	if rows < 0 || rows > most || c.rows != rows || c.nulls < 0 || c.nulls > rows {
		return false
	}
	if c.codec != arrowRaw { // 8 bytes for the length
		return rows == 0 || c.values.n >= 8 && (c.nulls == 0 || c.valid.n >= 8)
	}
	return c.values.n >= int64(rows*size) && (c.nulls == 0 || c.valid.n >= int64((rows+7)/8))
}
