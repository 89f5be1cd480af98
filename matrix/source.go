package matrix

import (
	"io"
	"iter"
	"reflect"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/internal/files"
	"github.com/skelgo/skelgo/vector"
)

// FromFile returns a matrix of the numbers in a file: a .npy of rank 2; text with a row in each line
// (.csv, .tsv, .txt), separated by semicolons, tabs, commas or blanks, where a first line with
// something else than numbers is a header; or otherwise rows of cols elements one after the
// other, without a header, in this machine's order. If cols is 0, a .npy or a text says how many columns
// there are. [vector.FromFile] says when it is read. FromFile panics if cols is negative.
func FromFile[T any](name string, cols int, where ...vector.Distribution) (*Matrix[T], error) {
	checkShape("FromFile", 0, cols)
	f, err := files.Open(name, reflect.TypeFor[T](), cols)
	if err != nil {
		return nil, err
	}
	return FromReader[T](f, f.Rows, f.Cols, where...), nil
}

// FromReader returns a matrix whose elements r returns row by row, as [vector.FromReader] does.
func FromReader[T any](r io.ReaderAt, rows, cols int, where ...vector.Distribution) *Matrix[T] {
	checkShape("FromReader", rows, cols)
	if n, err := array.Count(rows, cols); err != nil {
		return of(array.Failed[T](n, err), rows, cols)
	}
	return of(array.FromReader[T](r, rows, cols, chosen(where)), rows, cols)
}

// FromFunc returns a matrix whose elements fill computes: it sets dst to those from index first on, counted
// row by row, see [vector.FromFunc].
func FromFunc[T any](rows, cols int, fill func(first int, dst []T) error, where ...vector.Distribution) *Matrix[T] {
	checkShape("FromFunc", rows, cols)
	return FromReader[T](array.Generated(fill), rows, cols, where...)
}

// FromSeq returns a matrix whose rows the blocks hold one after the other, see [vector.FromSeq].
// A block need not hold whole rows.
func FromSeq[T any](rows, cols int, blocks iter.Seq[[]T], where ...vector.Distribution) *Matrix[T] {
	checkShape("FromSeq", rows, cols)
	if n, err := array.Count(rows, cols); err != nil {
		return of(array.Failed[T](n, err), rows, cols)
	}
	return of(array.FromSeq(blocks, rows, cols, chosen(where)), rows, cols)
}
