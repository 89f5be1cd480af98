package grid

import (
	"fmt"
	"path"
	"reflect"
	"runtime"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Function is a real function of one or several variables, which can be evaluated on devices.
type Function struct {
	Name string
	Dim  int // the number of variables

	// Version, such as a checksum of the text, tells checkpoints apart that are of functions of the
	// same name. It can be empty.
	Version string

	at     func(x []float64) float64
	values func(b *block, tabled bool, nodes vector.Source[int]) *vector.Vector[float64]
	tables tables
	runs   func(tabled, strided bool) *runs // nil if the function is not evaluated by runs
}

// tables computes the tables of an axis that a function uses.
type tables interface {
	// rows returns how many rows the table of axis k has, of which row 0 holds the coordinates.
	rows(k int) int
	// fill computes row r for the coordinates x.
	fill(k, r int, dst, x []float64)
}

// Of returns the function of a Go function, which must be a function at package level, or one
// that captures nothing. Devices other than the CPU need its device form, so the package that
// calls Of needs a line //go:generate go tool skelgen. Of panics if f is nil.
func Of[P Point](f func(x P) float64) *Function {
	var p P
	nodes, value := nodesOf[P](), skel.NewMap(f)
	name := "f"
	if fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer()); fn != nil {
		name = path.Base(fn.Name())
	}
	return &Function{
		Name: name,
		Dim:  len(p),
		at: func(x []float64) float64 {
			var p P
			for k := range len(p) {
				p[k] = x[k]
			}
			return f(p)
		},
		values: func(b *block, _ bool, at vector.Source[int]) *vector.Vector[float64] {
			return value.Apply(nodes.with(b).Apply(at))
		},
	}
}

// At returns the value of the function, computed on the host. It panics if the number of
// variables is wrong.
func (f *Function) At(x ...float64) float64 {
	if len(x) != f.Dim {
		panic(fmt.Sprintf("grid: %s: %d numbers for %d variables", f.Name, len(x), f.Dim))
	}
	return f.at(x)
}
