package columnar

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
)

// blockRows is how many rows of a column are converted, or copied into a matrix, at once.
const blockRows = 8192

// source computes the elements of a container from columns of a file.
type source[T Number] struct {
	name    string // of the file
	table   table
	columns []int // of the table
	starts  []int // the first row of each chunk, and the number of rows
	nan     bool  // nulls become NaN
}

// newSource opens columns of a file, or all that hold numbers.
func newSource[T Number](name string, columns []string, opts []Option) (_ *source[T], _ options, err error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	t, typeName := numberOf[T](), reflect.TypeFor[T]().String()
	if o.nan && !numbers[t].float {
		return nil, o, fmt.Errorf("%s: only elements of a float type can be NaN, not %s: "+
			"leave out columnar.NullsAsNaN(), or read float64", name, typeName)
	}
	f, tab, err := open(name)
	if err != nil {
		return nil, o, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	s := &source[T]{name: name, table: tab, starts: []int{0}, nan: o.nan}
	if s.columns, err = choose(tab.columns(), columns); err != nil {
		return nil, o, err
	}
	for _, c := range s.columns {
		if err := o.check(tab.columns()[c], t, typeName); err != nil {
			return nil, o, err
		}
	}
	rows, err := tab.use(s.columns)
	if err != nil {
		return nil, o, err
	}
	for _, n := range rows {
		if n < 0 || n > math.MaxInt-s.rows() {
			return nil, o, errors.New("it is damaged: the number of rows is too large")
		}
		s.starts = append(s.starts, s.rows()+n)
	}
	return s, o, s.checkNulls()
}

func (s *source[T]) rows() int { return s.starts[len(s.starts)-1] }

// checkNulls returns the error of the first null that the file says it has, if nulls are errors.
func (s *source[T]) checkNulls() error {
	if s.nan {
		return nil
	}
	for _, c := range s.columns {
		for chunk, first := range s.starts[:len(s.starts)-1] {
			if s.table.nulls(c, chunk) == 0 {
				continue
			}
			r := reading[T]{source: s}
			dst := make([]T, blockRows)
			for ; first < s.starts[chunk+1]; first += blockRows {
				if err := r.read(c, first, dst[:min(blockRows, s.starts[chunk+1]-first)]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fill sets dst to the elements from index first on, counted row by row.
func (s *source[T]) fill(first int, dst []T) error {
	r := reading[T]{source: s}
	if err := r.fill(first, dst); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// reading is one call of fill, with the memory that it needs.
type reading[T Number] struct {
	*source[T]
	stored []byte // values as they are stored
	block  []T    // elements of one column
}

func (r *reading[T]) fill(first int, dst []T) error {
	cols := len(r.columns)
	if cols == 1 {
		return r.read(r.columns[0], first, dst)
	}
	end := first + len(dst)
	r.block = make([]T, min(blockRows, len(dst)/cols+2))
	for row := first / cols; row*cols < end; row += len(r.block) {
		for j, c := range r.columns {
			// The first and the last row may begin or end with another column.
			lo, hi := row, min(row+len(r.block), (end+cols-1)/cols)
			if lo*cols+j < first {
				lo++
			}
			if (hi-1)*cols+j >= end {
				hi--
			}
			if lo >= hi {
				continue
			}
			block := r.block[:hi-lo]
			if err := r.read(c, lo, block); err != nil {
				return err
			}
			for i, at := 0, lo*cols+j-first; i < len(block); i, at = i+1, at+cols {
				dst[at] = block[i]
			}
		}
	}
	return nil
}

// read sets dst to the values of a column, from row first on.
func (r *reading[T]) read(column, first int, dst []T) error {
	chunk, _ := slices.BinarySearch(r.starts, first+1)
	for chunk--; len(dst) > 0; chunk++ {
		n := min(len(dst), r.starts[chunk+1]-first)
		if err := r.readChunk(column, chunk, first, dst[:n]); err != nil {
			return fmt.Errorf("column %q: %w", r.table.columns()[column].Name, err)
		}
		first, dst = first+n, dst[n:]
	}
	return nil
}

// readChunk is read for rows of one chunk.
func (r *reading[T]) readChunk(column, chunk, first int, dst []T) error {
	storage := r.table.columns()[column].storage
	if storage == numberOf[T]() {
		nulls, err := r.table.read(column, chunk, first-r.starts[chunk], driver.Bytes(dst))
		if err != nil {
			return err
		}
		return r.setNulls(nulls, first, dst)
	}
	for len(dst) > 0 {
		n := min(len(dst), blockRows)
		if r.stored == nil {
			r.stored = driver.Bytes(make([]uint64, blockRows))
		}
		stored := r.stored[:n*storage.size()]
		nulls, err := r.table.read(column, chunk, first-r.starts[chunk], stored)
		if err != nil {
			return err
		}
		convert(dst[:n], stored, storage)
		if err := r.setNulls(nulls, first, dst[:n]); err != nil {
			return err
		}
		first, dst = first+n, dst[n:]
	}
	return nil
}

// setNulls makes nulls NaN, or returns an error if there are any.
func (r *reading[T]) setNulls(nulls []int, first int, dst []T) error {
	if len(nulls) > 0 && !r.nan {
		return fmt.Errorf("row %d, counted from 0, is null: read nulls as NaN with the option columnar.NullsAsNaN() "+
			"and a float type, or replace them in the file", first+nulls[0])
	}
	nan := math.NaN()
	for _, i := range nulls {
		dst[i] = T(nan)
	}
	return nil
}

// unset returns which of n bits of a bitmap are not set, from bit first on.
func unset(bits []byte, first, n int) []int {
	var result []int
	for i := first; i < first+n; i++ {
		if i%8 == 0 && i+8 <= first+n && bits[i/8] == 0xff {
			i += 7
			continue
		}
		if bits[i/8]>>(i%8)&1 == 0 {
			result = append(result, i-first)
		}
	}
	return result
}

// from copies values of a decoded part to dst, and returns which of them are null.
func (d decoded) from(first, size int, dst []byte) []int {
	copy(dst, d.values[first*size:])
	if d.valid == nil {
		return nil
	}
	return unset(d.valid, first, len(dst)/size)
}
