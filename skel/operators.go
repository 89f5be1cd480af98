package skel

// Number is the constraint of the ready-made operators.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
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
