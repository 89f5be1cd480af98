package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

func (o *ordering[T]) sortedOver(x *expr[T], p *array.Place) *vector.Vector[T] {
	panic("skel: not written")
}
func (o *ordering[T]) indicesOver(x *expr[T], p *array.Place) *vector.Vector[int] {
	panic("skel: not written")
}

func sortedPairsOver[K, V any](o *ordering[K], keys *expr[K], values *expr[V], p *array.Place) (*vector.Vector[K], *vector.Vector[V]) {
	panic("skel: not written")
}
