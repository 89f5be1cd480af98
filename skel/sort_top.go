package skel

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func (o *ordering[T]) top(in vector.Source[T], k int) *vector.Vector[T] { panic("skel: not written") }
func (o *ordering[T]) orderTop(in vector.Source[T], k int) *vector.Vector[int] {
	panic("skel: not written")
}
func (o *ordering[T]) topRows(in matrix.Source[T], k int) *matrix.Matrix[T] {
	panic("skel: not written")
}
func (o *ordering[T]) orderTopRows(in matrix.Source[T], k int) *matrix.Matrix[int] {
	panic("skel: not written")
}
