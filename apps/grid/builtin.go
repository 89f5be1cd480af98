package grid

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/grid/expression"
)

// builtin is a function that optimizers are tested with.
type builtin struct {
	least, most int // numbers of variables
	formula     func(dim int) string
	help        string
}

// builtins holds these functions by name. See J. Momin and X.-S. Yang, "A literature survey of
// benchmark functions for global optimization problems", 2013.
var builtins = map[string]builtin{
	"schwefel": {1, MaxDim, func(dim int) string {
		return fmt.Sprintf("%d*418.9829%s", dim, sum(dim, " - X*sin(sqrt(abs(X)))", ""))
	}, "many minima; the least on -500 to 500 is at 420.9687 in each variable"},
	"rastrigin": {1, MaxDim, func(dim int) string {
		return fmt.Sprintf("%d%s", 10*dim, sum(dim, " + (X^2 - 10*cos(2*pi*X))", ""))
	}, "a minimum near every integer, the least at 0"},
	"rosenbrock": {2, MaxDim, func(dim int) string {
		return sum(dim-1, "100*(Y - X^2)^2 + (1 - X)^2", " + ")
	}, "a curved valley with the minimum at 1"},
	"ackley": {1, MaxDim, func(dim int) string {
		return fmt.Sprintf("20 + e - 20*exp(-0.2*sqrt((%s)/%d)) - exp((%s)/%d)", sum(dim, "X^2", " + "), dim,
			sum(dim, "cos(2*pi*X)", " + "), dim)
	}, "nearly flat, with a deep minimum at 0"},
	"griewank": {1, MaxDim, func(dim int) string {
		return fmt.Sprintf("1 + (%s)/4000 - %s", sum(dim, "X^2", " + "), sum(dim, "cos(X/sqrt(N))", "*"))
	}, "many shallow minima, the least at 0"},
	"himmelblau": {2, 2, func(int) string {
		return "(x^2 + y - 11)^2 + (x + y^2 - 7)^2"
	}, "four minima of 0, one of them at (3, 2)"},
}

// sum joins a term for each variable. In a term, X is the variable, Y the next one, and N its number.
func sum(dim int, term, between string) string {
	terms := make([]string, dim)
	for k := range terms {
		terms[k] = strings.NewReplacer("X", fmt.Sprint("x", k+1), "Y", fmt.Sprint("x", k+2), "N",
			fmt.Sprint(k+1)).Replace(term)
	}
	return strings.Join(terms, between)
}

// Builtins returns the names of the functions that Builtin knows.
func Builtins() []string { return slices.Sorted(maps.Keys(builtins)) }

// Formula returns the formula of a function that is built in. It returns an error if there is none of
// that name, or none with so many variables.
func Formula(name string, dim int) (string, error) {
	b, is := builtins[name]
	switch {
	case !is:
		return "", fmt.Errorf("%q is not a function; available: %s, and any by --expr or --func", name,
			strings.Join(Builtins(), ", "))
	case dim < b.least || dim > b.most:
		if b.least == b.most {
			return "", fmt.Errorf("%s has %d variables, but there %s", name, b.least, axesText(dim))
		}
		return "", fmt.Errorf("%s has %d to %d variables, but there %s", name, b.least, b.most, axesText(dim))
	}
	return b.formula(dim), nil
}

// Builtin returns the function of that name with dim variables: ackley, griewank, himmelblau,
// rastrigin, rosenbrock or schwefel. Its errors are those of Formula.
func Builtin(name string, dim int) (*Function, error) {
	text, err := Formula(name, dim)
	if err != nil {
		return nil, err
	}
	p, err := expression.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return compiled(name, p, dim)
}
