package skel

import (
	"math"
	"reflect"

	"github.com/skelgo/skelgo/skel/ops"
)

// A call of a ready operator returns the operator and its identity, which are the
// arguments of NewReduce and NewScan:
//
//	var (
//		total   = skel.NewReduce(skel.Sum[float32]())
//		highest = skel.NewScan(skel.Max[int32]())
//	)
//
// These functions must not be inlined: generated files find an operator by its entry
// point, and inlining would create another one for every caller.

// Number is the constraint of operators on numbers.
type Number interface{ ops.Number }

// Integer is the constraint of operators on bits.
type Integer interface{ ops.Integer }

// Sum returns the operator x + y and its identity, 0.
//
//go:noinline
//skel:func
func Sum[T Number]() (op func(x, y T) T, identity T) { return ops.Add[T], 0 }

// Prod returns the operator x * y and its identity, 1.
//
//go:noinline
//skel:func
func Prod[T Number]() (op func(x, y T) T, identity T) { return ops.Mul[T], 1 }

// Min returns the operator that returns the lesser of x and y, and its identity: +Inf
// or the greatest integer of the type. As with Go's min, the result is NaN if any
// element is NaN.
//
//go:noinline
//skel:func
func Min[T Number]() (op func(x, y T) T, identity T) { return ops.Min[T], greatest[T]() }

// Max returns the operator that returns the greater of x and y, and its identity: -Inf
// or the least integer of the type. As with Go's max, the result is NaN if any element
// is NaN.
//
//go:noinline
//skel:func
func Max[T Number]() (op func(x, y T) T, identity T) { return ops.Max[T], least[T]() }

// And returns the operator x && y and its identity, true.
//
//go:noinline
//skel:func
func And[T ~bool]() (op func(x, y T) T, identity T) { return ops.And[T], true }

// Or returns the operator x || y and its identity, false.
//
//go:noinline
//skel:func
func Or[T ~bool]() (op func(x, y T) T, identity T) { return ops.Or[T], false }

// BitAnd returns the operator x & y and its identity, all bits set.
//
//go:noinline
//skel:func
func BitAnd[T Integer]() (op func(x, y T) T, identity T) { return ops.BitAnd[T], ^T(0) }

// BitOr returns the operator x | y and its identity, 0.
//
//go:noinline
//skel:func
func BitOr[T Integer]() (op func(x, y T) T, identity T) { return ops.BitOr[T], 0 }

// BitXor returns the operator x ^ y and its identity, 0.
//
//go:noinline
//skel:func
func BitXor[T Integer]() (op func(x, y T) T, identity T) { return ops.BitXor[T], 0 }

// greatest returns the greatest value of T; for floats it is +Inf.
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

// least returns the least value of T; for floats it is -Inf.
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

// Indexed is a value and its index, the element type of ArgMin and ArgMax.
type Indexed[T Number] struct {
	Value T
	Index int
}

// WithIndex pairs a value with its index, in a Zip of a vector and vector.Indices.
//
//skel:func
func WithIndex[T Number](x T, i int) Indexed[T] { return Indexed[T]{x, i} }

// ArgMin returns the operand with the lesser value, so a reduction by ArgMin finds the
// least value and its index. The lower index wins if values are equal. A number wins
// against NaN, so the result is NaN only if all values are NaN.
//
//skel:func
func ArgMin[T Number](a, b Indexed[T]) Indexed[T] {
	wins, loses, first := less(b.Value, a.Value), less(a.Value, b.Value), before(b, a)
	if wins || first && !loses {
		return b
	}
	return a
}

// ArgMax returns the operand with the greater value. The rules for equal values and
// NaN are those of ArgMin.
//
//skel:func
func ArgMax[T Number](a, b Indexed[T]) Indexed[T] {
	wins, loses, first := greater(b.Value, a.Value), greater(a.Value, b.Value), before(b, a)
	if wins || first && !loses {
		return b
	}
	return a
}

// before reports whether b has the lower index. The kernel of a reduction whose elements
// are numbered does not call before.
func before[T Number](b, a Indexed[T]) bool { return b.Index < a.Index }

// less reports whether x comes before y in an order in which NaN comes after every
// number. A GPU needs two comparisons, or one for integers. Like its callers, less
// computes every part of a condition beforehand, which avoids branches.
func less[T Number](x, y T) bool {
	below, number := !(y <= x), x == x
	return below && number
}

// greater reports whether x comes before y in descending order, in which NaN comes last.
func greater[T Number](x, y T) bool {
	above, number := !(y >= x), x == x
	return above && number
}
