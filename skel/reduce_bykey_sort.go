package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// keySort holds what the kernels share that sort elements by key.
type keySort struct {
	d              *devices.Device
	op             *folding
	of             *expr[int32] // the keys, in memory
	label, defines string
	n              int
	most           uint32
	tile, tiles    int
	passes, width  int  // passes, and bits of a digit
	local          bool // elements are sorted in local memory before they are written
	mixed          *vector.Vector[int32]
}

// keyPlan returns the plan for sorting k on d.
func (k *sortedKeys[T]) keyPlan(d *devices.Device) *keySort {
	s := &keySort{d: d, op: &k.operator.folding, of: k.of, label: k.operator.fun.label, n: k.x.n, most: k.most()}
	size, position := driver.SizeOf[T](), "u32"
	if s.n >= 1<<32 {
		position = "i64"
	}
	if d.Kind() == driver.CPU {
		s.tiles = max(1, min(d.Info().Units*4, s.n/grain))
		s.passes, s.width = k.digits(8)
	} else {
		digit, items := 4, 4 // without warps, each lane counts every digit in local memory
		if inWarps(d) {
			digit, items = 8, max(4, min(16, 64/size))
		}
		s.passes, s.width = k.digits(digit)
		s.local = size <= 16
		s.tile = lanes * items
		s.tiles = (s.n + s.tile - 1) / s.tile
		s.defines = fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n", lanes, items)
	}
	s.defines += fmt.Sprintf("#define POS %s\n#define BITS %d\n#define RADIX %d\n", position, s.width, 1<<s.width)
	if s.local {
		s.defines += "#define EXCHANGE\n"
	}
	return s
}

// program returns a program of the sort. On CPUs it has a work-item for each tile, and on
// GPUs a group for each.
func (s *keySort) program(kernel string, files ...string) *program {
	p := &program{kernel: kernel, label: s.label, files: append([]string{"keys"}, files...), defines: s.defines}
	p.grid = driver.Grid{Groups: int64(s.tiles), Lanes: lanes}
	if s.d.Kind() == driver.CPU {
		p.grid.Lanes = 1
	}
	return p
}

// device reduces by kernels in C.
func (k *sortedKeys[T]) device(m *meta, c *segmentation) error {
	d := m.device()
	s := k.keyPlan(d)
	given, err := k.of.inputs[0].Memory()
	if err != nil {
		return err
	}
	s.mixed = uninitialized[int32](1, m.where)
	defer s.mixed.Free()
	mixed, err := arrayOf(s.mixed).Output()
	if err != nil {
		return err
	}
	if err := zero(d, mixed, 1); err != nil {
		return err
	}
	if k.x.n > 0 {
		p := s.program("keyorder")
		if p.grid.Lanes > 1 {
			p.grid.Groups = int64((s.n + lanes*16 - 1) / (lanes * 16))
		}
		p.args = []driver.Arg{given.Arg(), mixed.Arg(), driver.Value(int64(s.n)), driver.Value(s.most)}
		if err := p.launch(d, k.of, s.mixed); err != nil {
			return err
		}
	}
	values, sorted, err := k.sort(m, s, given, mixed)
	if err != nil {
		return err
	}
	defer values.Free()
	defer sorted.Free()
	if err := s.cuts(c, given, mixed, sorted); err != nil {
		return err
	}
	return k.operator.segmentsDevice(m, &openVector(values).meta, c, arrayOf(k.out))
}

// sort returns the elements in order of their keys, and the keys, which are not set if the
// given keys are sorted.
func (k *sortedKeys[T]) sort(
	m *meta, s *keySort, given, mixed *devices.Buffer,
) (values *vector.Vector[T], sorted *vector.Vector[int32], err error) {
	counts, err := s.d.Alloc(int64(s.tiles) << s.width * 8)
	if err != nil {
		return nil, nil, err
	}
	defer counts.Free()
	bases, err := s.d.Alloc(8 << s.width)
	if err != nil {
		return nil, nil, err
	}
	defer bases.Free()
	x, of := k.x, given
	for pass := range s.passes {
		nextValues, nextKeys := uninitialized[T](s.n, m.where), uninitialized[int32](s.n, m.where)
		err = s.pass(&x.meta, of, mixed, counts, bases, nextKeys, arrayOf(nextValues), pass*s.width)
		if pass > 0 {
			values.Free()
			sorted.Free()
		}
		values, sorted = nextValues, nextKeys
		if err != nil {
			values.Free()
			sorted.Free()
			return nil, nil, err
		}
		x = openVector(values)
		of, _ = arrayOf(sorted).Memory()
	}
	p := s.program("keycopy")
	if p.grid.Lanes > 1 {
		p.grid.Groups = int64((s.n + lanes*8 - 1) / (lanes * 8))
	}
	s.reads(p, k.x.node)
	out, err := arrayOf(values).Memory()
	if err == nil && s.n > 0 {
		p.args = []driver.Arg{mixed.Arg(), out.Arg(), driver.Value(int64(s.n))}
		err = p.launch(s.d, k.x, values, s.mixed)
	}
	return values, sorted, err
}

// reads adds to p that it reads the elements of x. The operator, which it does not call, declares T.
func (s *keySort) reads(p *program, x *node) {
	p.accessors = []accessor{{name: "load", ctype: s.op.fun.reg.Result, node: x}}
	p.defines += s.op.fun.typed
	p.op, p.opExtra = s.op.fun, s.op.extra
}

// pass sorts x and its keys by the digit that begins at bit shift, unless the given keys are sorted.
func (s *keySort) pass(
	x *meta, of, mixed, counts, bases *devices.Buffer, outKeys *vector.Vector[int32], out *array.Array, shift int,
) error {
	keysMem, err := arrayOf(outKeys).Output()
	if err != nil {
		return err
	}
	mem, err := out.Output()
	if err != nil || s.n == 0 {
		return err
	}
	counter, err := s.d.Counter()
	if err != nil {
		return err
	}
	size := []driver.Arg{
		driver.Value(int64(s.n)), driver.Value(s.most), driver.Value(int32(shift)), driver.Value(int64(s.tiles)),
	}
	p := s.program("keycount")
	p.args = append([]driver.Arg{of.Arg(), mixed.Arg(), counts.Arg()}, size...)
	if err := p.launch(s.d, s.of, s.mixed, of, counts); err != nil {
		return err
	}
	p = s.program("keyscan", "arrive")
	if p.grid.Groups = 1; p.grid.Lanes > 1 {
		p.grid.Groups = 1 << s.width
	}
	p.args = []driver.Arg{mixed.Arg(), counts.Arg(), bases.Arg(), counter, driver.Value(int64(s.tiles))}
	if err := p.launch(s.d, s.mixed, counts, bases); err != nil {
		return err
	}
	p = s.program("keymove")
	s.reads(p, x.node)
	p.args = append([]driver.Arg{of.Arg(), mixed.Arg(), counts.Arg(), bases.Arg(), keysMem.Arg(), mem.Arg()}, size...)
	return p.launch(s.d, x, s.of, s.mixed, of, outKeys, out, counts, bases)
}

// cuts stores where the elements of each key begin.
func (s *keySort) cuts(
	c *segmentation, given, mixed *devices.Buffer, sorted *vector.Vector[int32],
) error {
	of, err := arrayOf(sorted).Memory()
	if err != nil {
		return err
	}
	offsets, err := c.offsets.Memory()
	if err != nil {
		return err
	}
	p := s.program("keycuts")
	if p.grid.Lanes > 1 {
		p.grid = gridOver(c.segments + 1)
	}
	p.args = []driver.Arg{given.Arg(), of.Arg(), mixed.Arg(), offsets.Arg(), driver.Value(int64(c.segments)),
		driver.Value(int64(s.n)), driver.Value(s.most)}
	return p.launch(s.d, s.of, sorted, s.mixed, c.offsetVector)
}
