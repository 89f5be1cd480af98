package skel

import "github.com/skelgo/skelgo/vector"

func (o *ordering[T]) bounds(sorted *vector.Vector[T], values vector.Source[T], upper bool) *vector.Vector[int] {
	panic("skel: not written")
}
