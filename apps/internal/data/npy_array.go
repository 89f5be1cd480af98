package data

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
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
	return DecodeArray[T](f)
}

// DecodeArray is ReadArray for a .npy that is open.
func DecodeArray[T Number](f *File) (elements []T, shape []int, err error) {
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

// Array is the data of a .npy on disk, of which any part can be read.
type Array struct {
	Shape      []int
	Rows, Cols int // the first dimension, and the product of the others

	io.Closer
	stored io.ReaderAt // the elements
	file   *File
}

// Array returns the data of the file if they can be read in any order, and are those that Decode or DecodeArray would
// return: those of a .npy in C order, in a regular file that is not compressed, if the options leave nothing
// out and the rank is one of those given. Otherwise it returns nil.
func (f *File) Array(ranks ...int) (*Array, error) {
	h, o := f.npy, f.options
	if h == nil || h.Descr.Fortran || !slices.Contains(ranks, len(h.Descr.Shape)) || f.Bytes == 0 {
		return nil, nil
	}
	if len(o.Columns) > 0 || len(o.Ignore) > 0 || o.AllowNonFinite {
		return nil, nil
	}
	n, err := f.elements()
	if n == 0 || err != nil {
		return nil, nil //nolint:nilerr // Decode and DecodeArray say what is wrong
	}
	file, err := os.Open(f.Label)
	if err != nil {
		return nil, err
	}
	header, err := ReadArrayHeader(file, f.Label)
	if err != nil || header == nil {
		_ = file.Close()
		return nil, cmp.Or(err, f.Errorf("it has changed"))
	}
	size := int64(n) * int64(h.size)
	switch has := f.Bytes - header.Offset; {
	case has < size:
		err = f.tooShort(n, fmt.Errorf("it ends after %d", has))
	case has > size:
		err = f.moreData(n)
	}
	if err != nil {
		_ = file.Close()
		return nil, f.Wrap(err)
	}
	shape := slices.Clone(h.Descr.Shape)
	return &Array{shape, shape[0], n / shape[0], file, io.NewSectionReader(file, header.Offset, size), f}, nil
}

// elements returns the number of elements of a .npy.
func (f *File) elements() (int, error) {
	n := 1
	for _, s := range f.npy.Descr.Shape {
		if s < 0 || s > 0 && n > math.MaxInt/8/s {
			return 0, f.Errorf("it is damaged: shape %v", f.npy.Descr.Shape)
		}
		n *= s
	}
	return n, nil
}

// tooShort returns the error for a file whose n elements cannot be read.
func (f *File) tooShort(n int, err error) error {
	h := f.npy
	return f.Errorf("shape %v of %s needs %d bytes of data: %w", h.Descr.Shape, h.Descr.Type, n*h.size, err)
}

// Bits returns the bits of floats that hold all elements, as [File.Bits] does.
func (a *Array) Bits() int { return a.file.Bits() }

// Bytes returns the size of the elements as numbers of type T.
func Bytes[T Number](a *Array) int64 { return int64(a.Rows) * int64(a.Cols) * int64(binary.Size(T(0))) }

// Elements returns the memory of the elements of an array, converted to T.
func Elements[T Number](a *Array) io.ReaderAt {
	if stores[T](a.file.npy) {
		return a.stored
	}
	return converted[T]{a.stored, a.file.npy}
}

// converted reads the elements of a .npy as elements of type T.
type converted[T Number] struct {
	stored io.ReaderAt
	header *npyHeader
}

// ReadAt reads the elements that hold the bytes.
func (c converted[T]) ReadAt(p []byte, off int64) (n int, err error) {
	size, storedSize := int64(binary.Size(T(0))), int64(c.header.size)
	first, end := off/size, (off+int64(len(p))+size-1)/size
	skip := int(off - first*size) // bytes of the first element
	stored := make([]byte, min(blockElements, end-first)*storedSize)
	block, elements := make([]float64, len(stored)/c.header.size), make([]T, len(stored)/c.header.size)
	for ; first < end; first += int64(len(block)) {
		block = block[:min(int64(len(block)), end-first)]
		part := stored[:len(block)*c.header.size]
		if got, err := c.stored.ReadAt(part, first*storedSize); got < len(part) {
			return n, err
		}
		if err := c.header.decode(block, part); err != nil {
			return n, err
		}
		for i, v := range block {
			elements[i] = T(v)
		}
		n += copy(p[n:], devices.Bytes(elements[:len(block)])[skip:])
		skip = 0
	}
	return n, nil
}

// ReadRows reads len(dst)/a.Cols rows, from row first on.
func ReadRows[T Number](a *Array, first int, dst []T) error {
	p := devices.Bytes(dst)
	if n, err := Elements[T](a).ReadAt(p, int64(first)*int64(a.Cols)*int64(binary.Size(T(0)))); n < len(p) {
		return a.file.Errorf("row %d (from 0): %w", first, err)
	}
	return nil
}

// CheckFinite returns the error of Decode for the first number of rows lo to hi-1 that is NaN or infinite.
func CheckFinite[T Number](a *Array, lo, hi int) error {
	const most = 1 << 17 // numbers that are read at a time
	block := make([]T, a.Cols*max(1, min(hi-lo, most/max(1, a.Cols))))
	for lo < hi && a.Cols > 0 {
		rows := block[:min(len(block), (hi-lo)*a.Cols)]
		if err := ReadRows(a, lo, rows); err != nil {
			return err
		}
		for i, v := range rows {
			if v-v != 0 {
				return notFinite(a.file, lo+i/a.Cols, i%a.Cols, v)
			}
		}
		lo += len(rows) / a.Cols
	}
	return nil
}

// readArray reads the data of a .npy whose header has been read.
func readArray[T Number](f *File) ([]T, []int, error) {
	h := f.npy
	n, err := f.elements()
	if err != nil {
		return nil, nil, err
	}
	data, err := npyData[T](f, n, h)
	if err != nil {
		return nil, nil, f.tooShort(n, err)
	}
	if _, err := f.Peek(1); err == nil {
		return nil, nil, f.moreData(n)
	} else if err != io.EOF {
		return nil, nil, err
	}
	if h.Descr.Fortran {
		data = fromFortran(data, h.Descr.Shape)
	}
	return data, slices.Clone(h.Descr.Shape), nil
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
