package skel

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// Settle computes the expression into mem, in a kernel of its own.
func (x *expr[T]) Settle(mem *devices.Buffer) error {
	if x.err != nil {
		return x.err
	}
	return x.store(mem, x.settleLabel())
}

// settleLabel returns the label of the launch that computes a pending expression.
func (x *meta) settleLabel() string {
	switch {
	case x.last != nil:
		return x.last.label
	case x.kind == gathers:
		return "Gather"
	case x.kind == reverses:
		return "Reverse"
	}
	return "settle"
}

// store launches the kernel that computes the expression into mem.
func (x *expr[T]) store(mem *devices.Buffer, label string) error {
	if x.n == 0 {
		return nil
	}
	if x.watch != nil { // a watched call takes one element at a time, and products come in blocks
		if x.settleProduced(); x.err != nil {
			return x.err
		}
	}
	if m, err := x.fusedProducer(); m != nil || err != nil {
		return x.storeByProducer(m, mem, label, err)
	}
	d := x.device()
	if x.window != nil && !d.Native() {
		return x.window.store(&x.meta, d, mem, label)
	}
	if !d.Native() {
		return x.storeMapped(d, mem, label, driver.SizeOf[T]())
	}
	p := newProgram("map", label)
	defer p.release()
	p.divide(d, x.n, 1)
	out := driver.Slice[T](mem.Bytes())[:x.n]
	length := x.length()
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(length.now()))
		withScratch(func(s *scratch) { x.fill(s, out[lo:hi], int(lo)) })
	}
	if x.watch != nil {
		p.watched(x.watch, length, func(s *scratch, i int) { x.fill(s, out[i:i+1], i) })
	}
	return p.launch(d, x, mem)
}

// storeMapped launches the kernel in C that computes an expression of elements of the given
// size into mem.
func (x *meta) storeMapped(d *devices.Device, mem *devices.Buffer, label string, size int) error {
	p := newProgram("map", label)
	defer p.release()
	t := x.node.mapText(d, size)
	if d.Kind() == driver.CPU && x.readsMemory(mem) {
		var err error
		if t, err = x.node.inPlace(t, mem); err != nil {
			return err
		}
	}
	p.defines = t.defines
	ctype, _ := x.node.typed(size)
	load := accessor{name: "load", ctype: ctype, node: x.node, chunk: t.chunk, aligned: true}
	p.accessors = append(p.accessors, load)
	var chunk int
	p.grid, chunk = elementGrid(d, x.n)
	if t.chunk > 0 {
		p.grid.Groups = int64((x.n-1)/(lanes*t.chunk) + 1)
	}
	p.args = append(p.args, mem.Arg(), driver.Value(int64(x.n)), driver.Value(int64(chunk)))
	if err := p.limit(x); err != nil {
		return err
	}
	return p.launch(d, x, mem)
}

// readsMemory reports whether mem holds an input of the expression.
func (x *meta) readsMemory(mem *devices.Buffer) bool {
	return slices.ContainsFunc(x.inputs, func(a *array.Array) bool {
		in, err := a.Memory()
		return err == nil && in == mem
	})
}

// inPlace returns the map text for a CPU device if mem is both the output and an input:
// THROUGH_OUT makes the kernel read such inputs through the pointer of its output. Views
// need no such treatment, because into rejects an output that is also a view.
func (n *node) inPlace(t *mapText, mem *devices.Buffer) (*mapText, error) {
	list := argLists.Get().(*[]driver.Arg)
	args, err := n.arguments((*list)[:0]) // text.expr calls the parameter of argument k pk
	if err != nil {
		return nil, err
	}
	var room [64]byte
	define, out := append(room[:0], "#define THROUGH_OUT"...), mem.Arg()
	for k, a := range args {
		if a.Buf != nil && a.Buf == out.Buf {
			define = append(strconv.AppendInt(append(define, " p"...), int64(k), 10), " = out;"...)
		}
	}
	define = append(define, '\n')
	clear(args)
	*list = args[:0]
	argLists.Put(list)
	kept := n.form.inPlace.Load()
	if kept == nil || kept.defines[len(t.defines):] != string(define) {
		kept = &mapText{defines: t.defines + string(define)}
		n.form.inPlace.Store(kept)
	}
	return kept, nil
}

// mapText returns the map text of n for results of the given size, which it caches.
func (n *node) mapText(d *devices.Device, size int) *mapText {
	kept := &n.form.maps[min(int(d.Kind()), 1)]
	t := kept.Load()
	if t == nil {
		_, typed := n.typed(size)
		t = &mapText{defines: typed}
		if d.Kind() != driver.CPU {
			t.chunk = mapChunk(n, size)
			out := vectorType(vectorOf(t.chunk * size))
			t.defines += fmt.Sprintf("#define LANES %d\n#define OUT_VECTOR %s\n", lanes, out)
			if n.twice() {
				t.defines += "#define TWICE\n"
			}
			if n.share() > 0 && n.widest() == 0 {
				t.defines += "#define COMPUTED\n"
			}
		}
		kept.Store(t)
	}
	return t
}
