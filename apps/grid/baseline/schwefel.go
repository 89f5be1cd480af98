package baseline

import _ "embed" // the kernel

//go:embed schwefel.cl
var schwefelText string

// SchwefelFunction is Schwefel's function.
var SchwefelFunction = Function{"schwefel", schwefelText}

// Schwefel finds the minimum of Schwefel's function on a grid of one or more axes that are
// alike. Each has size nodes, and all together as many as were allocated. The program must have been
// built for SchwefelFunction.
func (p *Program) Schwefel(begin, step float64, axes, size int) (Minimum, error) {
	if err := p.function.SetArgs(p.values, uint64(p.n), begin, step, int32(axes), uint64(size)); err != nil {
		return Minimum{}, err
	}
	return p.run()
}
