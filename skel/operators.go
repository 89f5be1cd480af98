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
	if b.Value < a.Value || preferred(b, a) {
		return b
	}
	return a
}

// ArgMax is the operator of a reduction to the greatest value and its index,
// with the rules of ArgMin.
func ArgMax[T Number](a, b Indexed[T]) Indexed[T] {
	if b.Value > a.Value || preferred(b, a) {
		return b
	}
	return a
}

// preferred says whether b wins against a for another reason than its value.
// One condition without branches is fastest on a GPU.
func preferred[T Number](b, a Indexed[T]) bool {
	aNaN := a.Value != a.Value
	return b.Index < a.Index && (aNaN || a.Value == b.Value) || aNaN && b.Value == b.Value
}
