package skel

import (
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Zip is the skeleton out[i] = f(a[i], b[i]).
type Zip[A, B, Out any] struct {
	fun     *function
	binding binding[zipLoop[A, B, Out]]
}

// zipLoop is the native loop of a function of two elements.
type zipLoop[A, B, Out any] = func(dst []Out, a []A, b []B)

// NewZip returns the skeleton that applies f to the elements of two containers
// at the same position. It panics if f is nil.
func NewZip[A, B, Out any](f func(A, B) Out) *Zip[A, B, Out] { return newZip("Zip", f) }

// newZip returns a Zip that is a part of the skeleton that New+what creates.
func newZip[A, B, Out any](what string, f func(A, B) Out) *Zip[A, B, Out] {
	z := &plain[zipLoop[A, B, Out]]{fun: newFunction(what, f)}
	z.fun.setup = func() {
		var ok bool
		if z.loops, ok = loop[zipLoop[A, B, Out]](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			z.loops = func(dst []Out, a []A, b []B) {
				for i, x := range a {
					dst[i] = f(x, b[i])
				}
			}
		}
	}
	return &Zip[A, B, Out]{z.fun, z}
}

// ZipWith is a Zip whose function takes an extra argument:
// out[i] = f(a[i], b[i], extra).
type ZipWith[A, B, E, Out any] struct {
	fun   *function
	bound func(extra *byte) zipLoop[A, B, Out]
}

// NewZipWith returns the skeleton that applies f to the elements of two
// containers at the same position and an extra argument: a plain value, a view,
// or a struct of these. It panics if f is nil.
func NewZipWith[A, B, E, Out any](f func(A, B, E) Out) *ZipWith[A, B, E, Out] {
	return newZipWith("ZipWith", f)
}

// newZipWith is newZip for a function with an extra argument.
func newZipWith[A, B, E, Out any](what string, f func(A, B, E) Out) *ZipWith[A, B, E, Out] {
	z := &ZipWith[A, B, E, Out]{fun: newFunction(what, f)}
	z.fun.plan = planOf[E]()
	var each func(dst []Out, a []A, b []B, e E)
	z.fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]Out, []A, []B, E)](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			each = func(dst []Out, a []A, b []B, e E) {
				for i, x := range a {
					dst[i] = f(x, b[i], e)
				}
			}
		}
	}
	z.bound = func(extra *byte) zipLoop[A, B, Out] {
		e := driver.Field[E](extra, 0)
		return func(dst []Out, a []A, b []B) { each(dst, a, b, *e) }
	}
	return z
}

// With returns the Zip with its extra argument bound to extra, as
// [MapWith.With] does.
func (z *ZipWith[A, B, E, Out]) With(extra E) *Zip[A, B, Out] {
	b := &struct {
		Zip      Zip[A, B, Out]
		argument argument[zipLoop[A, B, Out]]
		extra    E
	}{extra: extra}
	b.argument = argument[zipLoop[A, B, Out]]{z.fun, z.bound, bytesOf(&b.extra)}
	b.Zip = Zip[A, B, Out]{z.fun, &b.argument}
	return &b.Zip
}

// of returns the expression f(a, b).
func (z *Zip[A, B, Out]) of(a *expr[A], b *expr[B]) *expr[Out] {
	x := z.binding.bind(z.fun)
	a, b, p := bothScattered(z.fun, x, a, b)
	if p != nil {
		unit, from := max(a.unit(), b.unit()), join(a.inputs, b.inputs, nil)
		a, b := a.at(p), b.at(p)
		return over(p, firstError(a.err, b.err), func(k int) *expr[Out] {
			part, c := z.binding.part(x, p, from, unit, k)
			return zipped(z.fun, a.part(k), b.part(k), part.watched, c)
		}).viewing(join(a.viewed, b.viewed, nil), x)
	}
	return zipped(z.fun, a, b, z.binding.watched, x)
}

// Apply returns f of the elements of a and b at the same position. The result is a
// pending expression, unless the extra argument holds out-views; then it is computed at
// once. Apply panics if the lengths differ.
func (z *Zip[A, B, Out]) Apply(a vector.Source[A], b vector.Source[B]) *vector.Vector[Out] {
	z.binding.settleReaders()
	p, q := openSameCount(z.fun, a, b)
	return resultOf(z.fun, z.of(p, q))
}

// ApplyTo computes f of the elements of a and b into out, at once. out may be a or b, or
// an input of their expressions. ApplyTo returns an error if out is the container of a
// view in the extra argument. It panics if the lengths differ.
func (z *Zip[A, B, Out]) ApplyTo(out *vector.Vector[Out], a vector.Source[A], b vector.Source[B]) error {
	arrayOf(out).SettleReaders()
	z.binding.settleReaders()
	p, q := openSameCount(z.fun, a, b)
	return into(z.fun, arrayOf(out), z.of(p.placeIndices(arrayOf(out)), q))
}

// ApplyMatrix is Apply on matrices. It panics if the shapes differ.
func (z *Zip[A, B, Out]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B]) *matrix.Matrix[Out] {
	sameShape(z.fun, a, b)
	z.binding.settleReaders()
	p, q := openBothMatrices(a, b)
	return matrix.Of(resultOf(z.fun, z.of(p, q)), a.Rows(), a.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices. It panics if the shapes differ.
func (z *Zip[A, B, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], a matrix.Source[A], b matrix.Source[B]) error {
	sameShape(z.fun, a, b)
	sameShape(z.fun, out, a)
	arrayOf(out.Vector()).SettleReaders()
	z.binding.settleReaders()
	p, q := openBothMatrices(a, b)
	return into(z.fun, arrayOf(out.Vector()), z.of(p.placeIndices(arrayOf(out.Vector())), q))
}

// zipped returns the expression f(a, b) on one device.
func zipped[A, B, Out any](
	f *function, a *expr[A], b *expr[B], native func(w *watch) zipLoop[A, B, Out], x *bound,
) *expr[Out] {
	a, b = sameCount(f, a, b)
	sameLength(f, a.n, b.n)
	f.ready()
	out := spare[Out](f)
	out.meta, out.extra = combine(f, x, &out.own, out.room[:], &a.meta, &b.meta), x
	if out.node == nil {
		out.watch = newWatch(f, x, &out.meta)
		out.fill = zipFill(a, b, native(out.watch))
	}
	return out
}

// zipFill returns the native form of f(a, b).
func zipFill[A, B, Out any](a *expr[A], b *expr[B], each zipLoop[A, B, Out]) func(s *scratch, dst []Out, lo int) {
	both := max(a.kind, b.kind) // memory only if both are
	return func(s *scratch, dst []Out, lo int) {
		inChunks(s, both, len(dst), func(from, to int) {
			each(dst[from:to], a.chunk(s, lo+from, lo+to), b.chunk(s, lo+from, lo+to))
		})
	}
}

// bothScattered is scattered for two sources, whose lengths must be equal. If they are
// counted and the call runs elsewhere, it makes their lengths known.
func bothScattered[A, B any](f *function, x *bound, a *expr[A], b *expr[B]) (*expr[A], *expr[B], *array.Place) {
	sameLength(f, a.n, b.n)
	p := scattered(x, &a.meta, &b.meta)
	if p != nil && a.counted() && !p.Same(a.place) {
		err := lengthNeeded(f.label, onOneDevice)
		a, b = a.knownOr(err), b.knownOr(err)
		p = scattered(x, &a.meta, &b.meta)
	}
	return a, b, p
}
