package vector

import (
	"io"
	"iter"
	"reflect"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/internal/files"
)

// FromFile returns a vector of the numbers in a file: a .npy of rank 1, or of one column; text
// with a number in each line (.csv, .tsv, .txt), in which empty lines are left out, and a first line that is
// not a number is a header; or otherwise elements one after the other, without a header, in this machine's
// order. If the vector is larger than a quarter of the device's memory, its parts are read when they are
// needed, and again if they have left the memory in between, so the file must not change. Over several
// ranks, each reads only the parts on its own devices. Text is parsed in each read.
//
// An error says why the file cannot be opened. Errors of later reads are those of the vector.
func FromFile[T any](name string, where ...Distribution) (*Vector[T], error) {
	f, err := files.Open(name, reflect.TypeFor[T](), 1)
	if err != nil {
		return nil, err
	}
	return FromReader[T](f, f.Rows, where...), nil
}

// FromReader returns a vector of n elements, whose bytes r returns as this machine has them in memory,
// from offset 0 on. If the vector is larger than a quarter of the device's memory, r is asked for a part
// when it is needed, possibly several times, and from several goroutines. It must not use containers or
// devices, which wait for it. FromReader panics if n is negative.
func FromReader[T any](r io.ReaderAt, n int, where ...Distribution) *Vector[T] {
	checkLength("FromReader", n)
	return (*Vector[T])(array.FromReader[T](r, n, 1, chosen(where)))
}

// FromFunc returns a vector of n elements, which fill computes: it sets dst to the elements from index
// first on. Like the reader of FromReader, it may be asked for the same elements several times,
// from several goroutines, must return the same, and must not use devices. FromFunc panics if n is negative.
func FromFunc[T any](n int, fill func(first int, dst []T) error, where ...Distribution) *Vector[T] {
	checkLength("FromFunc", n)
	return FromReader[T](array.Generated(fill), n, where...)
}

// FromSeq returns a vector of n elements, which the blocks hold one after the other. Unlike those of
// FromReader, they are needed only once: what does not fit in the memory of the device is kept on the
// host. It panics if n is negative.
func FromSeq[T any](n int, blocks iter.Seq[[]T], where ...Distribution) *Vector[T] {
	checkLength("FromSeq", n)
	return (*Vector[T])(array.FromSeq(blocks, n, 1, chosen(where)))
}

// Part is consecutive elements of a vector.
type Part[T any] struct {
	First    int // index of the first of them
	Elements []T
}

// HostParts returns the elements that devices of this rank hold, in parts of at most n. Unlike Chunks it sends
// nothing to other ranks, so that each can write its own part of a large result. All ranks must call it, and use
// what it returns. In one process, these are all elements. A part is valid until the next one. After an error,
// which other ranks may see only at their next read, there are no more. It panics if n is not positive.
func (v *Vector[T]) HostParts(n int) iter.Seq2[Part[T], error] {
	if n <= 0 {
		panic("vector: HostParts: the length of a part must be positive")
	}
	return func(yield func(Part[T], error) bool) {
		v.inner().Own(n, func(first int, s []T, err error) bool { return yield(Part[T]{first, s}, err) })
	}
}

// Chunks returns the elements in chunks of n, the last of which may be shorter. It does not keep
// them on the host, so the vector may be larger than the host's memory. A chunk is valid until
// the next one. After an error there are no more. It panics if n is not positive.
func (v *Vector[T]) Chunks(n int) iter.Seq2[[]T, error] {
	if n <= 0 {
		panic("vector: Chunks: the length of a chunk must be positive")
	}
	return func(yield func([]T, error) bool) { v.inner().Chunks(n, yield) }
}
