package kit

import (
	"github.com/skelgo/skelgo/skel"
)

// Most operators of the suite are not commutative, and floating-point sums are not even
// associative, so that a result shows the order in which it was computed.

type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64
}

func Plus[T Number](x, y T) T { return x + y }

func LastNonZero(x, y int32) int32 {
	if y != 0 {
		return y
	}
	return x
}

// Text represents a string by its hash, and the base of the hash raised to the
// length of the string.
type Text struct{ Hash, Power uint64 }

func Concat(x, y Text) Text {
	return Text{x.Hash*y.Power + y.Hash, x.Power * y.Power}
}

func letter(i int) Text { return Text{uint64(i)*2654435761 + 1, 1_000_003} }

// Span is an interval of positions. Joining two that are not neighbours spoils it,
// so it proves that no element is left out, used twice or swapped.
type Span struct {
	From, To int32
	Spoilt   bool
}

var nowhere = Span{-1, -1, false}

func Adjoin(x, y Span) Span {
	if x.From < 0 && !x.Spoilt {
		return y
	}
	if y.From < 0 && !y.Spoilt {
		return x
	}
	return Span{x.From, y.To, x.Spoilt || y.Spoilt || x.To != y.From}
}

// Summary holds an operator, the skeletons that use it, and a function that returns
// elements for it.
type Summary[T any] struct {
	Name     string
	Op       func(T, T) T
	Identity T
	Reduce   *skel.Reduce[T]
	Scan     *skel.Scan[T]
	Element  func(d *Dice, i int) T
}

// The operators that several subjects use.
var (
	Sums32 = Summary[float32]{"float32 sum", Plus[float32], 0,
		skel.NewReduce(Plus[float32], 0), skel.NewScan(Plus[float32], 0),
		func(d *Dice, _ int) float32 { return float32(d.Wide()) }}
	Sums64 = Summary[float64]{"float64 sum", Plus[float64], 0,
		skel.NewReduce(Plus[float64], 0), skel.NewScan(Plus[float64], 0),
		func(d *Dice, _ int) float64 { return d.Wide() }}
	Lasts = Summary[int32]{"last non-zero", LastNonZero, 0,
		skel.NewReduce(LastNonZero, 0), skel.NewScan(LastNonZero, 0),
		func(d *Dice, i int) int32 { return int32(i+1) * int32(d.IntN(7)/6) }}
	Texts = Summary[Text]{"concatenation", Concat, Text{0, 1},
		skel.NewReduce(Concat, Text{0, 1}), skel.NewScan(Concat, Text{0, 1}),
		func(_ *Dice, i int) Text { return letter(i) }}
	Spans = Summary[Span]{"adjoining spans", Adjoin, nowhere,
		skel.NewReduce(Adjoin, nowhere), skel.NewScan(Adjoin, nowhere),
		func(_ *Dice, i int) Span { return Span{int32(i), int32(i + 1), false} }}
)
