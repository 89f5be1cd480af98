package skel

import (
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// operator is an associative function of two elements, its extra argument bound, with
// the loops that Reduce and Scan need. They hold it in a field and do not embed it:
// the compiler would generate the promoted methods four more times for each T, which
// doubled the compile time.
type operator[T any] struct {
	folding
	identity T
	rebind   func(p *array.Place, k int) *operator[T] // binds the extra argument for device k; nil if there is none

	op   func(a, b T) T
	runs func(dst, src []T, run int)                 // dst[r] = left fold of run r of src
	tree func(t []T) T                               // pair tree; overwrites t
	zip  func(dst, a, b []T)                         // dst[i] = op(a[i], b[i])
	scan func(dst, src, seed []T, run int, has bool) // left scan of each run r from seed[r]; of run 0 only if has
}

// folding is the part of an operator that kernels in C need. It has no type parameter, so the
// compiler does not copy its methods for every type of elements.
type folding struct {
	fun     *function
	extra   *bound
	initial driver.Arg // the identity
	size    int        // bytes of an element
	by      order
	lanes   int // the number of lanes of a GPU's group that share a block
}

// newFolding returns the folding of elements with the given identity.
func newFolding[T any](fun *function, extra *bound, identity T) folding {
	size := driver.SizeOf[T]()
	return folding{fun: fun, extra: extra, initial: driver.Value(identity), size: size, by: orderOf(size),
		lanes: lanesOf(size)}
}

// newOperator returns the operator of a function without an extra argument.
func newOperator[T any](what string, op func(T, T) T, identity T) *operator[T] {
	o := &operator[T]{folding: newFolding(newFunction(what, op), nil, identity), identity: identity, op: op}
	o.fun.setup = func() {
		o.runs, _ = loop[func([]T, []T, int)](o.fun, func(l *registry.Loops) any { return l.Runs })
		o.tree, _ = loop[func([]T) T](o.fun, func(l *registry.Loops) any { return l.Tree })
		o.zip, _ = loop[func([]T, []T, []T)](o.fun, func(l *registry.Loops) any { return l.Zip })
		o.scan, _ = loop[func([]T, []T, []T, int, bool)](o.fun, func(l *registry.Loops) any { return l.Scan })
		o.complete()
	}
	return o
}

// operatorWith holds the loops of a function with an extra argument.
type operatorWith[T, E any] struct {
	fun      *function
	identity T
	op       func(T, T, E) T
	runs     func(dst, src []T, run int, e E)
	tree     func(t []T, e E) T
	zip      func(dst, a, b []T, e E)
	scan     func(dst, src, seed []T, run int, has bool, e E)
}

func newOperatorWith[T, E any](what string, op func(T, T, E) T, identity T) *operatorWith[T, E] {
	o := &operatorWith[T, E]{fun: newFunction(what, op), identity: identity, op: op}
	o.fun.plan = planOf[E]()
	if o.fun.plan.writes() {
		panic("skel: New" + what + ": an operator must not write, but its extra argument holds an out-view")
	}
	o.fun.setup = func() {
		o.runs, _ = loop[func([]T, []T, int, E)](o.fun, func(l *registry.Loops) any { return l.Runs })
		o.tree, _ = loop[func([]T, E) T](o.fun, func(l *registry.Loops) any { return l.Tree })
		o.zip, _ = loop[func([]T, []T, []T, E)](o.fun, func(l *registry.Loops) any { return l.Zip })
		o.scan, _ = loop[func([]T, []T, []T, int, bool, E)](o.fun, func(l *registry.Loops) any { return l.Scan })
	}
	return o
}

// with returns the operator with its extra argument bound to e.
func (w *operatorWith[T, E]) with(e E) *operator[T] { return w.bound(e, bind(w.fun, bytesOf(&e))) }

// bound returns the operator with e, which b describes, as its extra argument.
func (w *operatorWith[T, E]) bound(e E, b *bound) *operator[T] {
	w.fun.ready()
	o := &operator[T]{folding: newFolding(w.fun, b, w.identity), identity: w.identity}
	o.op = func(a, b T) T { return w.op(a, b, e) }
	o.rebind = func(p *array.Place, k int) *operator[T] { return w.bound(partOf(w.fun, b, e, p, nil, 0, k)) }
	if w.runs != nil {
		o.runs = func(dst, src []T, run int) { w.runs(dst, src, run, e) }
	}
	if w.tree != nil {
		o.tree = func(t []T) T { return w.tree(t, e) }
	}
	if w.zip != nil {
		o.zip = func(dst, a, b []T) { w.zip(dst, a, b, e) }
	}
	if w.scan != nil {
		o.scan = func(dst, src, seed []T, run int, has bool) { w.scan(dst, src, seed, run, has, e) }
	}
	o.complete()
	return o
}

// complete supplies the loops that were not generated.
func (o *operator[T]) complete() {
	op := o.op
	if o.runs == nil {
		o.runs = func(dst, src []T, run int) {
			for r := range dst {
				lo := r * run
				acc := src[lo]
				for _, x := range src[lo+1 : min(lo+run, len(src))] {
					acc = op(acc, x)
				}
				dst[r] = acc
			}
		}
	}
	if o.tree == nil {
		o.tree = func(t []T) T {
			for n := len(t); n > 1; n = (n + 1) / 2 {
				for i := range n / 2 {
					t[i] = op(t[2*i], t[2*i+1])
				}
				if n%2 == 1 {
					t[n/2] = t[n-1]
				}
			}
			return t[0]
		}
	}
	if o.zip == nil {
		o.zip = func(dst, a, b []T) {
			for i := range dst {
				dst[i] = op(a[i], b[i])
			}
		}
	}
	if o.scan == nil {
		o.scan = func(dst, src, seed []T, run int, has bool) {
			for lo := 0; lo < len(src); lo += run {
				acc := src[lo]
				if lo > 0 || has {
					acc = op(seed[lo/run], acc)
				}
				dst[lo] = acc
				for i := lo + 1; i < min(lo+run, len(src)); i++ {
					acc = op(acc, src[i])
					dst[i] = acc
				}
			}
		}
	}
}

// source returns the meta of a reduction or scan of x. Every reduction and scan calls
// source first, because source makes the operator ready.
func (o *operator[T]) source(x *expr[T]) meta {
	o.fun.ready()
	m := combine(o.fun, o.extra, nil, nil, &x.meta)
	m.settleProduced()
	m.node = x.node // the operator is not part of the expression
	return m
}

// fillIdentity sets all elements to the identity.
func (o *folding) fillIdentity(m *meta, out *array.Array) error {
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	p := &program{kernel: "fill", label: o.fun.label, grid: gridOver(out.Len())}
	p.op = o.fun
	p.opExtra = o.extra
	p.defines = "#define T " + o.fun.reg.Result + "\n"
	p.args = []driver.Arg{mem.Arg(), driver.Value(int64(out.Len())), o.initial}
	return p.launch(m.device(), out, o.extra)
}
