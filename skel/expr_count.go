package skel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// The length of a selection, and of what is computed from it, is on the device: the
// expression has a count. Its n is an upper bound, for which memory and grids are
// sized. A skeleton that can run with a count opens its input by openCounted. All others
// use open, which waits for the length; in a loop whose runs differ in the length, that
// is an error. So no skeleton mistakes n for the length. See docs/adr/0023.

// errCounted is the error of a skeleton that cannot run with a count. See lengthNeeded for
// those that can, but not in every call.
var errCounted = errors.New("skel: in a loop, a result of Filter, Partition, Unique or Compact can be the input " +
	"only of Map, Zip, MapVoid, ZipVoid, Reduce.Apply, Scan, Filter, Partition, Unique and Compact on the " +
	"devices that hold it: others need its length on the host, which differs from run to run")

// Reasons why a skeleton that can run with a count needs the length in some calls.
const (
	ofOneCount = "its inputs must have the same count: both must be computed, element by element, from the same " +
		"result, or neither"
	intoOneCount = "the output must have the same count: write to that result itself, or to what was computed " +
		"from it element by element"
	onOneDevice = "over several devices, or on another device than that of the result, this call needs the " +
		"length on the host"
)

// lengthNeeded returns the error of a call that needs, for the given reason, a length which
// each run of the loop computes again.
func lengthNeeded(label, reason string) error {
	return fmt.Errorf("skel: %s: in a loop, the length of a result of Filter, Partition, Unique or Compact differs "+
		"from run to run: %s", label, reason)
}

// counted reports whether only the device knows the length of the expression, or that of
// one of its parts.
func (x *expr[T]) counted() bool {
	return x.count != nil || slices.ContainsFunc(x.parts, func(p *expr[T]) bool { return p.count != nil })
}

// of returns the expression with n elements, or with a count of at most n.
func (x *expr[T]) of(n int, count *array.DeviceLen) *expr[T] {
	if x.n == n && x.count == count {
		return x
	}
	y := *x
	y.n, y.count = n, count
	return &y
}

// known returns the expression with a length that the host knows. It waits for the device.
func (x *expr[T]) known() *expr[T] { return x.knownOr(errCounted) }

// knownOr is known; in a loop whose runs differ in the length, the error is err.
func (x *expr[T]) knownOr(err error) *expr[T] {
	if x.err != nil || !x.counted() {
		return x
	}
	if x.place == nil {
		if x.count.Varies() {
			return x.failed(array.Recording().Fail(err))
		}
		n, err := x.count.Value(x.n)
		if err != nil {
			return x.failed(err)
		}
		return x.of(n, nil)
	}
	own := *x // not x itself, whose parts are read below
	y := &own
	y.count = nil
	rows := make([]int, len(x.parts)+1)
	y.parts = make([]*expr[T], len(x.parts))
	for k, part := range x.parts {
		y.parts[k] = part.knownOr(err)
		y.err = firstError(y.err, y.parts[k].err)
		rows[k+1] = rows[k] + y.parts[k].n
	}
	y.place = x.place.Cut(rows, 1)
	y.n = y.place.N
	return y
}

// failed returns the expression with an error.
func (x *expr[T]) failed(err error) *expr[T] {
	y := *x
	y.err, y.count, y.parts, y.place = err, nil, nil, nil
	return &y
}

// sameCount returns the inputs a and b of f themselves if they have the same count, or none.
// Otherwise it makes their lengths known, so that they can be compared.
func sameCount[A, B any](f *function, a *expr[A], b *expr[B]) (*expr[A], *expr[B]) {
	if !a.counted() && !b.counted() {
		return a, b
	}
	same := a.count == b.count && len(a.parts) == len(b.parts) && (a.place == nil || a.place.Same(b.place))
	for k := 0; same && k < len(a.parts); k++ {
		same = a.parts[k].count == b.parts[k].count
	}
	if same && a.where.Device() == b.where.Device() {
		return a, b
	}
	err := lengthNeeded(f.label, ofOneCount)
	a, b = a.knownOr(err), b.knownOr(err)
	if a.err != nil || b.err != nil {
		b = b.of(a.n, nil) // the lengths are not known, so they do not differ
	}
	return a, b
}

// countedAt returns where a call of f on x runs, as scattered does. A counted expression can
// run only where it is: if the call runs elsewhere, the length of x becomes known.
func countedAt[T any](f *function, x *expr[T], b *bound) (*expr[T], *array.Place) {
	p := scattered(b, &x.meta)
	if p != nil && x.counted() && !p.Same(x.place) {
		x = x.knownOr(lengthNeeded(f.label, onOneDevice))
		p = scattered(b, &x.meta)
	}
	return x, p
}

// nativeLen is the number of elements of an expression, for the native form of a kernel.
type nativeLen struct {
	most  int
	count []int // the memory of the count; nil if there are most elements
}

// length is called when a native kernel is launched. A loop may run the kernel again when
// the array of the count has been freed.
func (m *meta) length() nativeLen {
	if m.count == nil {
		return nativeLen{most: m.n}
	}
	return nativeLen{m.n, array.Elements[int](m.count.Body())}
}

// now returns the number of elements while the kernel runs.
func (l nativeLen) now() int {
	if l.count == nil {
		return l.most
	}
	return min(max(l.count[0], 0), l.most)
}

// countedGroups is the number of groups on each compute unit of a GPU that process the
// elements of a counted expression. Groups for all n elements would mostly find nothing
// to do.
const countedGroups = 32

// limit adds the count of m to the arguments of a kernel with the parameter COUNT_P, and
// limits the grid of a GPU, whose groups then take several pieces of work in turn.
func (p *program) limit(m *meta) error {
	if m.count == nil {
		return nil
	}
	mem, err := m.count.Body().Memory()
	if err != nil {
		return err
	}
	p.defines += "#define COUNTED\n"
	p.args = append(p.args, mem.Arg())
	if d := m.device(); d.Kind() != driver.CPU {
		p.grid.Groups = min(p.grid.Groups, int64(d.Info().Units)*countedGroups)
	}
	return nil
}
