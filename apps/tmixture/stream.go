package tmixture

import (
	"context"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// FitFrom is Fit for n rows of p numbers, whose bytes r returns as [matrix.FromReader] expects them. Rows
// that do not fit in the memory of the devices of where are read again in each pass. What does not fit of about five
// numbers for each row and component is kept in host memory; with more than 131,072 rows, so is a product of deviations
// for each row, component and column, unless covariances are Diagonal or Spherical.
func FitFrom[T number](
	ctx context.Context, r io.ReaderAt, n, p int, where vector.Distribution, o Options,
) (*Model, error) {
	if err := o.check(n, p); err != nil {
		return nil, err
	}
	x := matrix.FromReader[T](r, n, p, where)
	f, err := newFitting(x, &o, r)
	x.Free() // the rows are read again, so their memory is for the others
	if err != nil {
		return nil, err
	}
	return f.fit(ctx)
}

// adjusted reads the numbers of rows, and changes them as the skeletons of the same names do.
type adjusted[T number] struct {
	from   io.ReaderAt
	center []float64 // is subtracted
	fences []fence   // if not nil, numbers beyond them are trimmed
	scales []float64 // if not nil, numbers are multiplied by them
}

// ReadAt reads the elements that hold the bytes.
func (a *adjusted[T]) ReadAt(p []byte, off int64) (int, error) {
	size := int64(len(devices.Bytes([]T{0})))
	first, end := off/size, (off+int64(len(p))+size-1)/size
	elements := make([]T, end-first)
	whole := devices.Bytes(elements)
	if n, err := a.from.ReadAt(whole, first*size); n < len(whole) {
		return 0, fmt.Errorf("reading row %d (from 0): %w", (first+int64(n)/size)/int64(len(a.center)), err)
	}
	c := int(first % int64(len(a.center)))
	for i, v := range elements {
		v = minus(v, a.center[c])
		if a.fences != nil {
			v = trim(v, a.fences[c])
		}
		if a.scales != nil {
			v = times(v, a.scales[c])
		}
		elements[i] = v
		if c++; c == len(a.center) {
			c = 0
		}
	}
	return copy(p, whole[off-first*size:]), nil
}
