package expression

import (
	"math"
	"math/bits"
)

// Op is an operation of a program.
type Op int

// The operations. A and B are the numbers of earlier operations.
const (
	Constant Op = iota // Value
	Variable           // variable A, from 0
	Add                // A + B
	Subtract           // A - B
	Multiply           // A * B
	Divide             // A / B
	Negate             // -A
	Call               // function Name of A
	Call2              // function Name of A and B
)

// Step is one operation of a program.
type Step struct {
	Op    Op
	A, B  int
	Value float64
	Name  string
}

// Program is a formula as a list of operations, each after its operands. Equal operations occur once.
type Program struct {
	Text   string // the formula
	Steps  []Step
	Result int // the operation whose value is that of the formula

	// Variables holds, for each operation, the set of variables on which it depends: bit k for
	// variable k.
	Variables []uint
}

// Dim returns the number of variables: that of the highest one in the formula.
func (p *Program) Dim() int { return bits.Len(p.Variables[p.Result]) }

// builder builds a program.
type builder struct {
	steps     []Step
	variables []uint
	numbers   map[Step]int
}

func newBuilder() *builder { return &builder{numbers: map[Step]int{}} }

// add returns the number of an operation, which is new unless there is an equal one.
func (b *builder) add(s Step) int {
	key := s
	if s.Op == Constant { // -0 and 0 differ, and a NaN must be found
		key.A, key.Value = int(math.Float64bits(s.Value)), 0
	}
	if n, is := b.numbers[key]; is {
		return n
	}
	var depends uint
	switch s.Op {
	case Constant:
	case Variable:
		depends = 1 << s.A
	case Negate, Call:
		depends = b.variables[s.A]
	default:
		depends = b.variables[s.A] | b.variables[s.B]
	}
	b.steps, b.variables = append(b.steps, s), append(b.variables, depends)
	n := len(b.steps) - 1
	b.numbers[key] = n
	return n
}

func (b *builder) constant(v float64) int { return b.add(Step{Op: Constant, Value: v}) }
func (b *builder) variable(k int) int     { return b.add(Step{Op: Variable, A: k}) }

// binary returns a operator b. Operations of constants are computed at once.
func (b *builder) binary(op Op, x, y int) int { return b.folded(Step{Op: op, A: x, B: y}) }

func (b *builder) negate(x int) int { return b.folded(Step{Op: Negate, A: x}) }

func (b *builder) unary(op Op, name string, x int) int {
	return b.folded(Step{Op: op, Name: name, A: x})
}

func (b *builder) calls(name string, x, y int) int {
	return b.folded(Step{Op: Call2, Name: name, A: x, B: y})
}

// folded returns the operation, or its value if the operands are constants.
func (b *builder) folded(s Step) int {
	constant := b.steps[s.A].Op == Constant
	if s.Op != Negate && s.Op != Call {
		constant = constant && b.steps[s.B].Op == Constant
	}
	if !constant {
		return b.add(s)
	}
	v := apply(&s, b.steps[s.A].Value, b.steps[s.B].Value)
	if v-v != 0 {
		return b.add(s) // constants in the text of kernels are finite
	}
	return b.constant(v)
}

// apply returns the value of an operation.
func apply(s *Step, x, y float64) float64 {
	switch s.Op {
	case Add:
		return x + y
	case Subtract:
		return x - y
	case Multiply:
		return x * y
	case Divide:
		return x / y
	case Negate:
		return -x
	case Call:
		return functions[s.Name].unary(x)
	case Call2:
		return functions[s.Name].binary(x, y)
	case Constant, Variable:
	}
	return s.Value
}

// maxPower is the largest exponent for which powers are computed by multiplications.
const maxPower = 64

// raise returns x^y.
func (b *builder) raise(x, y int) int {
	exponent := &b.steps[y]
	if n := exponent.Value; exponent.Op == Constant && n == math.Trunc(n) && math.Abs(n) <= maxPower {
		if n >= 0 {
			return b.repeat(x, int(n))
		}
		return b.binary(Divide, b.constant(1), b.repeat(x, int(-n)))
	}
	return b.calls("pow", x, y)
}

// repeat returns x^n by squaring: x^5 is ((x*x)*(x*x))*x.
func (b *builder) repeat(x, n int) int {
	switch {
	case n == 0:
		return b.constant(1)
	case n == 1:
		return x
	}
	half := b.repeat(x, n/2)
	square := b.binary(Multiply, half, half)
	if n%2 == 1 {
		return b.binary(Multiply, square, x)
	}
	return square
}

// program returns the program without the operations that the result does not need.
func (b *builder) program(text string, result int) *Program {
	needed := make([]bool, len(b.steps))
	needed[result] = true
	for i := result; i >= 0; i-- {
		if needed[i] {
			for _, a := range b.steps[i].Operands() {
				needed[a] = true
			}
		}
	}
	p := &Program{Text: text}
	number := make([]int, len(b.steps))
	for i, s := range b.steps {
		if !needed[i] {
			continue
		}
		number[i] = len(p.Steps)
		if n := len(s.Operands()); n > 0 {
			s.A = number[s.A]
			if n > 1 {
				s.B = number[s.B]
			}
		}
		p.Steps, p.Variables = append(p.Steps, s), append(p.Variables, b.variables[i])
	}
	p.Result = number[result]
	return p
}

// Operands returns the numbers of the operations that a step needs.
func (s *Step) Operands() []int {
	switch s.Op {
	case Constant, Variable:
		return nil
	case Negate, Call:
		return []int{s.A}
	default:
		return []int{s.A, s.B}
	}
}
