package skel

import (
	"fmt"
	"math/bits"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// The canonical order of a reduction by key: positions are cut into blocks,
// in each of which every key's elements are folded from left to right,
// starting from the identity. The blocks' results are combined as the rows of
// a matrix are by Cols. A block has 512 to 4096 positions, so that there are
// about a thousand blocks, and more where there are more than 2048 keys, so
// that the results of all blocks are at most half as many as the elements.
// See docs/adr/0007.
const (
	keyBlockMin  = 512
	keyBlockMax  = 4096
	keyBlocks    = 1024
	keysPerBlock = 2 // positions of a block for each key, where that is more
)

// keyBlock is how many of n positions a block has when there are that many
// keys: a power of two.
func keyBlock(n, keys int) int {
	len := max(keyBlockMin, min(keyBlockMax, (n+keyBlocks-1)/keyBlocks), keysPerBlock*keys)
	return 1 << bits.Len(uint(len-1))
}

// ownKernelKeys is from how many keys on it is faster to compute keys in a kernel
// of their own, two at once, than in the one that reduces, though that reads what
// they are computed from again. On an H200, of 10^7 rows of 36 numbers whose keys
// are the nearest of so many centres: 16, 1.35 ms apart and 1.24 together; 256,
// 8.1 ms and 11.7.
const ownKernelKeys = 64

// apart says whether keys are better computed before.
func inOwnKernel(of *expr[int32], keys int) bool {
	if of.parts != nil {
		return inOwnKernel(of.parts[0], keys)
	}
	return keys >= ownKernelKeys && of.err == nil && of.node != nil && of.node.twice() && of.device().Kind() != driver.CPU
}

// keyed is a reduction by key of rows of width elements.
type keyed[T any] struct {
	operator *operator[T]
	x        *expr[T]
	of       *expr[int32]
	n        int // rows
	keys     int
	width    int
	block    int // rows of a block
	blocks   int
}

// byKey is the reduction by key of the rows of x: every group folds some
// blocks, and a second launch, of Cols, combines them.
func (o *operator[T]) byKey(x *expr[T], width int, keys vector.Source[int32], n int) *vector.Vector[T] {
	if n < 0 {
		panic(fmt.Sprintf("skel: %s: the number of keys, %d, is negative", o.fun.label, n))
	}
	if n, err := array.Count(n, width); err != nil {
		return failed[T](n, fmt.Errorf("skel: %s: %w", o.fun.label, err))
	}
	of := open(keys)
	var body *array.Array
	if v, ok := keys.(*vector.Vector[int32]); ok {
		if body = arrayOf(v); inOwnKernel(of, n) {
			_, _ = body.Memory() // its error, if any, sticks to it
			of = openVector(v)
		}
	}
	if width == 1 {
		sameLength(o.fun, x.n, of.n)
	}
	o.fun.ready()
	if p := scattered(o.extra, &x.meta, &of.meta); p != nil {
		return o.byKeyOver(x, of, body, width, n, p)
	}
	return o.byKeyOf(x, width, of, body, n)
}

// byKeyOf is byKey on one device. body is that of the keys, if they have one.
func (o *operator[T]) byKeyOf(x *expr[T], width int, of *expr[int32], body *array.Array, n int) *vector.Vector[T] {
	of.settleProduced()
	m := o.source(x.nearTo(of.where, nil))
	m.merge(o.fun, of.where, of.err)
	return output(&m, n*width, func(out *vector.Vector[T], _ *devices.Buffer) error {
		k := &keyed[T]{operator: o, x: x, of: of, n: of.n, keys: n, width: width, block: keyBlock(of.n, n)}
		k.blocks = max(1, (k.n+k.block-1)/k.block)
		totals := out
		if k.blocks > 1 {
			totals = uninitialized[T](k.blocks*n*width, m.where)
			defer totals.Free()
		}
		err := k.keepKeys(body, func(kept *devices.Buffer) error { return k.launch(&m, totals, kept) })
		if err != nil || k.blocks == 1 {
			return err
		}
		return o.columnsInto(&m, openVector(totals), k.blocks, n*width, out)
	})
}

// keepKeys calls launch, with the memory that the keys are to be put into: a
// launch that computes the keys of wide rows, which costs far more than to
// keep them, is the only one that computes them.
func (k *keyed[T]) keepKeys(keys *array.Array, launch func(kept *devices.Buffer) error) error {
	if keys == nil || k.of.kind != computed || k.width*driver.SizeOf[T]() < 4*driver.SizeOf[int32]() {
		return launch(nil)
	}
	return keys.InPassing(launch)
}

// launch reduces every block into its row of totals.
func (k *keyed[T]) launch(m *meta, totals *vector.Vector[T], kept *devices.Buffer) error {
	d := m.device()
	mem, err := arrayOf(totals).Output()
	if err != nil {
		return err
	}
	p := &program{kernel: "bykey", label: k.operator.fun.label}
	if d.Native() {
		p.groups = nativeGroups(d, k.blocks, k.block*k.width)
		var keep []int32
		if kept != nil {
			keep = driver.Slice[int32](kept.Bytes())[:k.n]
		}
		all := memoryOf(totals)
		p.native = func(g driver.Group) {
			from, to := g.Range(int64(k.blocks))
			withScratch(func(s *scratch) {
				for b := int(from); b < int(to); b++ {
					size := k.keys * k.width
					k.fold(s, keep, b*k.block, min((b+1)*k.block, k.n), all[b*size:(b+1)*size])
				}
			})
		}
	} else {
		k.device(p, d)
		if kept != nil {
			p.defines += "#define KEEP_KEYS\n"
			p.args = append(p.args, kept.Arg())
		}
		p.args = append(p.args, mem.Arg(), driver.Value(int64(k.n)), driver.Value(int64(k.keys)), driver.Value(int64(k.width)),
			driver.Value(int64(k.block)), driver.Value(int64(k.blocks)), driver.Value(k.operator.identity))
	}
	return p.launch(d, k.x, k.of, totals, k.operator.extra, kept)
}

// fold folds the rows [lo, hi) into acc, a row a key, on the CPU. It puts
// their keys into keep, if that is there.
func (k *keyed[T]) fold(s *scratch, keep []int32, lo, hi int, acc []T) {
	for i := range acc {
		acc[i] = k.operator.identity
	}
	outer := s.mark()
	defer s.release(outer)
	var of []int32
	if keep != nil {
		of = keep[lo:hi]
		k.of.fill(s, of, lo)
	} else {
		of = k.of.chunk(s, lo, hi)
	}
	inner := s.mark()
	step := max(1, chunkLen/max(1, k.width))
	for from := lo; from < hi; from += step {
		to := min(from+step, hi)
		values := k.x.chunk(s, from*k.width, to*k.width)
		for r, key := range of[from-lo : to-lo] {
			if uint(key) >= uint(k.keys) { // or negative
				continue
			}
			if k.width == 1 {
				acc[key] = k.operator.op(acc[key], values[r])
				continue
			}
			row := acc[int(key)*k.width : (int(key)+1)*k.width]
			k.operator.zip(row, row, values[r*k.width:(r+1)*k.width])
		}
		s.release(inner)
	}
}

// device fills in the C form.
func (k *keyed[T]) device(p *program, d *devices.Device) {
	p.defines = "#define T " + k.operator.fun.reg.Result + "\n"
	p.accessors = []accessor{
		{name: "load", ctype: k.operator.fun.reg.Result, node: k.x.node},
		{name: "key", ctype: "i32", node: k.of.node},
	}
	p.op, p.opExtra = k.operator.fun, k.operator.extra
	if d.Kind() == driver.CPU {
		p.grid = driver.Grid{Groups: min(int64(k.blocks), int64(d.Info().Units)*8), Lanes: 1}
		return
	}
	p.grid = driver.Grid{Groups: int64(k.blocks), Lanes: keyBatch}
	s := k.operator.fun.shapes.of(&keyedSizes{k.keys, k.width})
	if v, is := s.constant(0); is {
		p.defines += fmt.Sprintf("#define KEYS %d\n", v)
	}
	if v, is := s.constant(1); is {
		p.defines += fmt.Sprintf("#define WIDTH %d\n", v)
		p.accessors[0].chunk = keyChunk(k.x.node, k.keys, v)
	}
	// A third of the local memory, so that groups can share a processor.
	if size := k.keys * k.width * driver.SizeOf[T](); int64(size) <= d.Info().LocalMemory/3 {
		p.defines += "#define LOCAL_TOTALS\n"
		p.grid.Local = (size + 15) &^ 15
	}
}

// keyBatch is how many rows a group takes at a time on a GPU, and its lanes.
const keyBatch = 256

// keyedSizes are what a kernel's text may have as constants.
type keyedSizes struct{ keys, width int }

func (k *keyedSizes) extents() int { return 2 }

func (k *keyedSizes) extent(e int) int { return constantUpTo([...]int{k.keys, k.width}[e]) }

// keyChunk is how many columns a lane folds side by side, so that one load is
// for all of them: as long as there is work for half of the lanes. 0 is one.
func keyChunk(n *node, keys, width int) (chunk int) {
	chunk = runChunk(n, 4, 64)
	for chunk > 1 && (width%chunk != 0 || keys*width/chunk < keyBatch/2) {
		chunk /= 2
	}
	if chunk == 1 {
		return 0
	}
	return chunk
}
