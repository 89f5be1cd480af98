package pass

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/ir"
)

// The minimum and maximum length of a run. Longer runs take too many registers.
const (
	minRun = 2
	maxRun = 16
)

// FindRuns finds the runs of numbers that are read by loops with a constant
// number of iterations, inner loops first, and runs that are declared together.
// It takes only runs that are known to begin at an even index: if lanes begin
// at arbitrary indices, they do better with single elements, because the reads
// of all lanes are combined.
//
// The memory behind a read-only view is not written while a kernel runs, so
// writes through out-views do not matter. Elements read through out-views do
// not form runs.
func FindRuns(p *ir.Program) {
	funcs := p.Funcs
	if p.Twice != nil {
		funcs = append(slices.Clone(funcs), p.Twice)
	}
	for _, f := range funcs {
		r := finder{known: multiples{}}
		for _, v := range f.Params {
			r.known.of(v).unknown = true
		}
		r.known.stmts(f.Body)
		r.loops(f.Body)
		r.declared(f.Body)
	}
}

// finder finds the runs of one function.
type finder struct {
	known multiples
	count int // number of runs so far
}

func (r *finder) loops(list []ir.Stmt) {
	for _, s := range list {
		for _, inner := range ir.Bodies(s) {
			r.loops(inner)
		}
		loop, ok := s.(*ir.For)
		if !ok {
			continue
		}
		l := runs{finder: r, loop: loop}
		if l.counter, l.from, l.n = rounds(loop); l.n < minRun || l.n > maxRun || escapes(loop) ||
			ir.Breaks(loop.Body, loop) {
			continue
		}
		l.changed.stmts(loop.Body)
		l.stmts(loop.Body)
	}
}

// run returns a run, or nil if it is not known to begin at an even index.
func (r *finder) run(first *ir.At, n int64) *ir.Run {
	multiple := r.known.multiple(first.Index[len(first.Index)-1])
	if multiple == 1 {
		return nil
	}
	r.count++
	return &ir.Run{Name: fmt.Sprintf("skel_run%d", r.count), First: first, Len: n, Multiple: multiple}
}

// declared finds x, y := v.At(i), v.At(i+1).
func (r *finder) declared(list []ir.Stmt) {
	for k := 0; k < len(list); k++ {
		for _, inner := range ir.Bodies(list[k]) {
			r.declared(inner)
		}
		first := declares(list[k])
		if first == nil {
			continue
		}
		reads := []*ir.At{first}
		for k+len(reads) < len(list) && len(reads) < maxRun {
			next := declares(list[k+len(reads)])
			if next == nil || !follows(next, first, uint64(len(reads))) {
				break
			}
			reads = append(reads, next)
		}
		if len(reads) < minRun {
			continue
		}
		run := r.run(&ir.At{View: first.View, Index: first.Index, Pos: first.Pos}, int64(len(reads)))
		if run == nil {
			continue
		}
		list[k].(*ir.Declare).Run = run
		for i, x := range reads {
			x.Run, x.Part = run, ir.IntConst(ir.Basic(ir.I64), int64(i))
		}
		k += len(reads) - 1
	}
}

// declares returns the element as which a variable is declared, if it may be
// part of a run.
func declares(s ir.Stmt) *ir.At {
	d, ok := s.(*ir.Declare)
	if !ok {
		return nil
	}
	x, ok := d.Init.(*ir.At)
	if !ok || x.Run != nil || !readOnly(x) || !x.Type().Scalar() || ir.HasCall(x) {
		return nil
	}
	return x
}

// follows reports whether x is the n-th element after first.
func follows(x, first *ir.At, n uint64) bool {
	last := len(x.Index) - 1
	if !alike(x.View, first.View) || last > 0 && !alike(x.Index[0], first.Index[0]) {
		return false
	}
	base, off := offset(x.Index[last])
	base0, off0 := offset(first.Index[last])
	return off == off0+n && (base == nil && base0 == nil || base != nil && base0 != nil && alike(base, base0))
}

// offset splits an index into a base and a constant.
func offset(x ir.Expr) (base ir.Expr, off uint64) {
	switch x := x.(type) {
	case *ir.Const:
		return nil, x.Bits
	case *ir.Binary:
		if c, ok := x.Y.(*ir.Const); ok && x.Op == ir.Add {
			return x.X, c.Bits
		}
	}
	return x, 0
}

// rounds returns the counter of a loop, its first value, and the number of
// iterations, or 0 if it is not known.
func rounds(s *ir.For) (counter *ir.Var, from, n int64) {
	if s.Init == nil || len(s.Post) != 1 || s.Init.Var.Type.Kind != ir.I64 {
		return nil, 0, 0
	}
	counter = s.Init.Var
	is := func(x ir.Expr) bool { l, ok := x.(*ir.Local); return ok && l.Var == counter }
	first, _ := s.Init.Init.(*ir.Const)
	cond, _ := s.Cond.(*ir.Binary)
	step, _ := s.Post[0].R.(*ir.Binary)
	if first == nil || cond == nil || step == nil || step.Op != ir.Add ||
		!is(cond.X) || !is(s.Post[0].L) || !is(step.X) {
		return nil, 0, 0
	}
	end, _ := cond.Y.(*ir.Const)
	one, _ := step.Y.(*ir.Const)
	var c changes
	c.stmts(s.Body)
	if end == nil || one == nil || one.Bits != 1 || c.vars[counter] {
		return nil, 0, 0
	}
	from, to := int64(first.Bits), int64(end.Bits)
	switch {
	case to < from:
	case cond.Op == ir.Lt:
		n = to - from
	case cond.Op == ir.Le:
		n = to - from + 1
	}
	return counter, from, n
}

// runs finds the runs of one loop.
type runs struct {
	*finder
	loop    *ir.For
	counter *ir.Var
	from, n int64
	changed changes
}

// stmts examines the statements in a list that every iteration executes.
func (l *runs) stmts(list []ir.Stmt) {
	for _, s := range list {
		for _, x := range ir.Exprs(s) {
			l.expr(x)
		}
		switch s := s.(type) {
		case *ir.Block:
			l.stmts(s.Body)
		case *ir.For:
			if _, _, n := rounds(s); n > 0 {
				l.stmts(s.Body)
			}
		}
		if escapes(s) {
			return
		}
	}
}

// expr examines the parts of an expression that are always evaluated.
func (l *runs) expr(x ir.Expr) {
	parts := ir.Children(x)
	switch x := x.(type) {
	case *ir.At:
		l.at(x)
	case *ir.Binary:
		if x.Op == ir.LAnd || x.Op == ir.LOr {
			parts = parts[:1]
		}
	}
	for _, part := range parts {
		l.expr(part)
	}
}

// at marks x as part of a run if each iteration reads the next element.
func (l *runs) at(x *ir.At) {
	last := len(x.Index) - 1
	if x.Run != nil || !readOnly(x) || !x.Type().Scalar() || !l.fixed(x.View) || last > 0 && !l.fixed(x.Index[0]) {
		return
	}
	i, ok := l.first(x.Index[last])
	if !ok {
		return
	}
	first := &ir.At{View: x.View, Index: append(slices.Clone(x.Index[:last]), i), Pos: x.Pos}
	var run *ir.Run
	if k := slices.IndexFunc(l.loop.Runs, func(r *ir.Run) bool { return alike(r.First, first) }); k >= 0 {
		run = l.loop.Runs[k]
	} else if run = l.run(first, l.n); run != nil {
		l.loop.Runs = append(l.loop.Runs, run)
	} else {
		return
	}
	x.Run, x.Part = run, &ir.Local{Var: l.counter}
	if l.from != 0 {
		x.Part = &ir.Binary{Op: ir.Sub, X: x.Part, Y: ir.IntConst(ir.Basic(ir.I64), l.from), NoWrap: true, Pos: x.Pos}
	}
}

// readOnly reports whether the element is in memory that is not written.
func readOnly(e *ir.At) bool {
	k := e.View.Type().Kind
	return k == ir.View || k == ir.MatView
}

// first returns an index in the first iteration if it increases by one in each
// iteration.
func (l *runs) first(x ir.Expr) (ir.Expr, bool) {
	switch x := x.(type) {
	case *ir.Local:
		return ir.IntConst(ir.Basic(ir.I64), l.from), x.Var == l.counter
	case *ir.Binary:
		sum, ok := *x, false
		switch {
		case x.Op == ir.Add && l.fixed(x.X):
			sum.Y, ok = l.first(x.Y)
		case (x.Op == ir.Add || x.Op == ir.Sub) && l.fixed(x.Y):
			sum.X, ok = l.first(x.X)
		}
		switch {
		case !ok:
			return nil, false
		case isZero(sum.Y):
			return sum.X, true
		case isZero(sum.X) && x.Op == ir.Add:
			return sum.Y, true
		}
		return &sum, true
	}
	return nil, false
}

func isZero(x ir.Expr) bool { c, ok := x.(*ir.Const); return ok && c.Bits == 0 }

// fixed reports whether a value is the same in all iterations and may be
// computed before the first.
func (l *runs) fixed(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Local:
		return x.Var != l.counter && !l.changed.vars[x.Var]
	case *ir.Deref:
		if l.changed.pointed {
			return false
		}
	case *ir.At:
		if !readOnly(x) {
			return false
		}
	case *ir.Call, *ir.Composite, *ir.Addr:
		return false
	}
	return !slices.ContainsFunc(ir.Children(x), func(part ir.Expr) bool { return !l.fixed(part) })
}
