package skel

import (
	"math"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Devices can compute several steps of an iteration without an exchange. Besides its
// own rows, each device then keeps the ghost rows: the rows of its neighbours that
// influence its own rows in these steps. It computes the ghost rows, too. After every
// step, radius more rows at each end are invalid. When all ghost rows are invalid, the
// devices exchange rows. See Meng and Skadron, Performance modeling and automatic ghost zone
// optimization for iterative stencil loops on GPUs (ICS 2009).

const (
	// mostSteps limits the steps between two exchanges if the program does not set
	// their number.
	mostSteps = 32
	// An exchange takes about as long as a device takes to read and write this many
	// bytes.
	exchangeGPU = 160 << 20
	exchangeCPU = 1 << 20
)

// exchangeEvery returns the number of steps between two exchanges of rows; 1 if ghost
// rows would not help. The program may have set it with Exchange.
func (it *iteration[T]) exchangeEvery(v *vector.Vector[T], steps int) int {
	p := arrayOf(v).Place()
	if p == nil || p.Copies() || it.row == 0 || it.writes() {
		return 1
	}
	p = cutAt(p, it.row)
	least := p.N // the rows of the smallest part
	for k := range p.Devs {
		lo, hi := p.Bounds(k)
		least = min(least, (hi-lo)/it.row)
	}
	radius := max(1, it.radius())
	every := it.every
	if every == 0 {
		every = bestEvery(p.Devs[0].Kind(), 2*least*it.row*driver.SizeOf[T](), least, radius, steps)
	}
	return min(every, steps, least/radius)
}

// bestEvery returns the number of steps between two exchanges that costs least. bytes is
// what a device reads and writes in a step, in the given number of rows. With k steps
// between exchanges, a step bears a k-th of the cost of an exchange and computes, on
// average, k * radius ghost rows. In addition, the rows are copied once to a buffer
// with room for ghost rows and once back.
func bestEvery(kind driver.Kind, bytes, rows, radius, steps int) int {
	exchange := float64(exchangeCPU)
	if kind == driver.GPU {
		exchange = exchangeGPU
	}
	step := float64(max(bytes, 1))
	every := min(mostSteps, max(1, int(math.Sqrt(exchange/step*float64(rows)/float64(radius)))))
	cost := exchange/float64(every) + step*float64(every*radius)/float64(max(rows, 1))
	if float64(steps)*(exchange-cost) < 2*step {
		return 1
	}
	return every
}

// writes reports whether the extra argument has out-views. If so, every element must be
// computed exactly once, and ghost rows are not allowed.
func (it *iteration[T]) writes() bool { return it.fun.plan.writes() }

// radius returns the number of rows of a neighbour that a step reads.
func (s *stencil[T]) radius() int {
	if s.vector {
		return s.cols
	}
	return s.rows
}

// ghosted holds the rows that a device keeps: its own rows of the container, with ghost
// rows above and below them.
type ghosted[T any] struct {
	pair[T]
	first, own   int // the first of its own rows in the container, and their number
	above, below int // numbers of ghost rows
}

// withGhosts applies the given number of steps to all.now. every is the
// number of steps between two exchanges of rows.
func (it *iteration[T]) withGhosts(all *pair[T], steps, every int) error {
	p := cutAt(arrayOf(all.now).Place(), it.row)
	whole, err := arrayOf(all.now).At(p)
	if err != nil {
		return err
	}
	kept := it.keep(p, every*it.radius())
	defer func() {
		for _, g := range kept {
			g.free()
		}
	}()
	from := it.rowsOf(p, func(k int) (*array.Array, int, error) {
		part, err := whole.Part(k)
		return part, kept[k].first, err
	})
	for _, g := range kept {
		to, err := arrayOf(g.now).Output()
		if err == nil {
			err = from.copy(to, 0, g.first-g.above, g.above+g.own+g.below)
		}
		if err != nil {
			return err
		}
	}
	for done := range steps {
		if done > 0 && done%every == 0 {
			if err := it.exchange(kept, p); err != nil {
				return err
			}
		}
		for _, g := range kept {
			if err := g.step(it); err != nil {
				return err
			}
		}
	}
	before := pair[T]{now: all.now}
	before.free()
	all.now, all.spare = (*vector.Vector[T])(array.UninitializedAt[T](p)), nil
	return it.collect(kept, arrayOf(all.now))
}

// keep returns the rows that each device keeps, with reach ghost rows at each end.
func (it *iteration[T]) keep(p *array.Place, reach int) []*ghosted[T] {
	rows := p.N / it.row
	var kept []*ghosted[T]
	for k, d := range p.Devs {
		lo, hi := p.Bounds(k)
		g := &ghosted[T]{first: lo / it.row, own: (hi - lo) / it.row, above: reach, below: reach}
		if it.padding != vector.Wrap { // there are no ghost rows beyond the ends of the container
			g.above, g.below = min(reach, g.first), min(reach, rows-g.first-g.own)
		}
		g.now = uninitialized[T]((g.above+g.own+g.below)*it.row, array.Single(d))
		kept = append(kept, g)
	}
	return kept
}

// exchange copies all ghost rows from the devices that own them.
func (it *iteration[T]) exchange(kept []*ghosted[T], p *array.Place) error {
	from := it.rowsOf(p, func(k int) (*array.Array, int, error) {
		return arrayOf(kept[k].now), kept[k].first - kept[k].above, nil
	})
	for _, g := range kept {
		to, err := arrayOf(g.now).Memory()
		if err == nil {
			err = from.copy(to, 0, g.first-g.above, g.above)
		}
		if err == nil {
			err = from.copy(to, g.above+g.own, g.first+g.own, g.below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// collect copies every device's own rows to its part of a container.
func (it *iteration[T]) collect(kept []*ghosted[T], out *array.Array) error {
	for k, g := range kept {
		part, err := out.Part(k)
		if err != nil {
			return err
		}
		to, err := part.Output()
		if err != nil {
			return err
		}
		from, err := arrayOf(g.now).Memory()
		if err != nil {
			return err
		}
		bytes := int64(it.row * driver.SizeOf[T]())
		if err := to.Copy(0, from, int64(g.above)*bytes, int64(g.own)*bytes); err != nil {
			return part.Fail(err)
		}
	}
	return nil
}

// rowsOf returns the rows of the container that is iterated. part returns the array on
// device k and its first row.
func (it *iteration[T]) rowsOf(p *array.Place, part func(k int) (*array.Array, int, error)) *rowsIn {
	return &rowsIn{place: p, row: it.row, size: driver.SizeOf[T](), padding: it.padding, part: part}
}
