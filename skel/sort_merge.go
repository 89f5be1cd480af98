package skel

import (
	"errors"

	"github.com/skelgo/skelgo/internal/array"
)

// mergeInto sorts x into out by a merge sort.
func (o *ordering[T]) mergeInto(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}

// mergeOrderInto stores the indices of the elements of x, in order, in out.
func (o *ordering[T]) mergeOrderInto(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}
