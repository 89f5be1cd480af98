package skel

import (
	"math"
	"reflect"

	"github.com/skelgo/skelgo/skel/ops"
)

// The ready operators come with their identities, so that a call of one is all
// that NewReduce and NewScan need:
//
//	var (
//		total   = skel.NewReduce(skel.Sum[float32]())
//		highest = skel.NewScan(skel.Max[int32]())
//	)
//
// None of them is inlined: generated files find an operator by its entry point,
// and inlining would make one for every caller.

// Number is the constraint of the ready operators.
type Number interface{ ops.Number }

// Integer is the constraint of those on bits.
type Integer interface{ ops.Integer }

// Sum returns the operator x + y and its identity, 0.
//
//go:noinline
func Sum[T Number]() (op func(x, y T) T, identity T) { return ops.Add[T], 0 }

// Prod returns the operator x * y and its identity, 1.
//
//go:noinline
func Prod[T Number]() (op func(x, y T) T, identity T) { return ops.Mul[T], 1 }

// Min returns the operator that takes the lesser of x and y, with the rules of
// Go's min: the result is NaN if any element is. Its identity is +Inf or the
// greatest integer of the type.
//
//go:noinline
func Min[T Number]() (op func(x, y T) T, identity T) { return ops.Min[T], greatest[T]() }

// Max returns the operator that takes the greater of x and y, with the rules of
// Go's max: the result is NaN if any element is. Its identity is -Inf or the
// least integer of the type.
//
//go:noinline
func Max[T Number]() (op func(x, y T) T, identity T) { return ops.Max[T], least[T]() }

// And returns the operator x && y and its identity, true.
//
//go:noinline
func And[T ~bool]() (op func(x, y T) T, identity T) { return ops.And[T], true }

// Or returns the operator x || y and its identity, false.
//
//go:noinline
func Or[T ~bool]() (op func(x, y T) T, identity T) { return ops.Or[T], false }

// BitAnd returns the operator x & y and its identity, all bits set.
//
//go:noinline
func BitAnd[T Integer]() (op func(x, y T) T, identity T) { return ops.BitAnd[T], ^T(0) }

// BitOr returns the operator x | y and its identity, 0.
//
//go:noinline
func BitOr[T Integer]() (op func(x, y T) T, identity T) { return ops.BitOr[T], 0 }

// BitXor returns the operator x ^ y and its identity, 0.
//
//go:noinline
func BitXor[T Integer]() (op func(x, y T) T, identity T) { return ops.BitXor[T], 0 }

// greatest returns the greatest value of a type, which for floats is +Inf.
func greatest[T Number]() T {
	t := reflect.TypeFor[T]()
	switch {
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		inf := math.Inf(1)
		return T(inf)
	case t.Kind() <= reflect.Int64:
		most := int64(math.MaxInt64) >> (64 - t.Bits())
		return T(most)
	}
	most := uint64(math.MaxUint64) >> (64 - t.Bits())
	return T(most)
}

// least returns the least value of a type, which for floats is -Inf.
func least[T Number]() T {
	t := reflect.TypeFor[T]()
	switch {
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		inf := math.Inf(-1)
		return T(inf)
	case t.Kind() <= reflect.Int64:
		bottom := int64(math.MinInt64) >> (64 - t.Bits())
		return T(bottom)
	}
	return 0
}

// Indexed is a value and where it was: the element of an arg-min or arg-max.
type Indexed[T Number] struct {
	Value T
	Index int
}

// WithIndex pairs a value with an index, for a Zip of a vector and
// vector.Indices.
func WithIndex[T Number](x T, i int) Indexed[T] { return Indexed[T]{x, i} }

// ArgMin is the operator of a reduction to the least value and its index. Of
// equal values the one with the lower index wins, and every number wins
// against NaN, so that the result is NaN only if all values are.
func ArgMin[T Number](a, b Indexed[T]) Indexed[T] {
	wins, loses, first := less(b.Value, a.Value), less(a.Value, b.Value), before(b, a)
	if wins || first && !loses {
		return b
	}
	return a
}

// ArgMax is the operator of a reduction to the greatest value and its index,
// with the rules of ArgMin.
func ArgMax[T Number](a, b Indexed[T]) Indexed[T] {
	wins, loses, first := greater(b.Value, a.Value), greater(a.Value, b.Value), before(b, a)
	if wins || first && !loses {
		return b
	}
	return a
}

// before says whether b has the lower index. Where a reduction numbers its own
// elements, numbered, it is not called.
func before[T Number](b, a Indexed[T]) bool { return b.Index < a.Index }

// less says whether x comes before y where NaN comes after every number. A GPU
// takes two comparisons for it, and one for whole numbers. Like its callers it
// computes every part of a condition beforehand, so that no branch is made.
func less[T Number](x, y T) bool {
	below, number := !(y <= x), x == x
	return below && number
}

// greater says whether x comes before y from the greatest to the least, and
// then NaN.
func greater[T Number](x, y T) bool {
	above, number := !(y >= x), x == x
	return above && number
}
