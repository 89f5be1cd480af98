package skel

import "github.com/skelgo/skelgo/internal/array"

func (s *selection[T]) scattered(x *expr[T]) (*expr[T], *array.Place) { return x, nil }

func (s *selection[T]) over(x *expr[T], p *array.Place, want wanted) selected[T] {
	return selected[T]{}
}
