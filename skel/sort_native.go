package skel

import (
	"errors"

	"github.com/skelgo/skelgo/internal/array"
)

func (o *ordering[T]) radixNative(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}

func (o *ordering[T]) radixOrderNative(m *meta, out *array.Array, x *expr[T]) error {
	return errors.ErrUnsupported
}
