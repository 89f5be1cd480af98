package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// carriedBytes is the greatest size of an element that a radix sort moves in every pass.
// Larger ones are sorted as pairs of a key and an index, and moved once.
const carriedBytes = 16

// radixSort is a sort by number keys on one device. It does not depend on the types of keys
// and values, so that it is compiled once.
type radixSort struct {
	m     *meta
	label string
	n     int
	key   *sortKey
	text  func(p *program) // adds the order to a program
	load  accessor         // reads the elements

	byValue  bool
	size     int             // bytes of an element
	input    *devices.Buffer // the elements, if they are in memory
	out      *devices.Buffer // the elements in order; nil if they are not wanted
	order    *devices.Buffer // the indices in order; nil if they are not wanted
	values   *devices.Buffer // the values that belong to the elements; nil if there are none
	moved    *devices.Buffer // the values in order
	valueLen int             // bytes of a value
	keep     []any           // the owners of the memory
	owned    []*vector.Vector[uint64]
}

// radixOf returns a sort of x, whose results are not set yet.
func (o *ordering[T]) radixOf(m *meta, x *expr[T]) (*radixSort, error) {
	r := &radixSort{m: m, label: o.fun.label, n: x.n, key: o.key, text: o.device, byValue: o.byValue}
	r.size, r.keep = driver.SizeOf[T](), []any{x, o.extra}
	r.load = accessor{name: "load", ctype: o.ctype(), node: x.node}
	if x.kind != memory {
		return r, nil
	}
	var err error
	r.input, err = x.inputs[0].Memory()
	return r, err
}

// radixInto sorts x into out by number keys.
func (o *ordering[T]) radixInto(m *meta, out *array.Array, x *expr[T]) error {
	if m.device().Native() {
		return o.radixNative(m, out, x)
	}
	r, err := o.radixOf(m, x)
	if err != nil {
		return err
	}
	if r.out, err = out.Memory(); err != nil {
		return err
	}
	r.keep = append(r.keep, out)
	return r.run()
}

// radixOrderInto stores the indices of the elements of x in out, in the order of their keys.
func (o *ordering[T]) radixOrderInto(m *meta, out *array.Array, x *expr[T]) error {
	if m.device().Native() {
		return o.radixOrderNative(m, out, x)
	}
	r, err := o.radixOf(m, x)
	if err != nil {
		return err
	}
	if r.order, err = out.Memory(); err != nil {
		return err
	}
	r.keep = append(r.keep, out)
	return r.run()
}

// run sorts on a device that runs kernels in C.
func (r *radixSort) run() error {
	defer func() {
		for _, v := range r.owned {
			v.Free()
		}
	}()
	d := r.m.device()
	warps := d.Kind() != driver.CPU && d.Info().Warp == fan && d.Info().Progress
	switch {
	case warps && r.n <= sortSmallTile:
		return r.small(d)
	case r.out != nil && !r.byValue && r.size > carriedBytes:
		return r.gathered(d)
	case r.out != nil && r.out == r.input && r.key.width == 8: // a single pass cannot sort in place
		return r.outOfPlace()
	case warps:
		return r.onesweep(d)
	}
	return r.chunked(d)
}

// outOfPlace sorts into temporary memory, and copies the result.
func (r *radixSort) outOfPlace() error {
	tmp, err := r.temporary(r.n * r.size)
	if err != nil {
		return err
	}
	own := *r
	own.out, own.owned = tmp, nil
	if err := own.run(); err != nil {
		return err
	}
	return r.out.Copy(0, tmp, 0, int64(r.n)*int64(r.size))
}

// gathered sorts indices, and then copies the elements in this order.
func (r *radixSort) gathered(d *devices.Device) error {
	own := *r
	own.out, own.owned = nil, nil
	var err error
	if own.order, err = r.temporary(8 * r.n); err != nil {
		return err
	}
	from := r.input
	if from == nil || from == r.out {
		if from, err = r.temporary(r.n * r.size); err != nil {
			return err
		}
		if err := r.copyElements(d, from); err != nil {
			return err
		}
		own.input = from
	}
	if err := own.run(); err != nil {
		return err
	}
	return r.gather(d, r.out, from, own.order, r.size)
}

// copyElements computes the elements into memory.
func (r *radixSort) copyElements(d *devices.Device, to *devices.Buffer) error {
	if r.input != nil {
		return to.Copy(0, r.input, 0, int64(r.n)*int64(r.size))
	}
	p := newProgram("sortcopy", r.label)
	defer p.release()
	p.accessors = append(p.accessors, r.load)
	p.defines = "#define T " + r.load.ctype + "\n"
	var chunk int
	p.grid, chunk = elementGrid(d, r.n)
	p.args = append(p.args, to.Arg(), driver.Value(int64(r.n)), driver.Value(int64(chunk)))
	return p.launch(d, r.keep...)
}

// gather copies elements of the given size in the order of indices.
func (r *radixSort) gather(d *devices.Device, out, from, order *devices.Buffer, size int) error {
	p := newProgram("sortgather", r.label)
	defer p.release()
	p.defines = opaqueType("V", size)
	p.grid, _ = elementGrid(d, r.n)
	p.args = append(p.args, out.Arg(), from.Arg(), order.Arg(), driver.Value(int64(r.n)))
	return p.launch(d, r.keep...)
}

// temporary returns memory that is freed at the end of the sort.
func (r *radixSort) temporary(bytes int) (*devices.Buffer, error) {
	v := uninitialized[uint64]((bytes+7)/8, r.m.where)
	r.owned, r.keep = append(r.owned, v), append(r.keep, v)
	return arrayOf(v).Output()
}

// opaqueType returns the C definition of a type of the given size, for kernels that only copy
// its values.
func opaqueType(name string, size int) string {
	switch size {
	case 1, 2, 4, 8, 16:
		return fmt.Sprintf("#define %s %s\n", name, vectorType(size))
	}
	unit := 8
	for size%unit != 0 {
		unit /= 2
	}
	return fmt.Sprintf("typedef struct { u%d w[%d]; } %s_words;\n#define %s %s_words\n", 8*unit, size/unit,
		name, name, name)
}
