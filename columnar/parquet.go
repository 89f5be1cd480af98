package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/skelgo/skelgo/devices/driver"
)

// parquetFile is a Parquet file. Only its metadata are read when it is opened.
type parquetFile struct {
	file   *parquet.File
	groups []parquet.RowGroup
	cols   []Column
	leaves []*parquet.Column // of the columns
	cache  *cache
}

var errParquetDamaged = errors.New("it is damaged, or cut off: it is shorter than its footer")

func openParquet(r io.ReaderAt, size int64) (*parquetFile, error) {
	const end = 4 + int64(len(parquetMagic))
	length := make([]byte, 4) // of the footer, which the library allocates before it reads it
	if size < end+int64(len(parquetMagic)) {
		return nil, errParquetDamaged
	}
	if err := readAt(r, length, size-end); err != nil {
		return nil, err
	}
	if int64(binary.LittleEndian.Uint32(length)) > size-end {
		return nil, errParquetDamaged
	}
	return recovered(func() (*parquetFile, error) {
		file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			return nil, fmt.Errorf("unreadable Parquet file: %w", err)
		}
		f := &parquetFile{file: file, groups: file.RowGroups()}
		var elements []*format.SchemaElement // of the leaves
		for i := range file.Metadata().Schema {
			if e := &file.Metadata().Schema[i]; e.Type.Valid {
				elements = append(elements, e)
			}
		}
		f.addLeaves(file.Root(), elements)
		return f, nil
	})
}

// addLeaves adds the columns below a node of the schema.
func (f *parquetFile) addLeaves(node *parquet.Column, elements []*format.SchemaElement) {
	if !node.Leaf() {
		for _, child := range node.Columns() {
			f.addLeaves(child, elements)
		}
		return
	}
	c := Column{Name: strings.Join(node.Path(), "."), Type: node.Type().String()}
	if node.MaxRepetitionLevel() > 0 {
		c.Type = "list of " + c.Type
	} else {
		c.number, c.storage, c.Numeric = parquetNumber(node.Type(), elements[node.Index()])
	}
	if c.Numeric {
		c.Type = c.number.String()
	}
	f.cols, f.leaves = append(f.cols, c), append(f.leaves, node)
}

// parquetNumber returns the type of the numbers in a column, and of the values that pages hold. Small integers
// are stored as 32 bits. Numbers that are only the storage of dates and times do not count as numeric.
func parquetNumber(t parquet.Type, e *format.SchemaElement) (n, storage number, numeric bool) {
	if _, ok := e.LogicalType.Value.(*format.Float16Type); ok {
		return float16s, float16s, t.Kind() == parquet.FixedLenByteArray && t.Length() == 2
	}
	switch t.Kind() {
	case parquet.Float:
		return float32s, float32s, true
	case parquet.Double:
		return float64s, float64s, true
	case parquet.Int32:
		storage = int32s
	case parquet.Int64:
		storage = int64s
	default:
		return notANumber, notANumber, false
	}
	lt := t.LogicalType()
	if lt == nil || lt.Value == nil {
		return storage, storage, t.ConvertedType() == nil
	}
	switch l := lt.Value.(type) {
	case *format.IntType:
		for n := int8s; n <= uint64s; n++ {
			if numbers[n].signed == l.IsSigned && 8*n.size() == int(l.BitWidth) && n.size() <= storage.size() {
				if n == uint32s || n == uint64s {
					storage = n
				}
				return n, storage, true
			}
		}
		return notANumber, notANumber, false
	case *format.DateType, *format.TimeType, *format.TimestampType:
		return storage, storage, false
	default: // a decimal
		return notANumber, notANumber, false
	}
}

func (f *parquetFile) columns() []Column { return f.cols }

func (f *parquetFile) use(columns []int) ([]int, error) {
	rows := make([]int, len(f.groups))
	for i, g := range f.groups {
		rows[i] = int(g.NumRows())
		if have := len(g.ColumnChunks()); have != len(f.leaves) {
			return nil, fmt.Errorf("it is damaged: row group %d has %d columns, not %d", i, have, len(f.leaves))
		}
	}
	for i, g := range f.file.Metadata().RowGroups {
		for _, c := range columns {
			m := &g.Columns[c].MetaData
			err := checkCodec(m.Codec)
			if err == nil && m.NumValues != g.NumRows { // or a wrong number of rows would be allocated
				err = fmt.Errorf("it is damaged: there are %d of %d values", m.NumValues, g.NumRows)
			}
			if err != nil {
				return nil, fmt.Errorf("column %q: row group %d: %w", f.cols[c].Name, i, err)
			}
		}
	}
	f.cache = newCache(decodedLimit, 2*len(columns))
	return rows, nil
}

// checkCodec returns an error if pages cannot be decompressed. LZ4_RAW is among the codecs of the library,
// which returns wrong values now and then: https://github.com/parquet-go/parquet-go/issues/608.
func checkCodec(codec format.CompressionCodec) error {
	switch codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd:
		return nil
	default:
		return fmt.Errorf("it is compressed with %v, which cannot be read: write the file with zstd or snappy", codec)
	}
}

func (f *parquetFile) nulls(column, chunk int) int {
	if f.leaves[column].MaxDefinitionLevel() == 0 {
		return 0
	}
	return int(f.file.Metadata().RowGroups[chunk].Columns[column].MetaData.Statistics.NullCount)
}

func (f *parquetFile) read(column, chunk, first int, dst []byte) (nulls []int, err error) {
	size := f.cols[column].storage.size()
	rows := int(f.groups[chunk].NumRows())
	if len(dst) == rows*size {
		valid, err := recovered(func() ([]byte, error) { return f.decode(column, chunk, dst) })
		if err != nil {
			return nil, fmt.Errorf("row group %d: %w", chunk, err)
		}
		if valid == nil {
			return nil, nil
		}
		return unset(valid, 0, rows), nil
	}
	d, err := f.cache.get(place{column, chunk}, func() (d decoded, err error) {
		d.values = driver.Bytes(make([]uint64, (rows*size+7)/8))[:rows*size]
		d.valid, err = f.decode(column, chunk, d.values)
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("row group %d: %w", chunk, err)
	}
	return d.from(first, size, dst), nil
}

// decode sets dst to all values of a row group, and returns which are valid, or nil if all are.
func (f *parquetFile) decode(column, chunk int, dst []byte) (valid []byte, err error) {
	size, most := f.cols[column].storage.size(), byte(f.leaves[column].MaxDefinitionLevel())
	rows, at := len(dst)/size, 0
	pages := f.groups[chunk].ColumnChunks()[column].Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	for at < rows {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("it is damaged, or cut off: there are %d of %d values", at, rows)
		}
		if err != nil {
			return nil, fmt.Errorf("it is damaged, or cut off: %w", err)
		}
		n, nulls := int(page.NumValues()), int(page.NumNulls())
		if n > rows-at {
			return nil, fmt.Errorf("it is damaged: there are more than %d values", rows)
		}
		to := dst[at*size : (at+n)*size]
		if nulls == 0 {
			err = copyPage(to, page, size)
		} else {
			if valid == nil {
				valid = make([]byte, (rows+7)/8)
				for i := range valid {
					valid[i] = 0xff
				}
			}
			present := driver.Bytes(make([]uint64, ((n-nulls)*size+7)/8))[:(n-nulls)*size]
			if err = copyPage(present, page, size); err == nil {
				spread(to, present, size, page.DefinitionLevels(), most, valid, at)
			}
		}
		parquet.Release(page)
		if err != nil {
			return nil, err
		}
		at += n
	}
	return valid, nil
}

// copyPage copies the values of a page that are not null.
func copyPage(dst []byte, page parquet.Page, size int) error {
	values := page.Data()
	data, _ := values.Data()
	dictionary := page.Dictionary()
	if dictionary == nil {
		if len(data) < len(dst) {
			return fmt.Errorf("it is damaged: a page has %d bytes of values, not %d", len(data), len(dst))
		}
		copy(dst, data)
		return nil
	}
	entries := dictionary.Page().Data()
	words, _ := entries.Data()
	indexes := values.Int32()
	if len(indexes) < len(dst)/size {
		return fmt.Errorf("it is damaged: a page has %d values, not %d", len(indexes), len(dst)/size)
	}
	switch size {
	case 4:
		return lookUp(driver.Slice[uint32](dst), driver.Slice[uint32](words), indexes)
	case 8:
		return lookUp(driver.Slice[uint64](dst), driver.Slice[uint64](words), indexes)
	default:
		return lookUp(driver.Slice[uint16](dst), driver.Slice[uint16](words), indexes)
	}
}

// lookUp sets dst to entries of a dictionary.
func lookUp[T uint16 | uint32 | uint64](dst, entries []T, indexes []int32) error {
	for i, x := range indexes[:len(dst)] {
		if uint(x) >= uint(len(entries)) {
			return fmt.Errorf("it is damaged: entry %d of a dictionary of %d", x, len(entries))
		}
		dst[i] = entries[x]
	}
	return nil
}

// spread copies values to the rows that are not null, those with the highest level, and clears the bits of the
// others in valid, from bit at on.
func spread(dst, values []byte, size int, levels []byte, highest byte, valid []byte, at int) {
	for i, level := range levels {
		if level == highest {
			copy(dst[i*size:(i+1)*size], values)
			values = values[size:]
		} else {
			valid[(at+i)/8] &^= 1 << ((at + i) % 8)
		}
	}
}
