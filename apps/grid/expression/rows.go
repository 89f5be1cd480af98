package expression

import "sync"

// Rows evaluates operations of a program along rows: one variable, the inner one, changes from
// argument to argument, and the others stay. What does not depend on the inner variable is computed
// once for a row. Rows can be used by several goroutines.
type Rows struct {
	*Evaluator
	once, each []int     // the steps computed for a row, and those computed for every argument, in order
	spare      sync.Pool // of *Row
}

// Row holds the values of steps for a row. An operand is a slice of values, or one value where that
// slice is nil.
type Row struct {
	rows   *Rows
	memory []float64   // chunk values for each of the steps that change
	of     [][]float64 // by step, their part of memory
	values []operand   // by step
}

// operand is an operand of a step: values, or one value if there are none.
type operand struct {
	values []float64
	value  float64
}

// Rows returns an evaluator of the same operation along rows, in which variable number inner changes.
func (e *Evaluator) Rows(inner int) *Rows {
	r := &Rows{Evaluator: e}
	for _, i := range e.order {
		if e.p.Variables[i]>>inner&1 == 0 {
			r.once = append(r.once, i)
		} else {
			r.each = append(r.each, i)
		}
	}
	r.spare.New = func() any {
		row := &Row{rows: r, memory: make([]float64, len(r.each)*chunk), of: make([][]float64, len(e.p.Steps)),
			values: make([]operand, len(e.p.Steps))}
		for n, i := range r.each {
			row.of[i] = row.memory[n*chunk : (n+1)*chunk]
		}
		return row
	}
	return r
}

// Row returns a row, which Begin begins. It belongs to the caller until Free.
func (r *Rows) Row() *Row { return r.spare.Get().(*Row) }

// Free gives the row back.
func (w *Row) Free() { w.rows.spare.Put(w) }

// Begin begins a row. It calls given for each step that the caller supplies and that does not depend on
// the inner variable.
func (w *Row) Begin(given func(step int) float64) {
	steps := w.rows.p.Steps
	for _, i := range w.rows.once {
		s := &steps[i]
		switch {
		case w.rows.load[i]:
			w.values[i].value = given(i)
		case s.Op == Constant:
			w.values[i].value = s.Value
		default:
			w.values[i].value = apply(s, w.values[s.A].value, w.values[s.B].value)
		}
	}
}

// Eval computes the values for len(dst) arguments of the row. It calls given as [Evaluator.Eval] does, for
// the steps that the caller supplies and that depend on the inner variable.
func (w *Row) Eval(dst []float64, given func(step, lo int, x []float64) []float64) {
	e := w.rows.Evaluator
	for lo := 0; lo < len(dst); lo += chunk {
		part := dst[lo:min(lo+chunk, len(dst))]
		for _, i := range w.rows.each {
			s := &e.p.Steps[i]
			x := w.of[i][:len(part)]
			if e.load[i] {
				x = given(i, lo, x)
			} else {
				if i == e.result {
					x = part
				}
				s.along(x, w.values[s.A], w.values[s.B])
			}
			w.values[i].values = x
		}
		switch v := w.values[e.result]; {
		case v.values == nil:
			for k := range part {
				part[k] = v.value
			}
		case e.load[e.result]:
			copy(part, v.values)
		}
	}
}

// along applies an operation along a row. At least one operand has several values. Every product is
// rounded before it is added to anything, because each operation stores its result.
func (s *Step) along(dst []float64, a, b operand) {
	switch {
	case a.values == nil:
		s.alongRight(dst, a.value, b.values)
	case s.Op == Negate || s.Op == Call || b.values != nil:
		s.compute(dst, a.values, b.values)
	default:
		s.alongLeft(dst, a.values, b.value)
	}
}

// alongRight applies an operation with one value on the left.
func (s *Step) alongRight(dst []float64, a float64, b []float64) {
	b = b[:len(dst)]
	switch s.Op {
	case Add:
		for i := range dst {
			dst[i] = a + b[i]
		}
	case Subtract:
		for i := range dst {
			dst[i] = a - b[i]
		}
	case Multiply:
		for i := range dst {
			dst[i] = a * b[i]
		}
	case Divide:
		for i := range dst {
			dst[i] = a / b[i]
		}
	case Call2:
		f := functions[s.Name].binary
		for i := range dst {
			dst[i] = f(a, b[i])
		}
	case Constant, Variable, Negate, Call: // have no such operands
	}
}

// alongLeft applies an operation with one value on the right.
func (s *Step) alongLeft(dst, a []float64, b float64) {
	a = a[:len(dst)]
	switch s.Op {
	case Add:
		for i := range dst {
			dst[i] = a[i] + b
		}
	case Subtract:
		for i := range dst {
			dst[i] = a[i] - b
		}
	case Multiply:
		for i := range dst {
			dst[i] = a[i] * b
		}
	case Divide:
		for i := range dst {
			dst[i] = a[i] / b
		}
	case Call2:
		f := functions[s.Name].binary
		for i := range dst {
			dst[i] = f(a[i], b)
		}
	case Constant, Variable, Negate, Call: // have no such operands
	}
}
