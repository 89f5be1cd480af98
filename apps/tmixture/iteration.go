package tmixture

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// iteration is the recorded iteration for a number of components. It runs on the devices as a
// whole: the host writes parameters, and reads their likelihood and the next parameters.
type iteration[T number] struct {
	s           *skeletons[T]
	x           *matrix.Matrix[T]
	where, home vector.Distribution
	g           int
	diagonal    bool
	now         *parameters // of which value is the likelihood
	found       *parameters // the next parameters, if the host has read them
	converged   bool
	loop        *skel.Loop

	// The parameters and the next ones, packed.
	theta, next      *vector.Vector[float64]
	prior, variances *vector.Vector[float64]

	// What the E-step needs of the parameters.
	w          *matrix.Matrix[T]
	b          *vector.Vector[T]
	axes       *matrix.Matrix[axis[T]] // instead of w and b, if covariances are diagonal
	components *vector.Vector[component[T]]

	// The results.
	q       *matrix.Matrix[T]
	logLik  *vector.Scalar[float64]
	sums    *vector.Vector[sums]
	means   *matrix.Matrix[float64]
	scatter *vector.Vector[float64]
	value   float64 // of logLik
}

// newContainers returns an iteration for g components without a loop.
func (f *fitting[T]) newContainers(g int) *iteration[T] {
	it := &iteration[T]{
		s: f.s, x: f.x, where: f.where, home: f.home, g: g,
		diagonal: f.o.Covariance == Diagonal || f.o.Covariance == Spherical,
	}
	it.theta = vector.New[float64](g*packedSize(f.p, it.diagonal), f.home)
	it.next = vector.New[float64](it.theta.Len(), f.home)
	it.variances = vector.From(f.variances, f.home)
	prior := make([]float64, f.p*f.p)
	if it.diagonal {
		prior = prior[:f.p]
	}
	for i, v := range f.weakPrior() {
		prior[i] = v * math.Pow(float64(g), -2/float64(f.p))
	}
	it.prior = vector.From(prior, f.home)
	return it
}

// newIteration returns an iteration that starts with the given parameters.
func (f *fitting[T]) newIteration(theta *parameters) (*iteration[T], error) {
	it := f.newContainers(theta.g())
	err := it.set(theta)
	if err == nil {
		it.loop, err = skel.Record(func() error {
			if err := it.prepare(f.smallest); err != nil {
				return err
			}
			it.q = it.expect()
			it.moments()
			return it.maximize(f, f.o.DivideByZ || f.o.Covariance == Tied && f.o.DF == Each)
		})
	}
	if err != nil {
		it.free()
		return nil, err
	}
	return it, nil
}

// free frees the containers. It may be called twice.
func (it *iteration[T]) free() {
	if it == nil || it.theta == nil {
		return
	}
	if it.loop != nil {
		_ = it.loop.Close() // nothing is lost
	}
	for _, m := range []*matrix.Matrix[T]{it.w, it.q} {
		if m != nil {
			m.Free()
		}
	}
	if it.means != nil {
		it.means.Free()
	}
	if it.b != nil {
		it.b.Free()
	}
	for _, v := range []*vector.Vector[float64]{it.theta, it.prior, it.variances, it.scatter, it.next} {
		if v != nil {
			v.Free()
		}
	}
	if it.axes != nil {
		it.axes.Free()
	}
	if it.components != nil {
		it.components.Free()
	}
	if it.logLik != nil {
		it.logLik.Free()
	}
	if it.sums != nil {
		it.sums.Free()
	}
	it.theta = nil
}

// set makes theta the parameters of the next run.
func (it *iteration[T]) set(theta *parameters) error {
	it.now = theta
	if theta == it.found {
		return nil // the devices have them
	}
	return it.next.Write(0, theta.pack(it.x.Cols(), it.diagonal))
}

// run runs the iteration and reads the log-likelihood, which is NaN if a covariance matrix is
// singular.
func (it *iteration[T]) run() (err error) {
	it.found = nil
	if err = it.loop.Run(1); err != nil {
		return err
	}
	it.value, err = it.logLik.Value()
	return err
}

// singular returns the first component of the parameters whose covariance matrix is singular, or
// -1 if there is none.
func (it *iteration[T]) singular() (int, error) {
	all, err := it.components.Host()
	if err != nil {
		return 0, err
	}
	for j, c := range all {
		if c.Log != c.Log {
			return j, nil
		}
	}
	return -1, nil
}
