package behave

// Types that are declared inside generic functions.

type real interface{ ~float32 | ~float64 }

func swapped[T any](a, b *T) { *a, *b = *b, *a }

func former[T any](a, b T) T { return a }

func alike[T comparable](a, b T) bool { return a == b }

// A local type is a type argument of another generic function.
func exchange[R real](x, y R) R {
	type point struct{ x, y R }
	a, b := point{x, y}, point{y + 1, x + 2}
	swapped(&a, &b)
	a = former(a, b)
	return a.x*10 + a.y + b.x*1000
}

// in: 3 4
func exchange32(x, y float32) float32 { return exchange(x, y) }

// in: 3 4
func exchange64(x, y float64) float64 { return exchange(x, y) }

// in: 3 4
func exchangeBoth(x float32, y float64) float64 { return float64(exchange(x, 1)) + exchange(y, 2) }

type couple[A, B any] struct {
	a A
	b B
}

func (c couple[A, B]) flip() couple[B, A] { return couple[B, A]{c.b, c.a} }

func (c *couple[A, B]) put(a A) { c.a = a }

// The type argument of a type, and of its methods.
func nestedTypes[R, S real](x R, y S) S {
	type inner struct {
		v R
		n int32
	}
	type outer struct {
		in  inner
		all [2]couple[inner, S]
	}
	o := outer{in: inner{x, 1}}
	o.all[0] = couple[inner, S]{inner{x + 1, 2}, y}
	o.all[1].put(former(o.in, o.all[0].a))
	o = former(o, outer{})
	f := o.all[0].flip()
	swapped(&f.b, &o.in)
	if alike(f.b, o.in) || !alike(o.all[1].a, f.b) {
		return -1
	}
	return S(f.b.v)*100 + S(o.in.v)*10 + S(o.in.n) + f.a
}

// in: 3 4
func nested1(x float32, y float64) float64 { return nestedTypes(x, y) }

// in: 3 4
func nested2(x float64, y float32) float32 { return nestedTypes(x, y) }

type boxed[R real] struct{ v R }

// A local type of a method of a generic type.
func (b boxed[R]) twice(x R) R {
	type pair struct{ b, c boxed[R] }
	p, q := pair{b, boxed[R]{x}}, pair{boxed[R]{1}, boxed[R]{2}}
	swapped(&p, &q)
	return q.b.v + q.c.v*3 + p.b.v
}

// in: 3 4
func twice32(x, y float32) float32 { return boxed[float32]{x}.twice(y) }

// in: 3 4
func twice64(x, y float64) float64 { return boxed[float64]{x}.twice(y) }

// Local types of a literal, one of which hides the other, and a type whose memory is a number.
func literalTypes[R real](x R) R {
	type t struct{ a R }
	type scale [1]R
	type number float32
	f := func(y R) R {
		type t struct {
			a R
			b scale
			c number
		}
		a, b := t{y, scale{y}, 5}, t{1, scale{2}, 6}
		swapped(&a, &b)
		return b.a*7 + former(a, b).b[0] + R(b.c)
	}
	a, b := t{x}, t{f(x)}
	swapped(&a, &b)
	return a.a + b.a*100
}

// in: 3
func literals32(x float32) float32 { return literalTypes(x) }

// in: 3
func literals64(x float64) float64 { return literalTypes(x) }

// Aliases.
func aliasTypes[R real](x R) R {
	type pair = struct{ a, b R }
	type two = couple[R, pair]
	p := two{x, pair{x + 1, x + 2}}
	q := two{}
	swapped(&p, &q)
	return q.a + q.b.a*10 + q.b.b*100
}

// in: 3
func aliases32(x float32) float32 { return aliasTypes(x) }

// in: 3
func aliases64(x float64) float64 { return aliasTypes(x) }

func wrapping[T any](x T) T {
	type wrapped struct{ t T }
	w := wrapped{x}
	return former(w, w).t
}

// A local type reaches a generic function that has a local type of the alike name.
func chained[R real](x R) R {
	type wrapped struct{ r, s R }
	return wrapping(wrapping(wrapped{x, x + 1})).s
}

// in: 3
func chain32(x float32) float32 { return chained(x) }

// A local type without a type parameter, and one of an ordinary function.
func plainType[R real](x R) int32 {
	type count struct{ n int32 }
	a, b := count{1}, count{int32(x)}
	swapped(&a, &b)
	return a.n*10 + b.n
}

// in: 3
func plain32(x float32) int32 { return plainType(x) }

// in: 3
func ordinary(x int32) int32 {
	type count struct{ n, m int32 }
	a, b := count{1, 2}, count{x, x + 1}
	swapped(&a, &b)
	return a.n*1000 + a.m*100 + b.n*10 + former(b, a).m
}
