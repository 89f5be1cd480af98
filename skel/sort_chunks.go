package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// On devices without warps, a pass of a radix sort takes three launches: the groups count the
// values of the digit in their chunks (kernels/sortcount.cl), one group computes where each
// chunk begins to write each value (sortstarts.cl), and the groups move their chunks
// (sortscatter.cl).

const (
	sortLanes      = 256 // lanes of a group of a GPU
	sortLaneItems  = 4   // keys that a lane moves at a time
	sortGroupTiles = 8   // least number of tiles of a chunk
)

// sortWideDigits is the number of keys of 64 bits from which a CPU sorts them by 11 bits at a
// time instead of 8, as [digitBins] explains: six passes instead of eight.
const sortWideDigits = 1 << 16

// chunked sorts by passes of three launches.
func (r *radixSort) chunked(d *devices.Device) error {
	digit := 8
	switch {
	case d.Kind() != driver.CPU:
		digit = 4 // the counts of all lanes must fit into local memory
	case r.key.width == 64 && r.n >= sortWideDigits:
		digit = 11
	}
	passes := (r.key.width + digit - 1) / digit // an even number, or 1
	s, err := r.sweep(passes)
	if err != nil {
		return err
	}
	grid := driver.Grid{Lanes: 1}
	least := grain
	if d.Kind() != driver.CPU {
		grid.Lanes, least = sortLanes, sortLanes*sortLaneItems*sortGroupTiles
	}
	grid.Groups = int64(max(1, min(4*d.Info().Units, r.n/least)))
	chunk := (r.n + int(grid.Groups) - 1) / int(grid.Groups)
	counts, err := r.temporary(8 * int(grid.Groups) << digit)
	if err != nil {
		return err
	}
	if err := r.storeKeys(d, s); err != nil {
		return err
	}
	for pass := range passes {
		c := &chunkPass{
			s: s, pass: pass, left: passes - 1 - pass, digit: digit, chunk: chunk, counts: counts, grid: grid,
		}
		if err := r.chunkPass(d, c); err != nil {
			return err
		}
	}
	return nil
}

// storeKeys computes keys and elements into memory, unless they are there.
func (r *radixSort) storeKeys(d *devices.Device, s *sweep) error {
	if s.keepKeys == nil && s.keepElements == nil {
		return nil
	}
	p := newProgram("sortkeys", r.label)
	defer p.release()
	p.accessors = append(p.accessors, r.load)
	r.text(p)
	var chunk int
	p.grid, chunk = elementGrid(d, r.n)
	p.args = append(p.args, driver.Value(int64(r.n)), driver.Value(int64(chunk)))
	s.keeping(p)
	return p.launch(d, r.keep...)
}

// chunkPass is a pass over one digit.
type chunkPass struct {
	s          *sweep
	pass, left int // the number of the pass, and the number of those after it
	digit      int // bits
	chunk      int // keys of a chunk
	counts     *devices.Buffer
	grid       driver.Grid
}

// chunkPass launches the three kernels of a pass.
func (r *radixSort) chunkPass(d *devices.Device, c *chunkPass) error {
	s := c.s
	turn := (c.pass + 1) & 1
	if r.byValue && r.out != nil {
		turn = c.left & 1
	}
	from, to := s.keys0, s.keys1
	if turn == 0 {
		from, to = to, from
	}
	if c.pass == 0 {
		from = s.keys
	}
	program := func(kernel string) *program {
		p := newProgram(kernel, r.label)
		p.grid = c.grid
		r.keyText(p)
		p.defines += fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n#define DIGIT_VALUES %d\n"+
			"#define DIGIT(x) ((u32)(BITS_OF(x) >> shift) & %d)\n", sortLanes, sortLaneItems, 1<<c.digit, 1<<c.digit-1)
		return p
	}
	n, chunk, shift := driver.Value(int64(r.n)), driver.Value(int64(c.chunk)), driver.Value(int32(c.pass*c.digit))

	p := program("sortcount")
	defer p.release()
	p.args = append(p.args, from.Arg(), c.counts.Arg(), n, chunk, shift)
	if err := p.launch(d, r.keep...); err != nil {
		return err
	}

	q := program("sortstarts")
	defer q.release()
	q.grid.Groups = 1
	q.args = append(q.args, c.counts.Arg(), driver.Value(c.grid.Groups<<c.digit))
	if err := q.launch(d, r.keep...); err != nil {
		return err
	}

	w := program("sortscatter")
	defer w.release()
	w.args = append(w.args, from.Arg(), to.Arg())
	if !r.byValue && c.left == 0 || r.out == nil && c.left == 0 {
		w.defines += "#define NO_KEYS\n"
	}
	if s.valueSize > 0 {
		from, to := s.values0, s.extra
		if c.left&1 == 0 {
			from, to = to, from
		}
		if c.pass == 0 {
			from = s.values
		}
		out := "V"
		if r.order != nil && c.pass == 0 {
			w.defines += "#define FIRST_INDICES\n"
		}
		if r.order != nil && c.left == 0 {
			out = "i64"
		}
		r.valueText(w, s.valueSize)
		w.defines += "#define V_OUT " + out + "\n"
		w.args = append(w.args, from.Arg(), to.Arg())
	}
	w.args = append(w.args, c.counts.Arg(), n, chunk, shift)
	return w.launch(d, r.keep...)
}
