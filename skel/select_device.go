package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// runDevice computes the results by kernels in C. GPUs with warps select in one pass;
// other devices count what each group keeps, and then write.
func (s *selection[T]) runDevice(d *devices.Device, r *selected[T], want wanted) error {
	if done, err := s.onePass(d, *r, want); done || err != nil {
		return err
	}
	if err := s.twoPhases(d, *r, want); err != nil || !want.lengths {
		return err
	}
	return s.lengths(r)
}

// device completes p with what the C forms share.
func (s *selection[T]) device(p *program, want wanted) {
	ctype := s.ctype()
	if own := opaque(driver.SizeOf[T]()); ctype == "" {
		ctype = "opaque"
		p.head = own
	}
	p.defines = "#define T " + ctype + "\n"
	p.accessors = append(p.accessors, accessor{name: "load", ctype: ctype, node: s.x.node})
	switch {
	case s.flags != nil:
		p.defines += "#define FLAGGED\n"
		p.accessors = append(p.accessors, accessor{name: "flag", ctype: "b8", node: s.flags.node})
	case s.neighbours:
		p.defines += "#define NEIGHBOURS\n"
		p.accessors = append(p.accessors, accessor{name: "same", fun: s.fun, extra: s.extra})
	default:
		p.accessors = append(p.accessors, accessor{name: "keep", fun: s.fun, extra: s.extra})
	}
	if s.left != nil {
		p.defines += "#define HAS_LEFT 1\n"
	}
	if want.rest {
		p.defines += "#define REST\n"
	}
	p.files = append(p.files, "select")
}

// ctype returns the C type of the elements; "" if they are in memory, and no user
// function names their type.
func (s *selection[T]) ctype() string {
	switch {
	case s.fun != nil:
		return s.fun.reg.Params[0]
	case s.x.kind == computed:
		return s.x.ctype()
	case s.x.kind == indices:
		return "i64"
	}
	return ""
}

// opaque returns the C text of the type opaque, whose values of the given size are only
// copied.
func opaque(size int) string {
	switch {
	case size <= wholeVector && size&(size-1) == 0:
		return fmt.Sprintf("typedef skel_v%d opaque;\n", size)
	case size%4 == 0:
		return fmt.Sprintf("typedef struct {\n\tu32 w[%d];\n} opaque;\n", size/4)
	}
	return fmt.Sprintf("typedef struct {\n\tu8 b[%d];\n} opaque;\n", size)
}

// leftArg appends the argument for LEFT_P.
func (s *selection[T]) leftArg(args []driver.Arg) ([]driver.Arg, error) {
	if s.left == nil {
		return args, nil
	}
	mem, err := s.left.Memory()
	if err != nil {
		return args, err
	}
	return append(args, mem.Arg()), nil
}

// countArgs appends the arguments for the counts of the results.
func (r *selected[T]) countArgs(args []driver.Arg) ([]driver.Arg, error) {
	kept, rest := r.counts()
	mem, err := kept.Body().Memory()
	if err != nil {
		return args, err
	}
	args = append(args, mem.Arg())
	if rest == nil {
		return args, nil
	}
	if mem, err = rest.Body().Memory(); err != nil {
		return args, err
	}
	return append(args, mem.Arg()), nil
}

// resultArgs appends the arguments for VALUES_P, INDICES_P and REST_P, and returns the
// definitions for them.
func (r *selected[T]) resultArgs(args []driver.Arg) (_ []driver.Arg, defines string, err error) {
	values, indices, rest := r.arrays()
	if values != nil {
		mem, err := values.Memory()
		if err != nil {
			return args, "", err
		}
		args, defines = append(args, mem.Arg()), "#define VALUES\n"
	}
	if indices != nil {
		mem, err := indices.Memory()
		if err != nil {
			return args, "", err
		}
		args, defines = append(args, mem.Arg()), defines+"#define INDICES\n"
	}
	if rest != nil {
		mem, err := rest.Memory()
		if err != nil {
			return args, "", err
		}
		args = append(args, mem.Arg())
	}
	return args, defines, nil
}

// selectStaged is the number of bytes that a core of a CPU compacts before it copies them.
const selectStaged = 4096

// twoPhases counts in a first launch and writes in a second one.
func (s *selection[T]) twoPhases(d *devices.Device, r selected[T], want wanted) error {
	n := s.meta.n
	p := &program{kernel: "selectcount", label: s.label}
	s.device(p, want)
	cpu, units := d.Kind() == driver.CPU, d.Info().Units
	groups := max(1, min(units*8, n/grain))
	p.grid.Lanes = 1
	if !cpu {
		groups = max(1, min(units*8, (n+8*lanes-1)/(8*lanes)))
		p.grid.Lanes = lanes
	}
	chunk := max(1, (n+groups-1)/groups)
	groups = max(1, (n+chunk-1)/chunk)
	p.grid.Groups = int64(groups)
	p.defines += fmt.Sprintf("#define LANES %d\n#define STAGED %d\n", lanes, max(1, selectStaged/driver.SizeOf[T]()))
	before := uninitialized[int](groups+1, s.meta.where)
	defer before.Free()
	mem, err := arrayOf(before).Output()
	if err != nil {
		return err
	}
	counter, err := d.Counter()
	if err != nil {
		return err
	}
	keep := append(s.keep(r), before)
	q := *p // the second launch
	q.kernel = "selectwrite"
	p.files = append(append([]string(nil), p.files...), "arrive")
	if p.args, err = s.leftArg(nil); err != nil {
		return err
	}
	if p.args, err = r.countArgs(append(p.args, mem.Arg())); err != nil {
		return err
	}
	p.args = append(p.args, counter, driver.Value(int64(n)), driver.Value(int64(chunk)))
	if err := s.limitAll(p); err != nil {
		return err
	}
	if err := p.launch(d, keep...); err != nil {
		return err
	}
	if q.args, err = s.leftArg(nil); err != nil {
		return err
	}
	var defines string
	if q.args, defines, err = r.resultArgs(q.args); err != nil {
		return err
	}
	q.defines += defines
	q.args = append(q.args, mem.Arg(), driver.Value(int64(s.base)), driver.Value(int64(n)), driver.Value(int64(chunk)))
	if err := s.limitAll(&q); err != nil {
		return err
	}
	return q.launch(d, keep...)
}

// limitAll is limit for a kernel whose grid covers all elements.
func (s *selection[T]) limitAll(p *program) error {
	groups := p.grid.Groups
	err := p.limit(&s.meta)
	p.grid.Groups = groups
	return err
}
