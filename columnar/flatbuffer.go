package columnar

import "encoding/binary"

// flatbuffer reads the metadata of Arrow files, which are tables in the format FlatBuffers. A position
// beyond the buffer sets damaged and reads as 0, so that callers check once at the end.
type flatbuffer struct {
	b       []byte
	damaged bool
	fields  int // how many fields of schemas have been read
}

// bytes returns n bytes from position at on, or zeros if the buffer has fewer.
func (f *flatbuffer) bytes(at, n int) []byte {
	if at < 0 || n < 0 || n > len(f.b) || at > len(f.b)-n {
		f.damaged = true
		return make([]byte, min(max(n, 0), 8))
	}
	return f.b[at : at+n]
}

func (f *flatbuffer) uint8(at int) uint8   { return f.bytes(at, 1)[0] }
func (f *flatbuffer) uint16(at int) uint16 { return binary.LittleEndian.Uint16(f.bytes(at, 2)) }
func (f *flatbuffer) int32(at int) int32   { return int32(binary.LittleEndian.Uint32(f.bytes(at, 4))) }
func (f *flatbuffer) int64(at int) int64   { return int64(binary.LittleEndian.Uint64(f.bytes(at, 8))) }

// follow returns the position to which the offset at a position points.
func (f *flatbuffer) follow(at int) int { return at + int(uint32(f.int32(at))) }

// field returns the position of a field of a table, or 0 if the table does not have it.
func (f *flatbuffer) field(table, number int) int {
	offsets := table - int(f.int32(table))
	entry := 4 + 2*number
	if entry+2 > int(f.uint16(offsets)) {
		return 0
	}
	if at := f.uint16(offsets + entry); at != 0 {
		return table + int(at)
	}
	return 0
}

// table returns the position of the table in a field, or 0.
func (f *flatbuffer) table(table, number int) int {
	if at := f.field(table, number); at != 0 {
		return f.follow(at)
	}
	return 0
}

// vector returns the position and the number of the elements in a field, each of which has size bytes.
func (f *flatbuffer) vector(table, number, size int) (at, n int) {
	if at = f.table(table, number); at == 0 {
		return 0, 0
	}
	n = int(uint32(f.int32(at)))
	if n > (len(f.b)-at-4)/size {
		f.damaged = true
		return 0, 0
	}
	return at + 4, n
}

// text returns the string in a field.
func (f *flatbuffer) text(table, number int) string {
	at, n := f.vector(table, number, 1)
	return string(f.bytes(at, n))
}

// The numbers in fields. A table does not have fields that are the default.

func (f *flatbuffer) uint8Field(table, number int) uint8 {
	if at := f.field(table, number); at != 0 {
		return f.uint8(at)
	}
	return 0
}

func (f *flatbuffer) int32Field(table, number int, byDefault int32) int32 {
	if at := f.field(table, number); at != 0 {
		return f.int32(at)
	}
	return byDefault
}

func (f *flatbuffer) int64Field(table, number int) int64 {
	if at := f.field(table, number); at != 0 {
		return f.int64(at)
	}
	return 0
}

// enum returns the enumeration in field 0.
func (f *flatbuffer) enum(table int, byDefault int16) int16 {
	if at := f.field(table, 0); at != 0 {
		return int16(f.uint16(at))
	}
	return byDefault
}
