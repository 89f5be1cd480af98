package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Float is the type of the elements of small dense matrices.
//
// A batch of such matrices is a stack: one matrix.Matrix that holds them one below the
// other. Each is factorized on its own. Results are computed at once, but nothing waits
// for the device, so the calls can be recorded in a [Loop]. Each element accumulates its
// terms one after the other, in a documented order, so results are bit-identical on all
// devices. If a stack is spread over several devices, each computes the matrices that it
// holds most of.
type Float interface{ float32 | float64 }

// dense is a call that computes each matrix of its results from one matrix of each of
// its inputs. All are stacks with the same number of matrices. The last matrix of an input
// may have fewer rows than the others.
type dense[T Float] struct {
	fun   *function // names the call in errors
	count int       // matrices of each stack
	in    []denseInput[T]
	out   []denseShape

	// run computes count matrices on the device of m, at least one of at least one element.
	run func(m *meta, count int, in []*expr[T], out []*array.Array) error
}

// denseShape is the shape of each matrix of a stack.
type denseShape struct{ rows, cols int }

// denseInput is a stack.
type denseInput[T Float] struct {
	x *expr[T]
	denseShape
}

// newDense returns a call for the stack m of matrices with the given number of rows. It
// panics unless the rows of m divide into such matrices.
func newDense[T Float](name string, m matrix.Source[T], rows int) *dense[T] {
	c := &dense[T]{fun: &function{label: name}}
	if rows < 0 || rows == 0 && m.Rows() > 0 || rows > 0 && m.Rows()%rows != 0 {
		panic(fmt.Sprintf("skel: %s: a matrix of %d x %d is not a stack of matrices with %d rows",
			name, m.Rows(), m.Cols(), rows))
	}
	if rows > 0 {
		c.count = m.Rows() / rows
	}
	c.in = []denseInput[T]{{openMatrix(m), denseShape{rows, m.Cols()}}}
	return c
}

// results returns the elements of the results.
func (c *dense[T]) results() []*vector.Vector[T] {
	sources, in := make([]*meta, len(c.in)), make([]*expr[T], len(c.in))
	for i := range c.in {
		in[i] = c.in[i].x
		sources[i] = &in[i].meta
	}
	at := scattered(nil, sources...)
	if at == nil {
		return c.local(c.count, in)
	}
	return c.over(at)
}

// over is results for a call at a place.
func (c *dense[T]) over(at *array.Place) []*vector.Vector[T] {
	if len(at.Devs) == 1 || at.N == 0 {
		return c.local(c.count, c.moved(func(in denseInput[T]) *array.Place {
			return array.PlaceOn(at.Devs[0], in.x.n)
		}))
	}
	counts := make([]int, len(at.Devs)+1) // matrices up to each device
	for k := range at.Devs {
		_, hi := at.Bounds(k)
		counts[k+1] = int(float64(hi)/float64(at.N)*float64(c.count) + 0.5)
	}
	place := func(s denseShape, height int) *array.Place {
		if at.Copies() {
			return uncombined(at).Dist.Place(height, s.cols)
		}
		rows := make([]int, len(counts))
		for k, n := range counts {
			rows[k] = min(n*s.rows, height)
		}
		return at.Cut(rows, s.cols)
	}
	in := c.moved(func(in denseInput[T]) *array.Place { return place(in.denseShape, in.x.n/max(in.cols, 1)) })
	parts := make([][]*array.Array, len(c.out))
	for k := range at.Devs {
		mine, count := make([]*expr[T], len(in)), counts[k+1]-counts[k]
		if at.Copies() {
			count = c.count
		}
		for i, x := range in {
			if mine[i] = x; x.err == nil {
				mine[i] = x.part(k)
			}
		}
		for i, v := range c.local(count, mine) {
			parts[i] = append(parts[i], arrayOf(v))
		}
	}
	var out []*vector.Vector[T]
	for i, s := range c.out {
		out = append(out, joined[T](place(s, c.count*s.rows), parts[i]))
	}
	return out
}

// moved returns the inputs at the places that place returns.
func (c *dense[T]) moved(place func(in denseInput[T]) *array.Place) []*expr[T] {
	moved := make([]*expr[T], len(c.in))
	for i, in := range c.in {
		moved[i] = in.x.at(place(in))
	}
	return moved
}

// local is results for inputs on one device.
func (c *dense[T]) local(count int, in []*expr[T]) []*vector.Vector[T] {
	var m meta
	for _, x := range in {
		x.settleProduced()
		m.merge(c.fun, x.where, x.err)
	}
	vectors, arrays, elements := make([]*vector.Vector[T], len(c.out)), make([]*array.Array, len(c.out)), 0
	for i, s := range c.out {
		n, err := array.Count(count*s.rows, s.cols)
		if m.err == nil && err != nil {
			m.err = fmt.Errorf("skel: %s: %w", c.fun.label, err)
		}
		if m.err == nil {
			vectors[i] = uninitialized[T](n, m.where)
			arrays[i] = arrayOf(vectors[i])
			_, m.err = arrays[i].Output()
		}
		elements += n
	}
	if m.err == nil && elements > 0 {
		m.err = c.run(&m, count, in, arrays)
	}
	for i, s := range c.out {
		switch {
		case m.err == nil:
		case vectors[i] == nil:
			vectors[i] = failed[T](count*s.rows*s.cols, m.err)
		default:
			_ = arrays[i].Fail(m.err)
		}
	}
	return vectors
}

// denseProgram returns a program of a kernel for small matrices, for devices with C.
func denseProgram[T Float](kernel, label string) *program {
	p := newProgram(kernel, label)
	p.defines = "#define T " + denseType[T]() + "\n"
	if driver.SizeOf[T]() == 8 {
		p.defines += "#define DOUBLE\n"
	}
	p.files = append(p.files, "dense")
	return p
}

// denseType returns the name of T in C.
func denseType[T Float]() string {
	if driver.SizeOf[T]() == 4 {
		return "f32"
	}
	return "f64"
}

// denseLayout says how a group works on a matrix.
type denseLayout struct {
	defines string
	lanes   int // 0 on CPUs
	local   int // bytes of local memory; 0 if the matrix is in global memory
}

const (
	denseLocal = 48 << 10 // the most bytes of local memory
	denseWidth = 32       // columns of the table of lanes
)

// denseLayoutOf returns the layout for p x p matrices, of which a group has to have the given
// number of bytes in local memory, and the table of lanes the given width.
func denseLayoutOf(d *devices.Device, p, bytes, width int) denseLayout {
	var l denseLayout
	if d.Kind() == driver.CPU {
		return l
	}
	l.lanes = lanes
	for l.lanes > 32 && (l.lanes >= 8*p || l.lanes > d.Info().MaxGroup) {
		l.lanes /= 2
	}
	l.defines = fmt.Sprintf("#define LANES %d\n#define WIDTH %d\n", l.lanes, width)
	if denseFits(d, bytes) {
		l.defines += "#define STAGED\n"
		l.local = (bytes + 15) &^ 15
	}
	return l
}

// denseFits reports whether a group can have so many bytes of local memory.
func denseFits(d *devices.Device, bytes int) bool {
	return int64(bytes) <= min(d.Info().LocalMemory, denseLocal)
}

// grid returns the grid for n matrices, or parts of matrices.
func (l *denseLayout) grid(d *devices.Device, n int) driver.Grid {
	if l.lanes == 0 {
		return driver.Grid{Groups: int64(min(n, d.Info().Units*16)), Lanes: 1}
	}
	return driver.Grid{Groups: int64(min(n, 1<<20)), Lanes: l.lanes, Local: l.local}
}

// denseNative launches the native form of a call. each computes matrix i, with about the
// given number of steps.
func denseNative(m *meta, name string, count, steps int, each func(s *scratch, i int), keep ...any) error {
	p := newProgram(name, name)
	defer p.release()
	p.divide(m.device(), count, steps)
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(count))
		withScratch(func(s *scratch) {
			for i := int(lo); i < int(hi); i++ {
				before := s.mark()
				each(s, i)
				s.release(before)
			}
		})
	}
	return p.launch(m.device(), keep...)
}
