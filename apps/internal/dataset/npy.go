package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sbinet/npyio/npy"
)

// readNPY reads a NumPy array of rank 2. Its header is read by npyio; the
// numbers are converted here as they stream in, whatever their type.
func readNPY[T Number](label string, r *bufio.Reader, o Options) (*Table[T], error) {
	h, err := npyHeader(r)
	if err != nil {
		return nil, fmt.Errorf("%s: unreadable .npy header: %w", label, err)
	}
	shape := h.Descr.Shape
	if o.vector && len(shape) == 1 {
		shape = []int{shape[0], 1}
	}
	if len(shape) != 2 {
		return nil, fmt.Errorf("%s: an array of rank %d, shape %v; rank 2 is needed, a row an object", label, len(shape), shape)
	}
	rows, cols := shape[0], shape[1]
	if rows <= 0 || cols <= 0 || rows > math.MaxInt/8/cols {
		return nil, fmt.Errorf("%s: it holds no data: shape %v", label, shape)
	}
	size, decode, err := npyType(h.Descr.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", label, err)
	}
	keep, err := choose(o, nil, cols, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", label, err)
	}
	all := Table[T]{Rows: rows, Cols: cols}
	if all.Data, err = npyData[T](r, rows*cols, size, decode); err != nil {
		return nil, fmt.Errorf("%s: shape %v of %s needs %d bytes of data: %w", label, shape, h.Descr.Type, rows*cols*size, err)
	}
	t := &all
	if h.Descr.Fortran || len(keep) < cols || len(o.Columns) > 0 {
		t = gather(&all, keep, h.Descr.Fortran)
	}
	if !o.AllowNonFinite {
		for i, v := range t.Data {
			if v-v != 0 {
				return nil, fmt.Errorf("%s: row %d, column %d (from 0): %v is not finite in float%d (--allow-nonfinite lets NaN and infinities pass)",
					label, i/t.Cols, keep[i%t.Cols], v, 8*binary.Size(v))
			}
		}
	}
	return t, nil
}

// npyHeader reads an .npy file up to its data. npyio trusts the header's
// text, so what it trips over is caught here.
func npyHeader(r io.Reader) (h npy.Header, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("it is damaged")
		}
	}()
	n, err := npy.NewReader(r)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file is too short")
		}
		return h, err
	}
	return n.Header, nil
}

// npyType gives an element's size and how to decode it.
func npyType(descr string) (size int, decode func([]byte) float64, err error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		order = binary.BigEndian
	}
	switch strings.TrimLeft(descr, "<>|=") {
	case "f4":
		return 4, func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }, nil
	case "f8":
		return 8, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }, nil
	case "i1":
		return 1, func(b []byte) float64 { return float64(int8(b[0])) }, nil
	case "i2":
		return 2, func(b []byte) float64 { return float64(int16(order.Uint16(b))) }, nil
	case "i4":
		return 4, func(b []byte) float64 { return float64(int32(order.Uint32(b))) }, nil
	case "i8":
		return 8, func(b []byte) float64 { return float64(int64(order.Uint64(b))) }, nil
	case "u1", "b1":
		return 1, func(b []byte) float64 { return float64(b[0]) }, nil
	case "u2":
		return 2, func(b []byte) float64 { return float64(order.Uint16(b)) }, nil
	case "u4":
		return 4, func(b []byte) float64 { return float64(order.Uint32(b)) }, nil
	case "u8":
		return 8, func(b []byte) float64 { return float64(order.Uint64(b)) }, nil
	}
	return 0, nil, fmt.Errorf("elements of type %q; f4, f8 and the integer types are understood (in NumPy: a.astype('f4'))", descr)
}

// npyData reads n elements. Memory grows with what really comes, not with
// what a damaged header promises.
func npyData[T Number](r io.Reader, n, size int, decode func([]byte) float64) ([]T, error) {
	buf := make([]byte, 1<<16)
	var data []T
	for len(data) < n {
		chunk := buf[:min(len(buf), (n-len(data))*size)]
		got, err := io.ReadFull(r, chunk)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("it ends after %d", len(data)*size+got)
		}
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(chunk); i += size {
			data = append(data, T(decode(chunk[i:])))
		}
	}
	return data, nil
}

// gather copies columns, and turns Fortran's order, column after column, into
// row after row.
func gather[T Number](all *Table[T], keep []int, fortran bool) *Table[T] {
	t := &Table[T]{Rows: all.Rows, Cols: len(keep), Data: make([]T, all.Rows*len(keep))}
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
