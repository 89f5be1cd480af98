package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/skelgo/skelgo/devices/driver"
)

// arrowFile is a file in the Arrow IPC file format. Only its metadata are read when it is opened.
type arrowFile struct {
	r       io.ReaderAt
	fields  []arrowField
	cols    []Column
	blocks  []arrowBlock
	batches [][]arrowColumn // by batch and column; only columns that are used are set
	cache   *cache
}

// arrowColumn is a column of a record batch.
type arrowColumn struct {
	rows, nulls   int
	valid, values span
	codec         arrowCodec
}

// span is a range of bytes of the file.
type span struct{ at, n int64 }

// arrowCodec is how the buffers of a record batch are compressed.
type arrowCodec int8

const (
	arrowLZ4  arrowCodec = 0
	arrowZstd arrowCodec = 1
	arrowRaw  arrowCodec = -1
)

var errArrowDamaged = errors.New("it is damaged, or cut off: its metadata cannot be decoded")

// readAt fills p with the bytes of r from offset at on.
func readAt(r io.ReaderAt, p []byte, at int64) error {
	err := driver.ReadAt(r, p, at)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it is cut off: %w", err)
	}
	return err
}

func (f *arrowFile) columns() []Column { return f.cols }

func (f *arrowFile) nulls(column, chunk int) int { return f.batches[chunk][column].nulls }

func (f *arrowFile) use(columns []int) ([]int, error) {
	rows := make([]int, len(f.blocks))
	f.batches = make([][]arrowColumn, len(f.blocks))
	for i, b := range f.blocks {
		var err error
		if f.batches[i], rows[i], err = f.readBatch(b, columns); err != nil {
			return nil, fmt.Errorf("record batch %d: %w", i, err)
		}
	}
	f.cache = newCache(decodedLimit, 2*len(columns))
	return rows, nil
}

func (f *arrowFile) read(column, chunk, first int, dst []byte) ([]int, error) {
	c, size := &f.batches[chunk][column], f.cols[column].storage.size()
	if c.codec != arrowRaw {
		d, err := f.cache.get(place{column, chunk}, func() (decoded, error) { return f.decompress(c, size) })
		if err != nil {
			return nil, fmt.Errorf("record batch %d: %w", chunk, err)
		}
		return d.from(first, size, dst), nil
	}
	if err := readAt(f.r, dst, c.values.at+int64(first*size)); err != nil {
		return nil, err
	}
	if c.nulls == 0 {
		return nil, nil
	}
	n := len(dst) / size
	bits := make([]byte, (first+n+7)/8-first/8)
	if err := readAt(f.r, bits, c.valid.at+int64(first/8)); err != nil {
		return nil, err
	}
	return unset(bits, first%8, n), nil
}

// decompress decodes a column of a record batch.
func (f *arrowFile) decompress(c *arrowColumn, size int) (d decoded, err error) {
	if d.values, err = f.decompressBuffer(c.codec, c.values, c.rows*size); err == nil && c.nulls > 0 {
		d.valid, err = f.decompressBuffer(c.codec, c.valid, (c.rows+7)/8)
	}
	return d, err
}

// decompressBuffer returns the first n bytes of a buffer, which begins with its length, or with -1 if it is not
// compressed.
func (f *arrowFile) decompressBuffer(codec arrowCodec, s span, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	b := make([]byte, s.n)
	if err := readAt(f.r, b, s.at); err != nil {
		return nil, err
	}
	length, data := int64(binary.LittleEndian.Uint64(b)), bytes.NewReader(b[8:])
	if length != -1 && length < int64(n) {
		return nil, errArrowDamaged
	}
	var r io.Reader
	switch {
	case length == -1:
		r = data
	case codec == arrowLZ4:
		r = lz4.NewReader(data)
	default:
		z, err := zstd.NewReader(data, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	}
	result := driver.Bytes(make([]uint64, (n+7)/8))[:n] // aligned for every type
	if _, err := io.ReadFull(r, result); err != nil {
		return nil, fmt.Errorf("it is damaged: decompressing: %w", err)
	}
	return result, nil
}
