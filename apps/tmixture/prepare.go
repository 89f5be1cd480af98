package tmixture

import (
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// current has the packed parameters of all components, Size numbers for each.
type current struct {
	Theta   vector.View[float64]
	P, Size int
}

// covariance returns an element of the covariance matrices, which are one below the other.
func covariance(at matrix.Index, c current) float64 {
	j := at.Row / c.P
	return c.Theta.At(j*c.Size + packedMean + c.P + (at.Row-j*c.P)*c.P + at.Col)
}

// axisOf returns an axis of a component whose covariance matrix is diagonal.
func axisOf[T number](at matrix.Index, c current) axis[T] {
	i := at.Row*c.Size + packedMean + at.Col
	return axis[T]{T(c.Theta.At(i)), T(1 / math.Sqrt(c.Theta.At(i+c.P)))}
}

// replacement has the parameters and those that replace them.
type replacement struct {
	Theta vector.OutView[float64]
	Next  vector.View[float64]
}

func replace(i int, r replacement) { r.Theta.Set(i, r.Next.At(i)) }

// triangles has the inverse Cholesky factors of all components.
type triangles struct {
	Theta   vector.View[float64]
	Inverse matrix.View[float64]
	P, Size int
}

// coordinate returns an element of L⁻¹μ.
func coordinate[T number](i int, t triangles) T {
	j := i / t.P
	mean, b := j*t.Size+packedMean, 0.0
	for c := range i - j*t.P + 1 {
		b = math.FMA(t.Inverse.At(i, c), t.Theta.At(mean+c), b)
	}
	return T(b)
}

// rooted has the Cholesky factors of all components, and the variances of the columns.
type rooted struct {
	Theta, Variances vector.View[float64]
	Roots            matrix.View[float64]
	P, Size          int
	Smallest         float64 // see sound
}

// determined has the parameters of all components, and the logarithms of the determinants of
// their Cholesky factors.
type determined struct {
	Theta, Logs vector.View[float64]
	P, Size     int
}

// sound reports whether a variance of a column, given the columns before it, is not just rounding:
// it is more than a part smallest of its variance in the component, and that squared of its
// variance in the data.
func sound(variance, of, data, smallest float64) bool {
	return variance > smallest*of && variance > smallest*smallest*data && variance-variance == 0
}

// logRoot returns the logarithm of an element of the diagonals of the Cholesky factors. It is NaN
// if the covariance matrix is singular but for rounding.
func logRoot(at matrix.Index, r rooted) float64 {
	j, c := at.Row, at.Col
	l := r.Roots.At(j*r.P+c, c)
	if !sound(l*l, r.Theta.At(j*r.Size+packedMean+r.P+c*r.P+c), r.Variances.At(c), r.Smallest) {
		return math.NaN()
	}
	return math64.Log(l)
}

// componentOf returns what the E-step needs of component j. The logarithm is NaN if the
// covariance matrix is singular but for rounding.
func componentOf[T number](j int, d determined) component[T] {
	base := 0.0
	if float64(T(0.1)) != 0.1 { // T is float32
		base = d.constant(0)
	}
	return componentWith[T](d.Theta.At(j*d.Size+packedDF), d.constant(j), base, d.P)
}

// constant returns the logarithm of the weight of component j, and of the constant factor of its
// density.
func (d determined) constant(j int) float64 {
	first := j * d.Size
	nu := d.Theta.At(first + packedDF)
	return math64.Log(d.Theta.At(first+packedWeight)) + logConstant(nu, d.P) - d.Logs.At(j)
}

// spread has the parameters of components whose covariance matrices are diagonal.
type spread struct {
	Theta, Variances vector.View[float64]
	P, Size          int
	Smallest         float64
}

// componentOfAxes is componentOf for a diagonal covariance matrix.
func componentOfAxes[T number](j int, s spread) component[T] {
	base := 0.0
	if float64(T(0.1)) != 0.1 { // T is float32
		base = s.constant(0)
	}
	return componentWith[T](s.Theta.At(j*s.Size+packedDF), s.constant(j), base, s.P)
}

func (s spread) constant(j int) float64 {
	first := j * s.Size
	logs := 0.0
	for c := range s.P {
		v := s.Theta.At(first + packedMean + s.P + c)
		if !sound(v, v, s.Variances.At(c), s.Smallest) {
			logs = math.NaN()
		}
		logs += math64.Log(v) / 2
	}
	return math64.Log(s.Theta.At(first+packedWeight)) + logConstant(s.Theta.At(first+packedDF), s.P) - logs
}

// componentWith returns the component with degrees of freedom nu and the constant log.
func componentWith[T number](nu, log, base float64, p int) component[T] {
	half := (nu + float64(p)) / 2
	return component[T]{T(log - base), T(nu), T(half), T(math64.Log1p(float64(p)/nu) - logMinusDigamma(half)), base}
}

var (
	matricesOf = skel.NewMapWith(covariance)
	logRoots   = skel.NewMapWith(logRoot)
	replaceAll = skel.NewMapVoidWith(replace)
)

// prepare makes the next parameters the current ones, and computes what the E-step needs of them.
func (it *iteration[T]) prepare(smallest float64) error {
	to := replacement{it.theta.OutView(), it.next.View()}
	if err := replaceAll.With(to).Apply(vector.Indices(it.theta.Len(), it.home)); err != nil {
		return err
	}
	p, size := it.x.Cols(), packedSize(it.x.Cols(), it.diagonal)
	now := current{it.theta.View(), p, size}
	all := vector.Indices(it.g, it.home)
	if it.diagonal {
		it.axes = it.s.axesOf.With(now).ApplyMatrix(matrix.Indices(it.g, p, it.home))
		_ = it.axes.View() // computed once, not again for each row
		s := spread{it.theta.View(), it.variances.View(), p, size, smallest}
		it.components = it.s.axesComponentsOf.With(s).Apply(all)
		return nil
	}
	sigmas := matricesOf.With(now).ApplyMatrix(matrix.Indices(it.g*p, p, it.home))
	defer sigmas.Free()
	roots := skel.Cholesky(sigmas)
	defer roots.Free()
	w := skel.InverseLower(roots)
	it.b = it.s.shifts.With(triangles{it.theta.View(), w.View(), p, size}).Apply(vector.Indices(it.g*p, it.home))
	switch w := any(w).(type) {
	case *matrix.Matrix[T]:
		it.w = w
	case *matrix.Matrix[float64]:
		it.w = any(narrowed.ApplyMatrix(w)).(*matrix.Matrix[T])
		w.Free()
	}
	r := rooted{it.theta.View(), it.variances.View(), roots.View(), p, size, smallest}
	diagonals := logRoots.With(r).ApplyMatrix(matrix.Indices(it.g, p, it.home))
	defer diagonals.Free()
	logs := add.Rows(diagonals)
	defer logs.Free()
	it.components = it.s.componentsOf.With(determined{it.theta.View(), logs.View(), p, size}).Apply(all)
	return nil
}
