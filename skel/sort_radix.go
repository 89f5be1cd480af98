package skel

import (
	"errors"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

func (o *ordering[T]) radixInto(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}

func (o *ordering[T]) radixOrderInto(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}

func sortedPairs[K, V any](o *ordering[K], x *expr[K], values *expr[V]) (*vector.Vector[K], *vector.Vector[V]) {
	panic("skel: not written")
}
