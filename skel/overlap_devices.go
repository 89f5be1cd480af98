package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// In a stencil over several devices, each device computes its own rows. It receives the
// rows next to them, the halo, from its neighbours, and nothing else. A row of a vector
// is an element.

// windowsOver returns the stencil of x at p. part returns the stencil of height rows on
// device k.
func windowsOver[In, Out any](
	s *stencil[In], x *expr[In], p *array.Place, height, width int,
	part func(k int, p *array.Place, x *expr[In], height, width int, h halo) *expr[Out],
) *expr[Out] {
	row, radius := width, s.rows // elements of a row, and rows of the neighbours that are read
	if s.vector {
		row, radius = 1, s.cols
	}
	if len(p.Devs) == 1 || p.Copies() || row == 0 {
		if len(p.Devs) == 1 || row == 0 {
			p = array.PlaceOn(p.Devs[0], x.n)
		}
		x = x.at(p)
		return over(p, x.err, func(k int) *expr[Out] { return part(k, p, x.part(k), height, width, halo{}) })
	}
	p = cutAt(p, row)
	reads := x.reads()
	x = x.at(p)
	whole := x.body // not nil if x is in memory, here or where it was moved to
	if whole == nil && x.err == nil {
		whole = arrayOf(x.now())
	}
	if x.err == nil {
		// The halos are read from memory, so the parts need not compute the input again.
		if _, x.err = whole.Memory(); x.err == nil {
			x = openArray[In](whole)
		}
	}
	rows := p.N / row
	out := over(p, x.err, func(k int) *expr[Out] {
		lo, hi := p.Bounds(k)
		h, err := s.haloOf(whole, p, k, row, rows, radius)
		if err != nil {
			return &expr[Out]{meta: meta{n: hi - lo, err: err}}
		}
		var y *expr[Out]
		if s.vector {
			y = part(k, p, x.parts[k], 1, hi-lo, h)
		} else {
			y = part(k, p, x.parts[k], (hi-lo)/row, width, h)
		}
		y.viewed = join(reads, y.viewed, nil)
		return y
	})
	if out.place != nil {
		out.inputs = append(reads, whole)
	}
	return out
}

// reads returns the containers from which an expression is computed, and their parts.
func (x *expr[T]) reads() []*array.Array {
	all := slices.Clone(x.inputs)
	for _, part := range x.parts {
		all = append(all, part.inputs...)
	}
	return all
}

// haloOf copies the rows next to part k from the devices that hold them. Rows beyond the
// container are filled according to the padding, unless all rows at that end are beyond
// the container; then the kernel does the padding.
func (s *stencil[In]) haloOf(whole *array.Array, p *array.Place, k, row, rows, radius int) (halo, error) {
	lo, hi := p.Bounds(k)
	first, end := lo/row, hi/row
	wrap := s.padding == vector.Wrap
	h := halo{above: radius > 0 && (first > 0 || wrap), below: radius > 0 && (end < rows || wrap)}
	if first == end || !h.above && !h.below {
		return halo{}, nil
	}
	on := array.Single(p.Devs[k])
	var to *vector.Vector[In]
	if s.padding == vector.Neutral && (first < radius || end > rows-radius) {
		neutral := make([]In, 2*radius*row)
		for i := range neutral {
			neutral[i] = s.neutral
		}
		// Not recorded: iterations do not change the rows beyond the container.
		unrecorded(func() { to = uploaded(neutral, on) })
	} else {
		to = uninitialized[In](2*radius*row, on)
	}
	h.array = arrayOf(to)
	mem, err := h.array.Output()
	if err != nil {
		return halo{}, err
	}
	from := rowsIn{place: p, row: row, size: driver.SizeOf[In](), padding: s.padding}
	from.part = func(k int) (*array.Array, int, error) {
		part, err := whole.Part(k)
		lo, _ := p.Bounds(k)
		return part, lo / row, err
	}
	if h.above {
		err = from.copy(mem, 0, first-radius, radius)
	}
	if h.below && err == nil {
		err = from.copy(mem, radius, end, radius)
	}
	if err != nil {
		return halo{}, h.array.Fail(err)
	}
	return h, nil
}

// rowsIn holds the rows of a container at a place. part returns the memory of part k and
// the number of its first row; the memory may hold more rows than those of the part.
type rowsIn struct {
	place   *array.Place
	row     int // elements of a row
	size    int // bytes of an element
	padding vector.Padding
	part    func(k int) (part *array.Array, first int, err error)
}

// copy copies n rows, beginning with row from, which may be beyond the container, to row
// at of a buffer. With neutral padding, copy skips rows beyond the container.
func (s *rowsIn) copy(to *devices.Buffer, at, from, n int) error {
	rows, bytes := s.place.N/s.row, int64(s.row*s.size)
	for n > 0 {
		m := 1
		if r := paddedIndex(s.padding, from, rows); r >= 0 {
			k := 0
			for _, hi := s.place.Bounds(k); r*s.row >= hi; _, hi = s.place.Bounds(k) {
				k++
			}
			if _, hi := s.place.Bounds(k); r == from || s.padding == vector.Wrap {
				m = min(n, hi/s.row-r)
			}
			part, first, err := s.part(k)
			if err != nil {
				return err
			}
			mem, err := part.Memory()
			if err != nil {
				return err
			}
			if err := to.Copy(int64(at)*bytes, mem, int64(r-first)*bytes, int64(m)*bytes); err != nil {
				return err
			}
		}
		from, at, n = from+m, at+m, n-m
	}
	return nil
}
