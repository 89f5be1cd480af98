package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/internal/array"
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

// of is the expression f(a, b).
func (z *Zip[A, B, Out]) of(a *expr[A], b *expr[B]) *expr[Out] {
	if p := bothScattered(z.fun, nil, a, b); p != nil {
		a, b := a.at(p), b.at(p)
		out := over(p, firstError(a.err, b.err), func(k int) *expr[Out] {
			return zipped(z.fun, a.part(k), b.part(k), z.native, nil)
		})
		if out.place != nil {
			out.viewed = join(a.viewed, b.viewed, nil)
		}
		return out
	}
	return zipped(z.fun, a, b, z.native, nil)
}

// Apply gives f of the elements of a and b. The result is computed when it is
// needed, as a part of what needs it. It panics when the lengths differ.
func (z *Zip[A, B, Out]) Apply(a vector.Source[A], b vector.Source[B]) *vector.Vector[Out] {
	p, q := openBoth(a, b)
	return deferred(z.of(p, q))
}

// ApplyTo computes f of the elements of a and b into out, at once. out may be
// a or b, or an input of them. It panics when the lengths differ.
func (z *Zip[A, B, Out]) ApplyTo(out *vector.Vector[Out], a vector.Source[A], b vector.Source[B]) error {
	arrayOf(out).SettleReaders()
	p, q := openBoth(a, b)
	return into(z.fun, arrayOf(out), z.of(p.near(arrayOf(out)), q))
}

// ApplyMatrix is Apply on matrices.
func (z *Zip[A, B, Out]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	sameShape(z.fun, a, b)
	p, q := openBothMatrices(a, b)
	return matrix.Of(deferred(z.of(p, q)), a.Rows(), a.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (z *Zip[A, B, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	sameShape(z.fun, a, b)
	sameShape(z.fun, out, a)
	arrayOf(out.Vector()).SettleReaders()
	p, q := openBothMatrices(a, b)
	return into(z.fun, arrayOf(out.Vector()), z.of(p.near(arrayOf(out.Vector())), q))
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

// of is the expression f(a, b, extra).
func (z *ZipWith[A, B, E, Out]) of(a *expr[A], b *expr[B], extra E, x *bound) *expr[Out] {
	if p := bothScattered(z.fun, x, a, b); p != nil {
		unit, from := max(a.unit(), b.unit()), join(a.inputs, b.inputs, nil)
		a, b := a.at(p), b.at(p)
		out := over(p, firstError(a.err, b.err), func(k int) *expr[Out] {
			e, c := partOf(z.fun, x, extra, p, from, unit, k)
			return zipped(z.fun, a.part(k), b.part(k), func() func([]Out, []A, []B) { return z.with(e) }, c)
		})
		if out.place == nil {
			return out
		}
		out.viewed, out.extra = join(join(a.viewed, b.viewed, nil), x.arrays, nil), x
		return out
	}
	return zipped(z.fun, a, b, func() func([]Out, []A, []B) { return z.with(extra) }, x)
}

// Apply gives f of the elements of a and b. The result is computed when it is
// needed, or at once when extra holds out-views. It panics when the lengths
// differ.
func (z *ZipWith[A, B, E, Out]) Apply(a vector.Source[A], b vector.Source[B], extra E) *vector.Vector[Out] {
	settleReaders(z.fun, &extra)
	p, q := openBoth(a, b)
	return perhapsNow(z.fun, z.of(p, q, extra, bind(z.fun, &extra)))
}

// ApplyTo computes f of the elements of a and b into out, at once. out may be
// a or b, or an input of them, but not the container of a view in extra. It
// panics when the lengths differ.
func (z *ZipWith[A, B, E, Out]) ApplyTo(out *vector.Vector[Out], a vector.Source[A], b vector.Source[B], extra E) error {
	arrayOf(out).SettleReaders()
	settleReaders(z.fun, &extra)
	p, q := openBoth(a, b)
	return into(z.fun, arrayOf(out), z.of(p.near(arrayOf(out)), q, extra, bind(z.fun, &extra)))
}

// ApplyMatrix is Apply on matrices.
func (z *ZipWith[A, B, E, Out]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B], extra E) *matrix.Matrix[Out] {
	sameShape(z.fun, a, b)
	settleReaders(z.fun, &extra)
	p, q := openBothMatrices(a, b)
	return matrix.Of(perhapsNow(z.fun, z.of(p, q, extra, bind(z.fun, &extra))), a.Rows(), a.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (z *ZipWith[A, B, E, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B], extra E) error {
	sameShape(z.fun, a, b)
	sameShape(z.fun, out, a)
	arrayOf(out.Vector()).SettleReaders()
	settleReaders(z.fun, &extra)
	p, q := openBothMatrices(a, b)
	return into(z.fun, arrayOf(out.Vector()), z.of(p.near(arrayOf(out.Vector())), q, extra, bind(z.fun, &extra)))
}

// zipped is the expression f(a, b).
func zipped[A, B, Out any](f *function, a *expr[A], b *expr[B], loop func() func([]Out, []A, []B), x *bound) *expr[Out] {
	sameLength(f, a.n, b.n)
	f.ready()
	out := spare[Out](f)
	out.meta, out.extra = combine(f, x, &out.own, out.room[:], &a.meta, &b.meta), x
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

// bothScattered is scattered for two sources of one length.
func bothScattered[A, B any](f *function, x *bound, a *expr[A], b *expr[B]) *array.Place {
	sameLength(f, a.n, b.n)
	return scattered(x, &a.meta, &b.meta)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func sameLength(f *function, a, b int) {
	if a != b {
		panic(fmt.Sprintf("skel: %s: lengths differ: %d and %d", f.label, a, b))
	}
}
