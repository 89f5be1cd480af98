package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// joinedRuns merges the sorted runs of a vector on one device, and the values that belong to
// the elements. It merges neighbours until one run is left, and frees what it no longer
// needs. The values of the result are nil if there are none.
func joinedRuns[T, V any](o *ordering[T], r *runsOf[T, V]) (*array.Array, *array.Array, error) {
	for len(r.ends) > 1 {
		next := &runsOf[T, V]{elements: uninitialized[T](r.elements.Len(), arrayOf(r.elements).Distribution())}
		if r.values != nil {
			next.values = uninitialized[V](r.values.Len(), arrayOf(r.values).Distribution())
		}
		lo := 0
		var err error
		for k := 0; k < len(r.ends) && err == nil; k += 2 {
			middle, hi := r.ends[k], r.ends[min(k+1, len(r.ends)-1)]
			err = joinPair(o, r, next, lo, middle, hi)
			next.ends = append(next.ends, hi)
			lo = hi
		}
		r.free()
		if r = next; err != nil {
			r.free()
			return nil, nil, err
		}
	}
	if r.values == nil {
		return arrayOf(r.elements), nil, nil
	}
	return arrayOf(r.elements), arrayOf(r.values), nil
}

// joinPair merges elements [lo, middle) and [middle, hi) of r into elements [lo, hi) of next.
func joinPair[T, V any](o *ordering[T], r, next *runsOf[T, V], lo, middle, hi int) error {
	x := openVector(r.elements)
	m := o.source(x)
	if m.err != nil || lo == hi {
		return m.err
	}
	out, err := arrayOf(next.elements).Output()
	if err != nil {
		return err
	}
	var moved *devices.Buffer
	if r.values != nil {
		if moved, err = arrayOf(next.values).Output(); err != nil {
			return err
		}
	}
	if m.device().Native() {
		return joinNative(o, &m, r, next, lo, middle, hi)
	}
	if lo == middle || middle == hi {
		from, err := arrayOf(r.elements).Memory()
		if err == nil {
			err = copyPart[T](out, from, lo, hi)
		}
		if err == nil && moved != nil {
			if from, err = arrayOf(r.values).Memory(); err == nil {
				err = copyPart[V](moved, from, lo, hi)
			}
		}
		return err
	}
	j := &pairJoin{
		order: &o.sortOrder, elements: arrayOf(r.elements), size: driver.SizeOf[T](), out: out, moved: moved,
		lo: lo, middle: middle, hi: hi,
	}
	if moved != nil {
		j.values, j.valueSize = arrayOf(r.values), driver.SizeOf[V]()
	}
	return j.device(&m)
}

// copyPart copies elements [lo, hi).
func copyPart[T any](to, from *devices.Buffer, lo, hi int) error {
	size := int64(driver.SizeOf[T]())
	return to.Copy(int64(lo)*size, from, int64(lo)*size, int64(hi-lo)*size)
}

// pairJoin is a call of joinPair on a device with kernels in C.
type pairJoin struct {
	order          *sortOrder
	elements       *array.Array
	size           int             // bytes of an element
	values         *array.Array    // nil if there are none
	valueSize      int             // bytes of a value
	out, moved     *devices.Buffer // the results; moved is nil without values
	lo, middle, hi int             // the runs are [lo, middle) and [middle, hi)
}

// device launches the kernels.
func (j *pairJoin) device(m *meta) error {
	const room = 32 << 10 // local memory for a tile of elements
	o, lo, middle, hi := j.order, j.lo, j.middle, j.hi
	d, size := m.device(), j.size
	lanes, items := sortLanes, 8
	for lanes*items*size > room && items > 1 {
		items /= 2
	}
	for lanes*size > room && lanes > 1 {
		lanes /= 2
	}
	n, tile := hi-lo, lanes*items
	if d.Kind() == driver.CPU {
		tile = max(1, min(grain, n/(4*d.Info().Units)))
	}
	tiles := (n + tile - 1) / tile
	splits := uninitialized[int64](tiles+1, m.where)
	defer splits.Free()
	cut, err := arrayOf(splits).Output()
	if err != nil {
		return err
	}
	from, err := j.elements.Memory()
	if err != nil {
		return err
	}
	program := func(kernel string) *program {
		p := newProgram(kernel, o.fun.label)
		o.device(p)
		p.defines += fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n#define TILE %d\n", lanes, items, lanes*items)
		if d.Kind() == driver.CPU {
			lanes = 1
		}
		return p
	}
	length, first := driver.Value(int64(n)), driver.Value(int64(middle-lo))
	p := program("sortsplit")
	defer p.release()
	p.grid = gridOver(tiles + 1)
	if d.Kind() == driver.CPU {
		p.grid = driver.Grid{Groups: int64(tiles + 1), Lanes: 1}
	}
	base := driver.Value(int64(lo))
	p.args = append(p.args, from.Arg(), base, cut.Arg(), first, length, driver.Value(int64(tile)),
		driver.Value(int64(tiles+1)))
	if err := p.launch(d, j.elements, splits, o.extra); err != nil {
		return err
	}
	q := program("sortjoin")
	defer q.release()
	q.grid = driver.Grid{Groups: int64(tiles), Lanes: lanes}
	q.args = append(q.args, from.Arg(), j.out.Arg(), base, cut.Arg())
	keep := []any{j.elements, splits, o.extra}
	if j.moved != nil {
		mem, err := j.values.Memory()
		if err != nil {
			return err
		}
		q.defines += opaqueType("V", j.valueSize)
		q.args = append(q.args, mem.Arg(), j.moved.Arg())
		keep = append(keep, j.values)
	}
	q.args = append(q.args, first, length, driver.Value(int64(tile)))
	return q.launch(d, keep...)
}

// joinNative is joinPair on the CPU.
func joinNative[T, V any](o *ordering[T], m *meta, r, next *runsOf[T, V], lo, middle, hi int) error {
	before, n := o.comparison(), hi-lo
	a, b, out := memoryOf(r.elements)[lo:middle], memoryOf(r.elements)[middle:hi], memoryOf(next.elements)[lo:hi]
	var va, vb, moved []V
	if r.values != nil {
		va, vb, moved = memoryOf(r.values)[lo:middle], memoryOf(r.values)[middle:hi], memoryOf(next.values)[lo:hi]
	}
	p := &program{kernel: "sortjoin", label: o.fun.label, groups: nativeGroups(m.device(), n, 1)}
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(n))
		i, aEnd := mergeSplits(a, b, g, before)
		j := int(from) - i
		bEnd := int(to) - aEnd
		for k := int(from); k < int(to); k++ {
			if second := i >= aEnd || j < bEnd && before(b[j], a[i]); second {
				out[k] = b[j]
				if moved != nil {
					moved[k] = vb[j]
				}
				j++
				continue
			}
			out[k] = a[i]
			if moved != nil {
				moved[k] = va[i]
			}
			i++
		}
	}
	return p.launch(m.device(), r, next, o.extra)
}

// mergeSplits returns how many of the first elements of the merge of a and b come from a:
// of those before the part of group g, and of those up to its end. Halving the groups keeps
// each split between those of other groups, even if before is no order.
func mergeSplits[T any](a, b []T, g driver.Group, before func(a, b T) bool) (first, end int) {
	n := int64(len(a) + len(b))
	lo, hi := driver.Group{ID: 0, Count: g.Count}, driver.Group{ID: g.Count, Count: g.Count}
	first, end = 0, len(a)
	for hi.ID-lo.ID > 1 {
		m := driver.Group{ID: (lo.ID + hi.ID) / 2, Count: g.Count}
		from, _ := lo.Range(n)
		at, _ := m.Range(n)
		to, _ := hi.Range(n)
		split := mergeSplit(a[first:end], b[int(from)-first:int(to)-end], int(at-from), before) + first
		if m.ID <= g.ID {
			lo, first = m, split
		} else {
			hi, end = m, split
		}
	}
	return first, end
}

// mergeSplit returns how many of the first elements of the merge of a and b come from a.
func mergeSplit[T any](a, b []T, first int, before func(a, b T) bool) int {
	lo, hi := max(0, first-len(b)), min(first, len(a))
	for lo < hi {
		middle := (lo + hi) / 2
		if before(b[first-1-middle], a[middle]) {
			hi = middle
		} else {
			lo = middle + 1
		}
	}
	return lo
}
