package skel

import (
	"fmt"
	"math/bits"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// The canonical order of a reduction by key: the positions are divided into blocks.
// In each block, the elements of every key are folded from left to right, starting
// with the identity. The partial results of the blocks are then combined like the
// rows of a matrix in Cols.
//
// A block has 512 to 4096 positions, so that there are about a thousand blocks. With
// more than 2048 keys a block has more, so that there are at most half as many
// partial results as elements. See docs/adr/0007.
const (
	keyBlockMin     = 512
	keyBlockMax     = 4096
	keyBlocks       = 1024
	positionsPerKey = 2 // least positions of a block for each key
)

// keyBlock returns the number of positions in a block, a power of two, for n
// positions and the given number of keys.
func keyBlock(n, keys int) int {
	size := max(keyBlockMin, min(keyBlockMax, (n+keyBlocks-1)/keyBlocks), positionsPerKey*keys)
	return 1 << bits.Len(uint(size-1))
}

// ownKernelKeys is the number of keys from which it is faster to compute the keys in
// a kernel of their own, which computes two at once, than in the kernel that reduces,
// although the former reads its inputs a second time. Measured on an H200 with 10^7
// rows of 36 numbers, whose keys are the nearest of 16 centres: 1.35 ms in two
// kernels, 1.24 ms in one. With 256 centres: 8.1 ms in two kernels, 11.7 ms in one.
const ownKernelKeys = 64

// inOwnKernel reports whether a kernel of their own should compute the keys.
func inOwnKernel(of *expr[int32], keys int) bool {
	if of.parts != nil {
		return inOwnKernel(of.parts[0], keys)
	}
	if keys < ownKernelKeys || of.err != nil || of.node == nil {
		return false
	}
	return of.node.twice() && of.device().Kind() != driver.CPU
}

// keyed is a reduction by key of rows of elements.
type keyed[T any] struct {
	operator *operator[T]
	x        *expr[T]
	of       *expr[int32]
	n        int // rows
	keys     int
	width    int       // elements of a row
	block    int       // rows of a block
	blocks   int       // rows of partial results
	any      *anyOrder // nil: elements are folded in order
}

// byKey returns the reduction by key of the rows of x. Every group folds some blocks;
// a second kernel, that of Cols, combines their partial results.
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
			_, _ = body.Memory() // body keeps an error
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

// byKeyOf is byKey on one device. body is the array of the keys; nil if they are not
// a vector.
func (o *operator[T]) byKeyOf(x *expr[T], width int, of *expr[int32], body *array.Array, n int) *vector.Vector[T] {
	of.settleProduced()
	m := o.source(x.placeIndicesAt(of.where, nil))
	m.merge(o.fun, of.where, of.err)
	return output(&m, n*width, func(out *vector.Vector[T], _ *devices.Buffer) error {
		k := o.keyed(m.device(), x, of, width, n, keyBlock(of.n, n))
		k.blocks = max(1, k.blocks)
		totals := out
		if k.blocks > 1 {
			totals = uninitialized[T](k.blocks*n*width, m.where)
			defer totals.Free()
		}
		err := k.storingKeys(body, func(kept *devices.Buffer) error { return k.launch(&m, totals, kept) })
		if err != nil || k.blocks == 1 {
			return err
		}
		return o.columnsInto(&m, openVector(totals), k.blocks, n*width, out)
	})
}

// keyed returns the reduction by key on d, in blocks of the given number of rows if
// elements are folded in order.
func (o *operator[T]) keyed(d *devices.Device, x *expr[T], of *expr[int32], width, keys, block int) *keyed[T] {
	k := &keyed[T]{operator: o, x: x, of: of, n: of.n, keys: keys, width: width, block: block}
	k.blocks = (k.n + block - 1) / block
	if k.n > 0 && x.err == nil && of.err == nil {
		if k.any = o.inAnyOrder(d, x, of, width, keys); k.any != nil {
			k.blocks = k.any.groups
		}
	}
	return k
}

// storingKeys calls launch with the memory in which the launch is to store the keys that
// it computes, or with nil. For wide rows, storing the keys costs little compared with
// the reduction, and later calls need not compute them again.
func (k *keyed[T]) storingKeys(keys *array.Array, launch func(kept *devices.Buffer) error) error {
	if keys == nil || k.any != nil || k.of.kind != computed || k.width*driver.SizeOf[T]() < 4*driver.SizeOf[int32]() {
		return launch(nil)
	}
	return keys.InPassing(launch)
}

// launch reduces every block into its row of totals. It stores the keys in kept, if
// that is not nil.
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
	} else if k.any != nil {
		k.anyOrder(p, mem)
	} else {
		k.device(p, d)
		if kept != nil {
			p.defines += "#define KEEP_KEYS\n"
			p.args = append(p.args, kept.Arg())
		}
		p.args = append(p.args, mem.Arg(), driver.Value(int64(k.n)), driver.Value(int64(k.keys)),
			driver.Value(int64(k.width)), driver.Value(int64(k.block)), driver.Value(int64(k.blocks)),
			driver.Value(k.operator.identity))
	}
	return p.launch(d, k.x, k.of, totals, k.operator.extra, kept)
}

// fold folds the rows [lo, hi) into acc, which has a row for each key, on the CPU. It
// stores their keys in keep, if that is not nil.
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
	ignored := func(key int32) bool { return uint(key) >= uint(k.keys) } // also if key is negative
	for from := 0; from < len(of); {
		if ignored(of[from]) {
			from++
			continue
		}
		to := from + 1
		for to < min(from+step, len(of)) && !ignored(of[to]) {
			to++
		}
		values := k.x.chunk(s, (lo+from)*k.width, (lo+to)*k.width) // only rows that have a key
		for r, key := range of[from:to] {
			if k.width == 1 {
				acc[key] = k.operator.op(acc[key], values[r])
				continue
			}
			row := acc[int(key)*k.width : (int(key)+1)*k.width]
			k.operator.zip(row, row, values[r*k.width:(r+1)*k.width])
		}
		s.release(inner)
		from = to
	}
}

// device sets the C form of p.
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
	// At most a third of the local memory, so that groups can share a compute unit.
	if size := k.keys * k.width * driver.SizeOf[T](); int64(size) <= d.Info().LocalMemory/3 {
		p.defines += "#define LOCAL_TOTALS\n"
		p.grid.Local = (size + 15) &^ 15
	}
}

// keyBatch is the number of rows that a group on a GPU reads at a time, and the number
// of its lanes.
const keyBatch = 256

// keyedSizes are the sizes that may be constants in the text of a kernel.
type keyedSizes struct{ keys, width int }

func (k *keyedSizes) extents() int { return 2 }

func (k *keyedSizes) extent(e int) int { return constantUpTo([...]int{k.keys, k.width}[e]) }

// keyChunk returns how many adjacent columns a lane folds, so that one load serves all
// of them. At least half of the lanes must have work. 0 means a single column.
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
