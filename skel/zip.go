package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Zip is the skeleton out[i] = f(a[i], b[i]).
type Zip[A, B, Out any] struct {
	fun  *function
	each func(dst []Out, a []A, b []B)
}

// NewZip makes the skeleton that applies f to the elements of two containers
// at the same place. It panics when f is nil.
func NewZip[A, B, Out any](f func(A, B) Out) *Zip[A, B, Out] {
	z := &Zip[A, B, Out]{fun: newFunction("Zip", f)}
	z.fun.setup = func() {
		var ok bool
		if z.each, ok = loop[func([]Out, []A, []B)](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			z.each = func(dst []Out, a []A, b []B) {
				for i, x := range a {
					dst[i] = f(x, b[i])
				}
			}
		}
	}
	return z
}

func (z *Zip[A, B, Out]) native() func(dst []Out, a []A, b []B) {
	z.fun.ready()
	return z.each
}

// Apply gives f of the elements of a and b. The result is computed when it is
// needed, as a part of what needs it. It panics when the lengths differ.
func (z *Zip[A, B, Out]) Apply(a vector.Source[A], b vector.Source[B]) *vector.Vector[Out] {
	p, q := openBoth(a, b)
	return deferred(zipped(z.fun, p, q, z.native, nil))
}

// ApplyTo computes f of the elements of a and b into out, at once. out may be
// a or b, or an input of them. It panics when the lengths differ.
func (z *Zip[A, B, Out]) ApplyTo(out *vector.Vector[Out], a vector.Source[A], b vector.Source[B]) error {
	p, q := openBoth(a, b)
	return into(z.fun, out, zipped(z.fun, p.near(out.Distribution()), q, z.native, nil), nil)
}

// ApplyMatrix is Apply on matrices.
func (z *Zip[A, B, Out]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	sameShape(z.fun, a, b)
	p, q := openBothMatrices(a, b)
	return matrix.Of(deferred(zipped(z.fun, p, q, z.native, nil)), a.Rows(), a.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (z *Zip[A, B, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	sameShape(z.fun, a, b)
	sameShape(z.fun, out, a)
	p, q := openBothMatrices(a, b)
	return into(z.fun, out.Vector(), zipped(z.fun, p.near(out.Vector().Distribution()), q, z.native, nil), nil)
}

// ZipWith is the skeleton out[i] = f(a[i], b[i], extra).
type ZipWith[A, B, E, Out any] struct {
	fun  *function
	each func(dst []Out, a []A, b []B, e E)
}

// NewZipWith makes the skeleton that applies f to the elements of two
// containers at the same place and an extra argument: a plain value, a view,
// or a struct of these. It panics when f is nil.
func NewZipWith[A, B, E, Out any](f func(A, B, E) Out) *ZipWith[A, B, E, Out] {
	z := &ZipWith[A, B, E, Out]{fun: newFunction("ZipWith", f)}
	z.fun.plan = planOf[E]()
	z.fun.setup = func() {
		var ok bool
		if z.each, ok = loop[func([]Out, []A, []B, E)](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			z.each = func(dst []Out, a []A, b []B, e E) {
				for i, x := range a {
					dst[i] = f(x, b[i], e)
				}
			}
		}
	}
	return z
}

func (z *ZipWith[A, B, E, Out]) with(e E) func([]Out, []A, []B) {
	z.fun.ready()
	return func(dst []Out, a []A, b []B) { z.each(dst, a, b, e) }
}

// Apply gives f of the elements of a and b. The result is computed when it is
// needed, or at once when extra holds out-views. It panics when the lengths
// differ.
func (z *ZipWith[A, B, E, Out]) Apply(a vector.Source[A], b vector.Source[B], extra E) *vector.Vector[Out] {
	x := bind(z.fun, &extra)
	p, q := openBoth(a, b)
	return perhapsNow(z.fun, zipped(z.fun, p, q, func() func([]Out, []A, []B) { return z.with(extra) }, x), x)
}

// ApplyTo computes f of the elements of a and b into out, at once. out may be
// a or b, or an input of them, but not the container of a view in extra. It
// panics when the lengths differ.
func (z *ZipWith[A, B, E, Out]) ApplyTo(out *vector.Vector[Out], a vector.Source[A], b vector.Source[B], extra E) error {
	x := bind(z.fun, &extra)
	p, q := openBoth(a, b)
	return into(z.fun, out, zipped(z.fun, p.near(out.Distribution()), q, func() func([]Out, []A, []B) { return z.with(extra) }, x), x)
}

// ApplyMatrix is Apply on matrices.
func (z *ZipWith[A, B, E, Out]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B], extra E) *matrix.Matrix[Out] {
	sameShape(z.fun, a, b)
	x := bind(z.fun, &extra)
	p, q := openBothMatrices(a, b)
	return matrix.Of(perhapsNow(z.fun, zipped(z.fun, p, q, func() func([]Out, []A, []B) { return z.with(extra) }, x), x), a.Rows(), a.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (z *ZipWith[A, B, E, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B], extra E) error {
	sameShape(z.fun, a, b)
	sameShape(z.fun, out, a)
	x := bind(z.fun, &extra)
	p, q := openBothMatrices(a, b)
	return into(z.fun, out.Vector(), zipped(z.fun, p.near(out.Vector().Distribution()), q, func() func([]Out, []A, []B) { return z.with(extra) }, x), x)
}

// zipped is the expression f(a, b).
func zipped[A, B, Out any](f *function, a *expr[A], b *expr[B], loop func() func([]Out, []A, []B), x *bound) *expr[Out] {
	sameLength(f, a.n, b.n)
	f.ready()
	out := spare[Out](f)
	out.meta = combine(f, x, &out.own, out.room[:], &a.meta, &b.meta)
	if out.node == nil {
		out.fill = zipFill(a, b, loop())
	}
	return out
}

// zipFill is the native form of f(a, b).
func zipFill[A, B, Out any](a *expr[A], b *expr[B], each func([]Out, []A, []B)) func(s *scratch, dst []Out, lo int) {
	both := max(a.kind, b.kind) // memory only when both are
	return func(s *scratch, dst []Out, lo int) {
		inChunks(s, both, len(dst), func(from, to int) {
			each(dst[from:to], a.chunk(s, lo+from, lo+to), b.chunk(s, lo+from, lo+to))
		})
	}
}

func sameLength(f *function, a, b int) {
	if a != b {
		panic(fmt.Sprintf("skel: %s: lengths differ: %d and %d", f.label, a, b))
	}
}
