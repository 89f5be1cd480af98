package ops

//go:generate go tool skelgen

// Number is the constraint of operators on numbers.
type Number interface {
	Integer | ~float32 | ~float64
}

// Integer is the constraint of operators on bits.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Add returns x + y.
//
//skel:func
func Add[T Number](x, y T) T { return x + y }

// Mul returns x * y.
//
//skel:func
func Mul[T Number](x, y T) T { return x * y }

// Min returns the lesser of x and y, with the rules of Go's min: NaN if one of
// them is NaN, and -0 is less than 0.
//
//skel:func
func Min[T Number](x, y T) T { return min(x, y) }

// Max returns the greater of x and y, with the rules of Go's max: NaN if one of
// them is NaN, and 0 is greater than -0.
//
//skel:func
func Max[T Number](x, y T) T { return max(x, y) }

// And returns x && y.
//
//skel:func
func And[T ~bool](x, y T) T { return x && y }

// Or returns x || y.
//
//skel:func
func Or[T ~bool](x, y T) T { return x || y }

// BitAnd returns x & y.
//
//skel:func
func BitAnd[T Integer](x, y T) T { return x & y }

// BitOr returns x | y.
//
//skel:func
func BitOr[T Integer](x, y T) T { return x | y }

// BitXor returns x ^ y.
//
//skel:func
func BitXor[T Integer](x, y T) T { return x ^ y }
