package skel

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func (o *ordering[T]) rows(in matrix.Source[T]) *matrix.Matrix[T]        { panic("skel: not written") }
func (o *ordering[T]) orderRows(in matrix.Source[T]) *matrix.Matrix[int] { panic("skel: not written") }

func (o *ordering[T]) segments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	panic("skel: not written")
}

func (o *ordering[T]) orderSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[int] {
	panic("skel: not written")
}

func sortedPairsRows[K, V any](
	o *ordering[K], keys matrix.Source[K], values matrix.Source[V],
) (*matrix.Matrix[K], *matrix.Matrix[V]) {
	panic("skel: not written")
}

func sortedPairsSegments[K, V any](
	o *ordering[K], keys vector.Source[K], values vector.Source[V], offsets *vector.Vector[int],
) (*vector.Vector[K], *vector.Vector[V]) {
	panic("skel: not written")
}
