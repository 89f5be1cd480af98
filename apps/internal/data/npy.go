package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"

	"github.com/skelgo/skelgo/devices"
)

// npyHeader is the header of a .npy.
type npyHeader struct {
	npy.Header
	size   int  // of an element, in bytes
	float  bool // not an integer
	native bool // in this machine's order
	decode func(dst []float64, src []byte) error
}

// readHeader reads a .npy up to its data. npyio panics on damaged headers, so readHeader
// recovers.
func (f *File) readHeader() (err error) {
	defer func() {
		if recover() != nil {
			err = f.Errorf("unreadable .npy header: it is damaged or cut off")
		}
	}()
	if b, _ := f.Peek(12); len(b) == 12 && b[6] > 1 && binary.LittleEndian.Uint32(b[8:]) > 1<<20 {
		// npyio would allocate memory for such a long header
		return f.Errorf("unreadable .npy header: it is damaged or cut off")
	}
	n, err := npy.NewReader(f)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file is too short")
		}
		return f.Errorf("unreadable .npy header: %w", err)
	}
	f.npy = &npyHeader{Header: n.Header}
	return f.npyType()
}

// npyType sets the size of an element and the function that decodes elements.
func (f *File) npyType() error {
	h := f.npy
	descr := h.Descr.Type
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		order = binary.BigEndian
	}
	kind := strings.TrimLeft(descr, "<>|=")
	h.float = strings.HasPrefix(kind, "f")
	h.native = binary.NativeEndian.Uint16([]byte{1, 0}) == order.Uint16([]byte{1, 0})
	switch kind {
	case "f4":
		h.decode = decoder[float32](order)
	case "f8":
		h.decode = decoder[float64](order)
	case "i1":
		h.decode = decoder[int8](order)
	case "i2":
		h.decode = decoder[int16](order)
	case "i4":
		h.decode = decoder[int32](order)
	case "i8":
		h.decode = decoder[int64](order)
	case "u1", "b1":
		h.decode = decoder[uint8](order)
	case "u2":
		h.decode = decoder[uint16](order)
	case "u4":
		h.decode = decoder[uint32](order)
	case "u8":
		h.decode = decoder[uint64](order)
	default:
		return f.Errorf("elements of type %q; f4, f8 and integers can be read (in NumPy: a.astype('f4'))",
			descr)
	}
	h.size = int(kind[1] - '0')
	return nil
}

// decoder returns a function that decodes len(dst) elements of type S.
func decoder[S Element](order binary.ByteOrder) func(dst []float64, src []byte) error {
	return func(dst []float64, src []byte) error {
		elements := make([]S, len(dst))
		if _, err := binary.Decode(src[:binary.Size(elements)], order, elements); err != nil {
			return err
		}
		for i, v := range elements {
			dst[i] = float64(v)
		}
		return nil
	}
}

// stores reports whether the file stores elements as this machine has those of type T in memory.
func stores[T Number](h *npyHeader) bool { return h.float && h.native && h.size == binary.Size(T(0)) }

// readNPY reads the data of a NumPy array of rank 2 with elements of any numeric type.
func readNPY[T Number](f *File) (*Table[T], error) {
	h, o := f.npy, f.options
	shape := h.Descr.Shape
	if o.vector && len(shape) == 1 {
		shape = []int{shape[0], 1}
	}
	if len(shape) != 2 {
		return nil, f.Errorf("an array of rank %d, shape %v; it must have rank 2, with a row per object",
			len(shape), shape)
	}
	rows, cols := shape[0], shape[1]
	if rows <= 0 || cols <= 0 || rows > math.MaxInt/8/cols {
		return nil, f.Errorf("it holds no data: shape %v", shape)
	}
	data, err := npyData[T](f, rows*cols, h)
	if err != nil {
		return nil, f.tooShort(rows*cols, err)
	}
	if _, err := f.Peek(1); err == nil {
		return nil, f.moreData(rows * cols)
	} else if err != io.EOF {
		return nil, err
	}
	// Only now is it certain that there are so many columns: choose allocates memory for them.
	keep, err := choose(o, nil, cols, nil)
	if err != nil {
		return nil, f.Errorf("%w", err)
	}
	all := Table[T]{Rows: rows, Cols: cols, Data: data}
	t := &all
	if h.Descr.Fortran || len(keep) < cols || len(o.Columns) > 0 {
		t = gather(&all, keep, h.Descr.Fortran)
	}
	if o.AllowNonFinite {
		return t, nil
	}
	for i, v := range t.Data {
		if v-v != 0 {
			return nil, notFinite(f, i/t.Cols, keep[i%t.Cols], v)
		}
	}
	return t, nil
}

// notFinite returns the error for a number of an array that is NaN or infinite.
func notFinite[T Number](f *File, row, column int, v T) error {
	return f.Errorf("row %d, column %d (from 0): %w", row, column,
		f.options.nonFinite(fmt.Sprintf("%v is not finite in float%d", v, 8*binary.Size(v))))
}

// moreData returns the error for a file that goes on after its n elements.
func (f *File) moreData(n int) error {
	h := f.npy
	return f.Errorf("shape %v of %s needs %d bytes of data, and more follow: "+
		"the file is damaged, or holds several arrays", h.Descr.Shape, h.Descr.Type, n*h.size)
}

// blockElements is how many elements are decoded at a time.
const blockElements = 1 << 12

// npyData reads n elements. It allocates memory as data arrives, because the header may
// be damaged.
func npyData[T Number](r io.Reader, n int, h *npyHeader) ([]T, error) {
	if stores[T](h) {
		return npyNative[T](r, n)
	}
	stored, block := make([]byte, blockElements*h.size), make([]float64, blockElements)
	var data []T
	for len(data) < n {
		block = block[:min(blockElements, n-len(data))]
		got, err := io.ReadFull(r, stored[:len(block)*h.size])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("it ends after %d", len(data)*h.size+got)
		}
		if err == nil {
			err = h.decode(block, stored)
		}
		if err != nil {
			return nil, err
		}
		for _, v := range block {
			data = append(data, T(v))
		}
	}
	return data, nil
}

// npyNative is npyData for numbers that are stored as this machine has them in memory.
func npyNative[T Number](r io.Reader, n int) (data []T, err error) {
	const first = 1 << 18
	for len(data) < n {
		more := min(n-len(data), max(first, len(data)))
		data = slices.Grow(data, more)
		part := devices.Bytes(data[len(data) : len(data)+more])
		got, err := io.ReadFull(r, part)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("it ends after %d", len(devices.Bytes(data))+got)
		}
		if err != nil {
			return nil, err
		}
		data = data[:len(data)+more]
	}
	return data, nil
}

// gather copies columns, and converts Fortran order to C order.
func gather[T Number](all *Table[T], keep []int, fortran bool) *Table[T] {
	t := &Table[T]{Rows: all.Rows, Cols: len(keep), Data: make([]T, all.Rows*len(keep)), Kept: kept(keep, all.Cols)}
	for i := range t.Rows {
		row := t.Row(i)
		for j, c := range keep {
			if fortran {
				row[j] = all.Data[c*all.Rows+i]
			} else {
				row[j] = all.Data[i*all.Cols+c]
			}
		}
	}
	return t
}
