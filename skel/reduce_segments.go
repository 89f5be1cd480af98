package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// segments returns the reduction of each segment.
func (o *operator[T]) segments(x *expr[T], c *segmentation) *vector.Vector[T] {
	if p := o.scatteredSegments(x, c); p != nil {
		return o.segmentsOver(x, c, p)
	}
	if out := o.segmentsByProducer(x, c); out != nil {
		return out
	}
	m := o.source(x.placeIndicesAt(c.where(), nil))
	c.merge(o.fun, &m)
	return output(&m, c.segments, func(out *vector.Vector[T], _ *devices.Buffer) error {
		if !m.device().Native() {
			return o.segmentsDevice(&m, &x.meta, c, arrayOf(out))
		}
		dst := memoryOf(out)
		return c.deferred(nil, func() error {
			return m.device().Natively(o.fun.label, nil, func() error { return o.segmentsNative(&m, dst, x, c, out) })
		}, x, out, o.extra)
	})
}

// segmentsNative reduces the segments on the CPU: all slots in parallel, then the
// partial results of longer segments in the last group.
func (o *operator[T]) segmentsNative(m *meta, dst []T, x *expr[T], c *segmentation, out *vector.Vector[T]) error {
	s := c.slots(x.n, o.by)
	rest := s.notOneTile()
	p := &program{kernel: "segments", label: o.fun.label}
	p.divide(m.device(), s.total(), max(1, x.n/max(1, s.total())))
	totals := make([]T, s.total())
	var done arrivals
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(s.total()))
		withScratch(func(sc *scratch) {
			s.each(int(from), int(to), func(slot, seg, lo, hi int) {
				totals[slot] = o.tile(sc, x, o.by, lo, hi)
				if s.first[seg+1]-s.first[seg] == 1 {
					dst[seg] = totals[slot]
				}
			})
			if !done.last(g) {
				return
			}
			for _, seg := range rest {
				if t := totals[s.first[seg]:s.first[seg+1]]; len(t) > 0 {
					dst[seg] = o.total(sc, t)
				} else {
					dst[seg] = o.identity
				}
			}
		})
	}
	return p.launch(m.device(), x, out, o.extra, c)
}

// segmentsByProducer returns the reduction of each segment if the kernel that computes
// the elements can compute it, too; nil otherwise.
func (o *operator[T]) segmentsByProducer(x *expr[T], c *segmentation) *vector.Vector[T] {
	if c.offsets != nil || c.length == 0 || x.n != c.segments*c.length || len(x.produced) != 1 || x.err != nil {
		return nil
	}
	o.fun.ready()
	m := combine(o.fun, o.extra, nil, nil, &x.meta)
	if m.err != nil {
		return nil
	}
	out := uninitialized[T](c.segments, m.where)
	if _, err := arrayOf(out).Output(); err != nil {
		return out
	}
	done, err := o.rowsByProducer(x, c.length, out)
	if !done && err == nil {
		out.Free()
		return nil
	}
	_ = arrayOf(out).Fail(err)
	return out
}
