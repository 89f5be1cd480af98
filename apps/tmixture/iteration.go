package tmixture

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// parameters are the parameters θ of a mixture, relative to the means of the columns.
type parameters struct {
	weights     []float64       // π
	means       [][]float64     // μ
	covariances []*mat.SymDense // Σ
	roots       []*mat.TriDense // L with LL' = Σ
	df          []float64       // ν
}

func (theta *parameters) g() int { return len(theta.weights) }

// iteration is the recorded iteration for a number of components. The host writes the
// parameters into containers on the devices, and reads the results from others.
type iteration struct {
	x           *matrix.Matrix[float64]
	where, home vector.Distribution
	g           int
	diagonal    bool
	theta       *parameters
	converged   bool
	loop        *skel.Loop

	// The parameters.
	w          *matrix.Matrix[float64]
	b          *vector.Vector[float64]
	axes       *matrix.Matrix[axis] // instead of w and b, if covariances are diagonal
	components *vector.Vector[component]

	// The results.
	q       *matrix.Matrix[float64]
	logLik  *vector.Scalar[float64]
	sums    *vector.Vector[sums]
	means   *matrix.Matrix[float64]
	scatter *vector.Vector[float64]
	value   float64 // of logLik
}

// newContainers returns an iteration for g components without a loop.
func (f *fitting) newContainers(g int) *iteration {
	it := &iteration{
		x: f.x, where: f.where, home: f.home, g: g,
		diagonal:   f.o.Covariance == Diagonal || f.o.Covariance == Spherical,
		components: vector.New[component](g, f.home),
	}
	if it.diagonal {
		it.axes = matrix.New[axis](g, f.p, f.home)
	} else {
		it.w, it.b = matrix.New[float64](g*f.p, f.p, f.home), vector.New[float64](g*f.p, f.home)
	}
	return it
}

// newIteration returns an iteration that starts with the given parameters.
func (f *fitting) newIteration(theta *parameters) (*iteration, error) {
	it := f.newContainers(theta.g())
	err := it.set(theta)
	if err == nil {
		it.loop, err = skel.Record(func() error {
			it.q = it.expect()
			it.moments(it.q)
			return nil
		})
	}
	if err != nil {
		it.free()
		return nil, err
	}
	return it, nil
}

// free frees the containers. It may be called twice.
func (it *iteration) free() {
	if it == nil || it.components == nil {
		return
	}
	if it.loop != nil {
		_ = it.loop.Close() // nothing is lost
	}
	for _, m := range []*matrix.Matrix[float64]{it.w, it.q, it.means} {
		if m != nil {
			m.Free()
		}
	}
	for _, v := range []*vector.Vector[float64]{it.b, it.scatter} {
		if v != nil {
			v.Free()
		}
	}
	if it.axes != nil {
		it.axes.Free()
	}
	if it.logLik != nil {
		it.logLik.Free()
	}
	if it.sums != nil {
		it.sums.Free()
	}
	it.components.Free()
	it.components = nil
}

// set writes the parameters to the devices.
func (it *iteration) set(theta *parameters) error {
	it.theta = theta
	p := it.x.Cols()
	all := make([]component, it.g)
	rows, shift := make([]float64, 0, it.g*p*p), make([]float64, 0, it.g*p)
	axes := make([]axis, 0, it.g*p)
	for j, root := range theta.roots {
		nu := theta.df[j]
		half := (nu + float64(p)) / 2
		all[j] = component{
			Log: math.Log(theta.weights[j]) + logConstant(nu, p), Nu: nu, Half: half, ElogU0: mathext.Digamma(half),
		}
		for c := range p {
			all[j].Log -= math.Log(root.At(c, c))
		}
		if it.diagonal {
			for c, mean := range theta.means[j] {
				axes = append(axes, axis{mean, 1 / root.At(c, c)})
			}
			continue
		}
		inverse := mat.NewTriDense(p, mat.Lower, nil)
		_ = inverse.InverseTri(root) // the condition is not an error: root was checked
		for r := range p {
			b := 0.0
			for c := range p {
				v := inverse.At(r, c)
				rows, b = append(rows, v), math.FMA(v, theta.means[j][c], b)
			}
			shift = append(shift, b)
		}
	}
	if err := it.components.Write(0, all); err != nil {
		return err
	}
	if it.diagonal {
		return it.axes.Vector().Write(0, axes)
	}
	if err := it.w.Vector().Write(0, rows); err != nil {
		return err
	}
	return it.b.Write(0, shift)
}

// run runs the iteration and reads the log-likelihood.
func (it *iteration) run() (err error) {
	if err = it.loop.Run(1); err != nil {
		return err
	}
	it.value, err = it.logLik.Value()
	return err
}
