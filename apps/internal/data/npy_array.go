package data

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/data/input"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
)

// Element is the type of an array's elements.
type Element interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// ReadArray reads the .npy called name, of any rank and element type, or reads o.Stdin
// if name is "-". It returns the elements in C order, in which the last index changes
// fastest.
func ReadArray[T Number](ctx context.Context, name string, o Options) (elements []T, shape []int, err error) {
	o.Format = NPY
	f, err := Open(ctx, name, o)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	elements, shape, err = readArray[T](f)
	return elements, shape, f.Wrap(err)
}

// ArrayHeader is what the header of a .npy says of its data.
type ArrayHeader struct {
	Type    string // of an element, as in NumPy, such as "<i2"
	Shape   []int
	Fortran bool  // the first index changes fastest, not the last
	Offset  int64 // the length of the header in bytes
}

// ReadArrayHeader reads the header of the .npy in r, whose name errors contain. It returns nil if r does
// not begin as a .npy.
func ReadArrayHeader(r io.ReaderAt, name string) (*ArrayHeader, error) {
	section := io.NewSectionReader(r, 0, math.MaxInt64)
	f := &File{File: &input.File{Reader: bufio.NewReader(section), Label: name}}
	if !f.Starts(npyMagic) {
		return nil, nil
	}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	read, err := section.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	d := f.npy.Descr
	return &ArrayHeader{d.Type, d.Shape, d.Fortran, read - int64(f.Buffered())}, nil
}

// Array is the data of a .npy of rank 2 on disk, of which any part can be read. Its bytes are those of the
// elements in this machine's order.
type Array struct {
	*io.SectionReader
	Rows, Cols int
	file       *os.File
}

// Bytes returns the size of the data.
func (a *Array) Bytes() int64 { return a.Size() }

// Close closes the file.
func (a *Array) Close() error { return a.file.Close() }

// Array returns the data of the file if they can be read in any order as they are: those of a .npy of rank 2
// in C order and in this machine's order of bytes, in a regular file that is not compressed. Otherwise it
// returns nil.
func (f *File) Array() (*Array, error) {
	h := f.npy
	if h == nil || !h.native || h.Descr.Fortran || len(h.Descr.Shape) != 2 || f.File.Bytes == 0 {
		return nil, nil
	}
	rows, cols := h.Descr.Shape[0], h.Descr.Shape[1]
	if rows <= 0 || cols <= 0 || rows > math.MaxInt/8/cols {
		return nil, nil // Decode says what is wrong
	}
	file, err := os.Open(f.Label)
	if err != nil {
		return nil, f.Wrap(err)
	}
	header, err := ReadArrayHeader(file, f.Label)
	if err != nil || header == nil {
		return nil, errors.Join(err, file.Close())
	}
	n := int64(rows) * int64(cols) * int64(h.size)
	switch have := f.File.Bytes - header.Offset; {
	case have < n:
		return nil, errors.Join(f.Errorf("shape %v of %s needs %d bytes of data: it ends after %d",
			h.Descr.Shape, h.Descr.Type, n, have), file.Close())
	case have > n:
		return nil, errors.Join(f.moreData(rows*cols), file.Close())
	}
	return &Array{io.NewSectionReader(file, header.Offset, n), rows, cols, file}, nil
}

// readArray reads the data of a .npy whose header has been read.
func readArray[T Number](f *File) ([]T, []int, error) {
	h := f.npy
	shape, n := h.Descr.Shape, 1
	for _, s := range shape {
		if s < 0 || s > 0 && n > math.MaxInt/8/s {
			return nil, nil, f.Errorf("it is damaged: shape %v", shape)
		}
		n *= s
	}
	data, err := npyData[T](f, n, h)
	if err != nil {
		return nil, nil, f.Errorf("shape %v of %s needs %d bytes of data: %w", shape, h.Descr.Type, n*h.size, err)
	}
	if _, err := f.Peek(1); err == nil {
		return nil, nil, f.moreData(n)
	} else if err != io.EOF {
		return nil, nil, err
	}
	if h.Descr.Fortran {
		data = fromFortran(data, shape)
	}
	return data, slices.Clone(shape), nil
}

// fromFortran converts elements from Fortran order, in which the first index changes
// fastest, to C order.
func fromFortran[T any](data []T, shape []int) []T {
	out, index := make([]T, len(data)), make([]int, len(shape))
	for i := range out {
		at, stride := 0, 1
		for d, x := range index {
			at += x * stride
			stride *= shape[d]
		}
		out[i] = data[at]
		for d := len(index) - 1; d >= 0; d-- { // the next index in C order
			if index[d]++; index[d] < shape[d] {
				break
			}
			index[d] = 0
		}
	}
	return out
}

// WriteArray adds a .npy to a set of files, or writes it at once if files is nil. The
// elements are in C order, and their number must match the shape.
func WriteArray[T Element](files *output.Set, name string, elements []T, shape ...int) error {
	n := 1
	for _, s := range shape {
		n *= s
	}
	if n != len(elements) {
		return fmt.Errorf("%s: shape %v needs %d elements, not %d", name, shape, n, len(elements))
	}
	return files.Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, arrayHeader[T](shape)); err != nil {
			return err
		}
		return writeElements(w, elements)
	})
}

// writeElements writes elements in little-endian order. If that is the order of this machine,
// it writes their memory.
func writeElements[T Element](w io.Writer, elements []T) error {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return binary.Write(w, binary.LittleEndian, elements)
	}
	_, err := w.Write(devices.Bytes(elements))
	return err
}

// arrayHeader returns the header of a .npy of elements of type T, version 1.0.
func arrayHeader[T Element](shape []int) string {
	var zero T
	kind := "u"
	switch {
	case T(1)/2 != 0:
		kind = "f"
	case zero-1 < 0:
		kind = "i"
	}
	var dims []string
	for _, s := range shape {
		dims = append(dims, strconv.Itoa(s))
	}
	list := strings.Join(dims, ", ")
	if len(shape) == 1 {
		list += ","
	}
	order, size := "<", binary.Size(zero)
	if size == 1 {
		order = "|"
	}
	text := fmt.Sprintf("{'descr': '%s%s%d', 'fortran_order': False, 'shape': (%s), }", order, kind, size, list)
	const fixed = 10 // bytes before the text
	text += strings.Repeat(" ", 63-(fixed+len(text))%64) + "\n"
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
}
