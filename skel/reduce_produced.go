package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// rowsByProducer reduces each row of x, of the given length, in the kernel that
// computes its elements. It reports whether it did: x must be the result of a producer,
// or a Map or Zip of one, whose kernel can do so.
func (o *operator[T]) rowsByProducer(x *expr[T], length int, out *vector.Vector[T]) (bool, error) {
	if len(x.produced) != 1 || x.err != nil || x.produced[0].body.InMemory() {
		return false, nil
	}
	l := x.produced[0]
	mem, err := arrayOf(out).Memory()
	if err != nil {
		return false, err
	}
	e := &epilogue{
		mem: mem, label: o.fun.label, size: driver.SizeOf[T](), keep: []any{x, out},
		rows: &rowReduction{length: length, run: o.by.run, fun: o.fun, extra: o.extra},
	}
	if !l.by.reduces(e) {
		return false, nil
	}
	if x.node != nil {
		e.ctype = o.fun.reg.Result
		if e.node, err = x.node.with(l); err != nil {
			return false, err
		}
		return true, l.by.finish(e)
	}
	dst := memoryOf(out)
	e.native = func(s *scratch, lo, hi int) {
		row := &expr[T]{mem: take[T](s, hi-lo)}
		x.fill(s, row.mem, lo)
		for at := 0; at < hi-lo; at += length {
			dst[(lo+at)/length] = o.tile(s, row, o.by, at, at+length)
		}
	}
	return true, l.by.finish(e)
}
