package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// selects reports whether the kernel top finds the first k on d.
func (o *sortOrder) selects(d *devices.Device, k int) bool {
	info := d.Info()
	return o.key != nil && k <= mostTop && info.Kind != driver.CPU && info.Warp == fan && info.LocalMemory >= 48<<10
}

// topReads is the number of bytes that a lane reads before it compares the elements.
const topReads = 64

// topReading says how the lanes of a group read a tile: each reads `once` chunks of `chunk` elements.
type topReading struct{ chunk, once int }

// topReadingOf returns how groups read pieces of x with the given length. The pieces begin at multiples of
// `apart`; 0 stands for the beginnings of tiles.
func topReadingOf[T any](x *expr[T], length, apart int) topReading {
	r := topReading{chunk: runChunk(x.node, wholeVector, wholeVector), once: 4}
	for apart%r.chunk != 0 {
		r.chunk /= 2
	}
	if !x.node.heavy() {
		most := min(wholeVector, 32/r.chunk) // a lane has a bit for each element
		r.once = min(max(r.once, topReads/(r.chunk*max(1, x.node.reads()))), most)
	}
	for r.once > 1 && r.tile() >= 2*length { // read by all lanes
		r.once /= 2
	}
	return r
}

// within returns r with a tile of at most n elements, or with the smallest one.
func (r topReading) within(n int) topReading {
	for r.once > 1 && r.tile() > n {
		r.once /= 2
	}
	for r.chunk > 1 && r.tile() > n {
		r.chunk /= 2
	}
	return r
}

// tile returns the number of elements that a group reads at once.
func (r topReading) tile() int { return lanes * r.chunk * r.once }

// topProgram returns a program of the kernel top or topsample, without its grid and arguments.
func (o *ordering[T]) topProgram(kernel string, x *expr[T], r topReading) *program {
	p := newProgram(kernel, o.fun.label)
	p.defines = topDefines + fmt.Sprintf("#define AT_ONCE %d\n", r.once)
	p.accessors = append(p.accessors,
		accessor{name: "load", ctype: o.ctype(), node: x.node, chunk: r.chunk, aligned: true})
	o.device(p)
	p.files = append(p.files, "topentries")
	return p
}

// topDefines is what all kernels of this file need to know.
var topDefines = fmt.Sprintf("#define LANES %d\n#define ENTRIES %d\n", lanes, topEntries)

const (
	// topGroups is the number of groups for each compute unit, as many as it has registers for.
	topGroups = 4

	// topAlone is the number of tiles that one group takes alone.
	topAlone = 4

	// topShare is the least number of elements for each element of a sample.
	topShare = 8

	// topSideBySide is SIDE_BY_SIDE in topsample.cl.
	topSideBySide = 4
)

// topDevice stores the indices of the first k elements of x in mem. The first launch takes a sample, from
// which the groups of the second know from the start which elements cannot be among the first k. Each of them
// lists the first k elements of some tiles. The third launch joins the lists.
func (o *ordering[T]) topDevice(d *devices.Device, x *expr[T], k int, mem *devices.Buffer) error {
	r := topReadingOf(x, x.n, 0)
	p := o.topProgram("top", x, r)
	defer p.release()
	tiles := (x.n-1)/r.tile() + 1
	if tiles <= topAlone {
		p.grid = driver.Grid{Groups: 1, Lanes: lanes}
		p.args = append(append(p.args, mem.Arg()), topPieces(k, x.n, x.n, x.n, r.tile())...)
		return p.launch(d, x, mem, o.extra)
	}
	groups := min(tiles, d.Info().Units*topGroups)
	keys, keysArg := topScratch(d, groups*k)
	defer keys.Free()
	positions, positionsArg := topScratch(d, groups*k)
	defer positions.Free()
	sample, sampleArg := topScratch(d, lanes)
	defer sample.Free()
	if err := firstError(keys.Err(), positions.Err(), sample.Err()); err != nil {
		return err
	}
	if of := r.within(x.n / (lanes * topShare)); of.tile()*lanes*topShare <= x.n {
		if err := o.topSample(d, x, of, sampleArg, sample); err != nil {
			return err
		}
		p.defines += "#define SAMPLED\n"
		p.args = append(p.args, sampleArg)
	}
	p.defines += "#define LIST\n"
	p.grid = driver.Grid{Groups: int64(groups), Lanes: lanes}
	p.args = append(append(p.args, keysArg, positionsArg), topPieces(k, x.n, r.tile(), x.n, groups*r.tile())...)
	if err := p.launch(d, x, o.extra, sample, keys, positions); err != nil {
		return err
	}
	q := newProgram("topjoin", o.fun.label)
	defer q.release()
	q.files = append(q.files, "topentries")
	q.defines = topDefines + fmt.Sprintf("#define KEY_U %s\n", o.key.bitsType())
	q.grid = driver.Grid{Groups: 1, Lanes: lanes}
	q.args = append(q.args, keysArg, positionsArg, mem.Arg(), driver.Value(int64(k)), driver.Value(int64(groups)))
	return q.launch(d, keys, positions, mem)
}

// topPieces returns the last arguments of the kernel top. A piece is `length` of the n elements from its
// number times stride on, and its tiles begin every step elements.
func topPieces(k, n, stride, length, step int) []driver.Arg {
	return []driver.Arg{
		driver.Value(int64(k)), driver.Value(int64(n)),
		driver.Value(int64(stride)), driver.Value(int64(length)), driver.Value(int64(step)),
	}
}

// topSample stores the least key of each of `lanes` sets of elements of x, of which each is spread evenly
// over x.
func (o *ordering[T]) topSample(d *devices.Device, x *expr[T], r topReading, out driver.Arg, of *array.Array) error {
	p := o.topProgram("topsample", x, r)
	defer p.release()
	apart := x.n / (lanes * r.tile()) * r.chunk * topSideBySide
	p.grid = driver.Grid{Groups: lanes, Lanes: lanes}
	p.args = append(p.args, out, driver.Value(int64(apart)))
	return p.launch(d, x, o.extra, of)
}

// topScratch returns memory for n keys or positions, which lasts until the launches have run.
func topScratch(d *devices.Device, n int) (*array.Array, driver.Arg) {
	a := arrayOf(uninitialized[uint64](n, array.Single(d)))
	m, err := a.Output()
	if err != nil {
		return a, driver.Arg{}
	}
	return a, m.Arg()
}
