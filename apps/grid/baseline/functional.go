package baseline

import _ "embed" // the kernel

//go:embed functional.cl
var functionalText string

// PaperFunctional is the paper's functional.
var PaperFunctional = Function{"functional", functionalText}

// Functional finds the minimum of the paper's functional on an axis of frequencies. The program
// must have been built for PaperFunctional.
func (p *Program) Functional(begin, step float64) (Minimum, error) {
	if err := p.function.SetArgs(p.values, uint64(p.n), begin, step); err != nil {
		return Minimum{}, err
	}
	return p.run()
}
