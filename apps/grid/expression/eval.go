package expression

import (
	"math"
	"sync"
)

// chunk is the number of arguments for which an operation is computed at a time: few enough for the
// values of all operations to stay in the cache.
const chunk = 256

// Evaluator evaluates operations of a program. It can be used by several goroutines.
type Evaluator struct {
	p      *Program
	result int
	load   []bool    // by step, whether it is given by the caller
	order  []int     // the steps that are computed, in order
	spare  sync.Pool // of *registers
}

// registers holds the values of each step for a chunk of arguments.
type registers struct {
	memory []float64
	of     [][]float64
}

// Evaluator returns an evaluator of an operation of the program. The caller supplies the values of
// the variables, and of those operations for which given, unless it is nil, returns true.
func (p *Program) Evaluator(result int, given func(step int) bool) *Evaluator {
	e := &Evaluator{p: p, result: result}
	for i := range p.Steps {
		e.load = append(e.load, p.Steps[i].Op == Variable || given != nil && given(i))
	}
	needed := make([]bool, len(p.Steps))
	needed[result] = true
	for i := result; i >= 0; i-- {
		if needed[i] && !e.load[i] {
			for _, a := range p.Steps[i].Operands() {
				needed[a] = true
			}
		}
	}
	for i, is := range needed {
		if is {
			e.order = append(e.order, i)
		}
	}
	e.spare.New = func() any {
		r := &registers{memory: make([]float64, len(e.order)*chunk), of: make([][]float64, len(p.Steps))}
		for n, i := range e.order {
			r.of[i] = r.memory[n*chunk : (n+1)*chunk]
			if s := &p.Steps[i]; s.Op == Constant {
				for k := range r.of[i] {
					r.of[i][k] = s.Value
				}
			}
		}
		return r
	}
	return e
}

// Given returns the steps whose values the caller supplies.
func (e *Evaluator) Given() (steps []int) {
	for _, i := range e.order {
		if e.load[i] {
			steps = append(steps, i)
		}
	}
	return steps
}

// Order returns the steps that are given or computed, each after those that it needs.
func (e *Evaluator) Order() []int { return e.order }

// Eval computes the values for len(dst) arguments. It calls given for each of the steps that Given
// returns and for each range from lo on; given stores the values of the step in x, or returns another
// slice that holds them.
func (e *Evaluator) Eval(dst []float64, given func(step, lo int, x []float64) []float64) {
	r := e.spare.Get().(*registers)
	defer e.spare.Put(r)
	values := make([][]float64, len(e.p.Steps))
	for lo := 0; lo < len(dst); lo += chunk {
		n := min(chunk, len(dst)-lo)
		for _, i := range e.order {
			s := &e.p.Steps[i]
			x := r.of[i][:n]
			switch {
			case e.load[i]:
				x = given(i, lo, x)
			case s.Op == Constant:
			default:
				if i == e.result {
					x = dst[lo : lo+n]
				}
				s.compute(x, values[s.A], values[s.B])
			}
			values[i] = x
		}
		if s := &e.p.Steps[e.result]; e.load[e.result] || s.Op == Constant {
			copy(dst[lo:lo+n], values[e.result])
		}
	}
}

// compute applies an operation to the elements of a and b. It rounds every product before it is
// added to anything, because each operation stores its result.
func (s *Step) compute(dst, a, b []float64) {
	a = a[:len(dst)]
	switch s.Op {
	case Add, Subtract, Multiply, Divide, Call2:
		b = b[:len(dst)]
	case Constant, Variable, Negate, Call:
	}
	switch s.Op {
	case Add:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case Subtract:
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	case Multiply:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	case Divide:
		for i := range dst {
			dst[i] = a[i] / b[i]
		}
	case Negate:
		for i := range dst {
			dst[i] = -a[i]
		}
	case Call:
		switch s.Name {
		case "sqrt":
			for i := range dst {
				dst[i] = math.Sqrt(a[i])
			}
		case "abs":
			for i := range dst {
				dst[i] = math.Abs(a[i])
			}
		default:
			f := functions[s.Name].unary
			for i := range dst {
				dst[i] = f(a[i])
			}
		}
	case Call2:
		f := functions[s.Name].binary
		for i := range dst {
			dst[i] = f(a[i], b[i])
		}
	case Constant, Variable:
	}
}

// Eval returns the value of the formula for one argument, which has at least Dim numbers.
func (p *Program) Eval(x []float64) float64 {
	values := make([]float64, len(p.Steps))
	for i := range p.Steps {
		s := &p.Steps[i]
		switch s.Op {
		case Constant:
			values[i] = s.Value
		case Variable:
			values[i] = x[s.A]
		case Add, Subtract, Multiply, Divide, Negate, Call, Call2:
			values[i] = apply(s, values[s.A], values[s.B])
		}
	}
	return values[p.Result]
}
