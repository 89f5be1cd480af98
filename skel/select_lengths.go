package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// lengths replaces the indices at which runs begin by the lengths of the runs: the
// distances between the indices, and from the last one to the end of the input.
func (s *selection[T]) lengths(r *selected[T]) error {
	indices := r.indices
	out, body := uninitialized[int](s.meta.n, s.meta.where), arrayOf(indices)
	arrayOf(out).SetCount(body.Count())
	mem, err := arrayOf(out).Output()
	if err != nil {
		return err
	}
	m := s.meta
	kept := meta{n: s.meta.n, count: body.Count(), where: s.meta.where}
	d := m.device()
	p := newProgram("lengths", s.label)
	defer p.release()
	if d.Native() {
		p.groups = nativeGroups(d, m.n, 1)
		dst, at := memoryOf(out), memoryOf(indices)
		keptLen, length := kept.length(), m.length()
		p.native = func(g driver.Group) {
			k, end := keptLen.now(), s.base+length.now()
			lo, hi := g.Range(int64(k))
			for i := lo; i < hi; i++ {
				next := end
				if int(i)+1 < k {
					next = at[i+1]
				}
				dst[i] = next - at[i]
			}
		}
	} else if err := s.lengthsDevice(p, d, mem, body); err != nil {
		return err
	}
	if err := p.launch(d, out, indices, body.Count(), m.count); err != nil {
		return err
	}
	indices.Free()
	r.indices = out
	return nil
}

// lengthsDevice completes p with the C form of lengths.
func (s *selection[T]) lengthsDevice(
	p *program, d *devices.Device, mem *devices.Buffer, indices *array.Array,
) error {
	kept, err := indices.Count().Body().Memory()
	if err != nil {
		return err
	}
	p.accessors = append(p.accessors, accessor{name: "at", ctype: "i64", node: memoryNode(indices)})
	var chunk int
	p.grid, chunk = elementGrid(d, s.meta.n)
	if d.Kind() != driver.CPU {
		p.grid.Groups = min(p.grid.Groups, int64(d.Info().Units)*countedGroups)
	}
	p.args = append(p.args, mem.Arg(), kept.Arg(), driver.Value(int64(s.base)), driver.Value(int64(s.meta.n)),
		driver.Value(int64(chunk)))
	return p.limit(&s.meta)
}
