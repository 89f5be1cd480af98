package skel

import (
	"fmt"
	"math/bits"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// byKey is the reduction, by the keys of rows, of rows of width elements. A
// group takes an aligned block of tiles, a power of two of them, so that its
// own pair tree is a part of the whole one.
func (o *operator[T]) byKey(x *expr[T], width int, keys *expr[int32], n int) *vector.Vector[T] {
	if n < 0 {
		panic(fmt.Sprintf("skel: %s: the number of keys, %d, is negative", o.fun.label, n))
	}
	if width == 1 {
		sameLength(o.fun, x.n, keys.n)
	}
	m := o.source(x.near(keys.where))
	m.merge(o.fun, keys.where, keys.err)
	return output(&m, n*width, func(out *vector.Vector[T]) error {
		tiles := max(1, (keys.n+keyTile-1)/keyTile)
		d := m.device()
		groups := max(1, d.Info().Units*4)
		log := bits.Len(uint(max(1, (tiles+groups-1)/groups) - 1)) // of the tiles a group
		b := &keyBlocks{n: keys.n, keys: n, width: width, tiles: tiles, log: log, groups: (tiles + 1<<log - 1) >> log}
		p := &program{kernel: "bykey", label: o.fun.label, groups: int64(b.groups)}
		if d.Native() {
			p.native = o.byKeyNative(x, keys, b, out.Slice())
			return p.launch(d, x, keys, out, o.extra)
		}
		free, err := o.byKeyDevice(p, &m, x, keys, b, out)
		if err != nil {
			return err
		}
		defer free()
		return p.launch(d, x, keys, out, o.extra)
	})
}

// keyBlocks is the division of the positions among groups.
type keyBlocks struct{ n, keys, width, tiles, log, groups int }

func (o *operator[T]) byKeyNative(x *expr[T], keys *expr[int32], b *keyBlocks, out []T) func(driver.Group) {
	size := b.keys * b.width
	totals := make([]T, b.groups*size)
	var done arrivals
	return func(g driver.Group) {
		withScratch(func(s *scratch) {
			id := int(g.ID)
			o.keyBlock(s, x, keys, b, id<<b.log, min((id+1)<<b.log, b.tiles), totals[id*size:(id+1)*size])
			if !done.last(g) {
				return
			}
			for d := 1; d < b.groups; d *= 2 {
				for k := 0; k+d < b.groups; k += 2 * d {
					left := totals[k*size : (k+1)*size]
					o.zip(left, left, totals[(k+d)*size:(k+d+1)*size])
				}
			}
			copy(out, totals)
		})
	}
}

// keyBlock reduces tiles [from, to) by key into dst, on the CPU. Blocks of
// the pair tree wait on a stack until their neighbour is there.
func (o *operator[T]) keyBlock(s *scratch, x *expr[T], keys *expr[int32], b *keyBlocks, from, to int, dst []T) {
	size := len(dst)
	stack := take[T](s, (b.log+2)*size)
	level := func(i int) []T { return stack[i*size : (i+1)*size] }
	top := 0
	for t := from; t < to; t++ {
		o.keyTile(s, x, keys, b.keys, b.width, t*keyTile, min((t+1)*keyTile, b.n), level(top))
		top++
		for k := t - from; k&1 == 1; k >>= 1 {
			o.zip(level(top-2), level(top-2), level(top-1))
			top--
		}
	}
	for ; top > 1; top-- {
		o.zip(level(top-2), level(top-2), level(top-1))
	}
	copy(dst, level(0))
}

// keyTile folds the rows [lo, hi) into acc, a row a key.
func (o *operator[T]) keyTile(s *scratch, x *expr[T], keys *expr[int32], n, width, lo, hi int, acc []T) {
	for i := range acc {
		acc[i] = o.identity
	}
	outer := s.mark()
	defer s.release(outer)
	of := keys.chunk(s, lo, hi)
	inner := s.mark()
	step := max(1, chunkLen/max(1, width))
	for from := lo; from < hi; from += step {
		to := min(from+step, hi)
		values := x.chunk(s, from*width, to*width)
		for r, k := range of[from-lo : to-lo] {
			if uint(k) >= uint(n) { // or negative
				continue
			}
			if width == 1 {
				acc[k] = o.op(acc[k], values[r])
				continue
			}
			row := acc[int(k)*width : (int(k)+1)*width]
			o.zip(row, row, values[r*width:(r+1)*width])
		}
		s.release(inner)
	}
}

// byKeyDevice fills in the C form; free gives the scratch memory back when
// the kernel has been enqueued.
func (o *operator[T]) byKeyDevice(p *program, m *meta, x *expr[T], keys *expr[int32], b *keyBlocks, out *vector.Vector[T]) (free func(), err error) {
	d := m.device()
	counter, err := d.Counter()
	if err != nil {
		return nil, err
	}
	mem, err := out.Body().Memory()
	if err != nil {
		return nil, err
	}
	stacks, err := d.Alloc(int64(b.groups) * int64(b.log+2) * int64(b.keys*b.width) * int64(driver.SizeOf[T]()))
	if err != nil {
		return nil, err
	}
	o.device(p, x)
	p.files, p.defines = []string{"arrive"}, "#define T "+o.fun.reg.Result+"\n" // it has an order of its own
	p.accessors = append(p.accessors, accessor{"key", "i32", keys.node})
	p.grid = driver.Grid{Groups: int64(b.groups), Lanes: lanes}
	if d.Info().Kind == driver.CPU {
		p.grid.Lanes = 1
	}
	p.args = []driver.Arg{
		stacks.Arg(), mem.Arg(), counter, driver.Value(int64(b.n)), driver.Value(int64(b.keys)), driver.Value(int64(b.width)),
		driver.Value(int64(b.tiles)), driver.Value(int64(b.log)), driver.Value(o.identity),
	}
	return stacks.Free, nil
}
