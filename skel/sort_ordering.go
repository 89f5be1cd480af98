package skel

import (
	"sync"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/internal/array"
)

// ordering is the order of the elements of a Sort: that of a number key, or that of a
// function which compares two elements. All algorithms that sort, search or select share it.
type ordering[T any] struct {
	sortOrder
	rebind func(p *array.Place, k int) *ordering[T] // binds the extra argument for device k, if there is one

	// The native forms. Only those that belong to the kind of the order are set.
	less    func(a, b T) bool
	lessAll func(dst []bool, a, b []T)   // less of many pairs
	bits    func(k *sortKey, x T) uint64 // the bits of the key of x
	bits32  func(k *sortKey, s *scratch, dst []uint32, src []T)
	bits64  func(k *sortKey, s *scratch, dst []uint64, src []T)
}

// sortOrder is the part of an ordering that kernels in C need. It has no type parameter, so the
// compiler does not copy its methods for every type of elements.
type sortOrder struct {
	fun        *function // the user function; for Ascending, a stand-in without C text
	extra      *bound
	key        *sortKey // nil if elements are compared by less
	byValue    bool     // the elements are the keys
	descending bool
	views      bool // the extra argument holds views
}

// comparison returns the function that reports whether a must come before b, on the CPU.
func (o *ordering[T]) comparison() func(a, b T) bool {
	switch {
	case o.key != nil:
		key, bits := o.key, o.bits
		return func(a, b T) bool { return bits(key, a) < bits(key, b) }
	case o.descending:
		less := o.less
		return func(a, b T) bool { return less(b, a) }
	}
	return o.less
}

// reversed returns the opposite order.
func (o *ordering[T]) reversed() *ordering[T] {
	r := *o
	r.descending = !o.descending
	if o.key != nil {
		key := *o.key
		key.descending = r.descending
		r.key = &key
	}
	if o.rebind != nil {
		r.rebind = func(p *array.Place, k int) *ordering[T] {
			part := o.rebind(p, k)
			if part.descending != r.descending {
				part = part.reversed()
			}
			return part
		}
	}
	return &r
}

// on returns the ordering for device k of p.
func (o *ordering[T]) on(p *array.Place, k int) *ordering[T] {
	if o.rebind == nil {
		return o
	}
	o.fun.ready() // which views touch only their own rows is known from its device form
	return o.rebind(p, k)
}

// ctype returns the C type of the elements.
func (o *sortOrder) ctype() string { return o.fun.reg.Params[0] }

// device adds to p what kernels need that order elements: the C type T of the elements; for
// number keys KEY_OF(x), the bits of an element's key (kernels/sortkey.cl); and BEFORE(a, b),
// which is 1 if a must come before b and 0 otherwise. Both can be used where SRC_A is
// defined. The accessor of the elements must have been added before.
func (o *sortOrder) device(p *program) {
	p.defines += "#define T " + o.ctype() + "\n"
	switch {
	case o.byValue:
		p.defines += o.key.text() + "#define KEY_OF(x) key_bits(x)\n"
	case o.key != nil:
		p.defines += o.key.text() + "#define KEY_OF(x) key_bits(sort_key(CTX_A SRC_A x))\n"
		p.accessors = append(p.accessors, accessor{name: "sort_key", fun: o.fun, extra: o.extra})
	case o.descending:
		p.defines += "#define BEFORE(a, b) (sort_less(CTX_A SRC_A b, a) ? 1 : 0)\n"
		p.accessors = append(p.accessors, accessor{name: "sort_less", fun: o.fun, extra: o.extra})
	default:
		p.defines += "#define BEFORE(a, b) (sort_less(CTX_A SRC_A a, b) ? 1 : 0)\n"
		p.accessors = append(p.accessors, accessor{name: "sort_less", fun: o.fun, extra: o.extra})
	}
	if o.key != nil {
		p.files = append(p.files, "sortkey")
	}
}

// source returns the meta of a sort of x. Every sort calls source first, because source
// makes the user function ready.
func (o *ordering[T]) source(x *expr[T]) meta {
	o.fun.ready()
	m := combine(o.fun, o.extra, nil, nil, &x.meta)
	m.settleProduced()
	m.node = x.node // the order is not part of the expression
	return m
}

// orderedByLess returns the order by a comparison.
func orderedByLess[T any](what string, less func(a, b T) bool) *ordering[T] {
	var all func(dst []bool, a, b []T)
	o := &ordering[T]{sortOrder: sortOrder{fun: newFunction(what, less)}, less: less}
	o.lessAll = func(dst []bool, a, b []T) { all(dst, a, b) } // o may be copied before its setup
	o.fun.setup = func() {
		var ok bool
		if all, ok = loop[func([]bool, []T, []T)](o.fun, loopOfPairs); !ok {
			all = func(dst []bool, a, b []T) {
				for i := range dst {
					dst[i] = less(a[i], b[i])
				}
			}
		}
	}
	return o
}

func loopOfPairs(l *registry.Loops) any { return l.Zip }

// orderedByLessWith returns a function that binds the extra argument of a comparison.
func orderedByLessWith[T, E any](what string, less func(a, b T, e E) bool) func(E) *ordering[T] {
	fun := newFunctionOf[E](what, less)
	var all func(dst []bool, a, b []T, e E)
	fun.setup = func() {
		var ok bool
		if all, ok = loop[func([]bool, []T, []T, E)](fun, loopOfPairs); !ok {
			all = func(dst []bool, a, b []T, e E) {
				for i := range dst {
					dst[i] = less(a[i], b[i], e)
				}
			}
		}
	}
	return orderingWith(fun, func(e E) *ordering[T] {
		return &ordering[T]{
			less:    func(a, b T) bool { return less(a, b, e) },
			lessAll: func(dst []bool, a, b []T) { all(dst, a, b, e) },
		}
	})
}

// orderedByKey returns the ascending order of a number key.
func orderedByKey[T any, K Number](what string, key func(T) K) *ordering[T] {
	fun := newFunction(what, key)
	var each func(dst []K, src []T)
	fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]K, []T)](fun, func(l *registry.Loops) any { return l.Map }); !ok {
			each = func(dst []K, src []T) {
				for i, x := range src {
					dst[i] = key(x)
				}
			}
		}
	}
	o := keyed1(key, func(dst []K, src []T) { each(dst, src) })
	o.fun = fun
	return o
}

// orderedByKeyWith returns a function that binds the extra argument of a number key.
func orderedByKeyWith[T, E any, K Number](what string, key func(T, E) K) func(E) *ordering[T] {
	fun := newFunctionOf[E](what, key)
	var each func(dst []K, src []T, e E)
	fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]K, []T, E)](fun, func(l *registry.Loops) any { return l.Map }); !ok {
			each = func(dst []K, src []T, e E) {
				for i, x := range src {
					dst[i] = key(x, e)
				}
			}
		}
	}
	return orderingWith(fun, func(e E) *ordering[T] {
		return keyed1(func(x T) K { return key(x, e) }, func(dst []K, src []T) { each(dst, src, e) })
	})
}

// keyed1 returns the ascending order of a number key, without its function. each computes
// the keys of many elements.
func keyed1[T any, K Number](key func(T) K, each func(dst []K, src []T)) *ordering[T] {
	k := sortKeyOf[K]()
	o := &ordering[T]{sortOrder: sortOrder{key: &k}}
	o.bits = func(k *sortKey, x T) uint64 { return bitsOf(k, key(x)) }
	if k.width == 64 {
		o.bits64 = func(k *sortKey, s *scratch, dst []uint64, src []T) {
			bitsInChunks(s, dst, src, each, func(dst []uint64, keys []K) { fillBits64(k, dst, keys) })
		}
	} else {
		o.bits32 = func(k *sortKey, s *scratch, dst []uint32, src []T) {
			bitsInChunks(s, dst, src, each, func(dst []uint32, keys []K) { fillBits32(k, dst, keys) })
		}
	}
	return o
}

// bitsInChunks computes keys a chunk at a time and maps them to their bits.
func bitsInChunks[T, K, B any](
	s *scratch, dst []B, src []T, each func(dst []K, src []T), fill func(dst []B, keys []K),
) {
	m := s.mark()
	defer s.release(m)
	keys := take[K](s, min(chunkLen, len(src)))
	for len(src) > 0 {
		n := min(chunkLen, len(src))
		each(keys[:n], src[:n])
		fill(dst[:n], keys[:n])
		dst, src = dst[n:], src[n:]
	}
}

// orderedByValue returns the ascending order of numbers.
func orderedByValue[T Number]() *ordering[T] {
	k := sortKeyOf[T]()
	o := &ordering[T]{sortOrder: sortOrder{fun: ascendingOf(&k), key: &k, byValue: true}}
	o.bits = bitsOf[T]
	if k.width == 64 {
		o.bits64 = func(k *sortKey, _ *scratch, dst []uint64, src []T) { fillBits64(k, dst, src) }
	} else {
		o.bits32 = func(k *sortKey, _ *scratch, dst []uint32, src []T) { fillBits32(k, dst, src) }
	}
	return o
}

// ascending holds the stand-ins for user functions of orders by value, by C types.
var ascending sync.Map

// ascendingOf returns the stand-in for the user function of an order by value, which has the
// type of the elements but no C text.
func ascendingOf(k *sortKey) *function {
	if f, ok := ascending.Load(k.ctype()); ok {
		return f.(*function)
	}
	f := &function{label: "Sort(" + k.kind.String() + ")", name: "skel.Ascending"}
	f.reg = &registry.Func{Name: f.name, Form: &emit.Form{Params: []string{k.ctype()}, Result: k.ctype()}}
	f.typed = "#define T " + k.ctype() + "\n"
	f.once.Do(func() {}) // nothing is to be looked up
	kept, _ := ascending.LoadOrStore(k.ctype(), f)
	return kept.(*function)
}

// newFunctionOf is newFunction for a function with an extra argument that must not hold
// out-views.
func newFunctionOf[E any](what string, f any) *function {
	fun := newFunction(what, f)
	fun.plan = planOf[E]()
	if fun.plan.writes() {
		panic("skel: New" + what + ": an order must not write, but its extra argument holds an out-view")
	}
	return fun
}

// orderingWith returns a function that binds an extra argument. of returns the order for an
// extra argument, without its function.
func orderingWith[T, E any](fun *function, of func(E) *ordering[T]) func(E) *ordering[T] {
	var with func(e E, b *bound) *ordering[T]
	with = func(e E, b *bound) *ordering[T] {
		o := of(e)
		o.fun, o.extra, o.views = fun, b, len(fun.plan.views) > 0
		o.rebind = func(p *array.Place, k int) *ordering[T] { return with(partOf(fun, b, e, p, nil, 0, k)) }
		return o
	}
	return func(e E) *ordering[T] { return with(e, bind(fun, bytesOf(&e))) }
}
