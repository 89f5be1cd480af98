package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// A stencil over several devices: each computes its rows, and gets from its
// neighbours those beside them, the halo, and nothing else. Of a vector, a row is
// an element.

// windowsOver is a stencil in a place. part is its call for the rows of device
// k, of which there are height.
func windowsOver[In, Out any](s *stencil[In], x *expr[In], p *vector.Place, height, width int,
	part func(k int, p *vector.Place, x *expr[In], height, width int, h halo) *expr[Out]) *expr[Out] {
	row, radius := width, s.rows // elements of a row, and how many rows of the neighbours are read
	if s.vector {
		row, radius = 1, s.cols
	}
	far := s.far(vector.Single(p.Devs[0]), height, width) // a halo is about as large as a part: one device does it all
	if len(p.Devs) == 1 || p.Copies() || row == 0 || far {
		if len(p.Devs) == 1 || row == 0 || far {
			p = vector.PlaceOn(p.Devs[0], x.n)
		}
		x = x.at(p)
		return over(p, x.err, func(k int) *expr[Out] { return part(k, p, x.part(k), height, width, halo{}) })
	}
	p = cutAt(p, row)
	whole := x.whole
	if x = x.at(p); x.whole != nil { // it is in memory, here or where it was moved to
		whole = x.whole
	} else if x.err == nil {
		whole = x.now().Body()
		x = openArray[In](whole)
	}
	if x.err == nil {
		_, x.err = whole.Memory()
	}
	rows := p.N / row
	out := over(p, x.err, func(k int) *expr[Out] {
		lo, hi := p.Bounds(k)
		h, err := s.haloOf(whole, p, k, row, rows, radius)
		if err != nil {
			return &expr[Out]{meta: meta{n: hi - lo, err: err}}
		}
		if s.vector {
			return part(k, p, x.parts[k], 1, hi-lo, h)
		}
		return part(k, p, x.parts[k], (hi-lo)/row, width, h)
	})
	if out.place != nil {
		out.inputs = []*vector.Array{whole}
	}
	return out
}

// haloOf gets the rows beside part k from the devices that hold them. Rows
// beyond the container are what the padding says, unless all at that end are,
// which the kernel then pads itself.
func (s *stencil[In]) haloOf(whole *vector.Array, p *vector.Place, k, row, rows, radius int) (halo, error) {
	lo, hi := p.Bounds(k)
	first, end := lo/row, hi/row
	wrap := s.padding == vector.Wrap
	h := halo{above: radius > 0 && (first > 0 || wrap), below: radius > 0 && (end < rows || wrap)}
	if first == end || !h.above && !h.below {
		return halo{}, nil
	}
	on := vector.Single(p.Devs[k])
	var to *vector.Vector[In]
	if s.padding == vector.Neutral && (first < radius || end > rows-radius) {
		neutral := make([]In, 2*radius*row)
		for i := range neutral {
			neutral[i] = s.neutral
		}
		to = vector.From(neutral, on)
	} else {
		to = vector.Uninitialised[In](2*radius*row, on)
	}
	h.array = to.Body()
	mem, err := h.array.Output()
	if err != nil {
		return halo{}, err
	}
	c := rowCopy{whole: whole, place: p, row: row * driver.SizeOf[In](), to: mem}
	side := func(wanted bool, first, at int) error {
		for r := 0; wanted && r < radius; r++ {
			from := paddedIndex(s.padding, first+r, rows)
			if from < 0 {
				continue
			}
			if err := c.add(from, at+r, row); err != nil {
				return err
			}
		}
		return c.flush()
	}
	if err := firstError(side(h.above, first-radius, 0), side(h.below, end, radius)); err != nil {
		return halo{}, h.array.Fail(err)
	}
	return h, nil
}

// rowCopy copies rows of a container over several devices, those that follow
// each other together.
type rowCopy struct {
	whole       *vector.Array
	place       *vector.Place
	row         int // bytes
	to          *devices.Buffer
	part        int
	from, at, n int // the rows of the part that are to be copied, and to where
}

// add copies row from of the container to row at; elements are those of a row.
func (c *rowCopy) add(from, at, elements int) error {
	k := 0
	for _, hi := c.place.Bounds(k); from*elements >= hi; _, hi = c.place.Bounds(k) {
		k++
	}
	lo, _ := c.place.Bounds(k)
	from -= lo / elements
	if c.n > 0 && k == c.part && from == c.from+c.n && at == c.at+c.n {
		c.n++
		return nil
	}
	err := c.flush()
	c.part, c.from, c.at, c.n = k, from, at, 1
	return err
}

func (c *rowCopy) flush() error {
	if c.n == 0 {
		return nil
	}
	part, err := c.whole.Part(c.part)
	if err != nil {
		return err
	}
	mem, err := part.Memory()
	if err != nil {
		return err
	}
	err = c.to.Copy(int64(c.at*c.row), mem, int64(c.from*c.row), int64(c.n*c.row))
	c.n = 0
	return err
}
