package pca

import (
	"context"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// nipals computes one component after the other by the algorithm of that name (nonlinear
// iterative partial least squares):
//
//	t = a column of X
//	repeat:
//	    p = X't, divided by its length       loadings
//	    t = Xp                               scores
//	until t changes by no more than the tolerance
//	X = X - tp', and the next component
//
// The last line, which would write all of X, is left out. Instead, the loadings are made
// orthogonal to those of earlier components in every iteration: as the scores of these are
// orthogonal to each other, (X - TP')'t = X't - P(P'X't). That also keeps the loadings
// orthogonal where rounding would spoil them. The division of the textbook's X't by t't is
// left out too, because p is divided by its length anyway.
//
// Components may be found out of order, if a column is a component; they are sorted.
func (f *fitting[T]) nipals(ctx context.Context, m *Model) error {
	left, err := f.columnSquares()
	if err != nil {
		return err
	}
	squares := 0.0
	for _, v := range left {
		squares += v
	}
	if err := f.setTotal(m, squares/float64(f.n-1)); err != nil {
		return err
	}
	most := min(f.n, f.dim)
	if f.o.Components > 0 {
		most = f.o.Components
	}
	it, err := f.newIteration(most, 16*epsilon*math.Sqrt(squares))
	if err != nil {
		return err
	}
	defer it.free()
	for k := range most {
		p, t, n, converged, err := it.component(ctx, k, start(m.Loadings, left))
		if err != nil {
			return err
		}
		if t <= it.noise {
			break // the components so far span the data
		}
		m.Iterations = append(m.Iterations, n)
		if !converged {
			m.Unconverged++
		}
		m.Loadings, m.Variances = append(m.Loadings, p), append(m.Variances, t*t/float64(f.n-1))
		for j, v := range p {
			left[j] = max(0, left[j]-t*t*v*v)
		}
		if f.o.Fraction > 0 && sumOf(m.Variances) >= f.o.Fraction*m.Total {
			break
		}
	}
	m.sort()
	for f.o.Fraction == 0 && len(m.Loadings) < most || len(m.Loadings) == 0 { // components without variance
		m.Loadings, m.Variances = append(m.Loadings, anyOrthogonal(m.Loadings, f.dim)), append(m.Variances, 0)
	}
	return nil
}

const epsilon = 0x1p-52

// columnSquares returns the sum of squares of each centred column.
func (f *fitting[T]) columnSquares() ([]float64, error) {
	centred := f.centred()
	defer centred.Free()
	sums := f.sumOfColumns(square.ApplyMatrix(centred))
	defer sums.Free()
	s, err := sums.Host()
	return slices.Clone(s), err
}

// start returns the loadings with which the iteration for a component starts, orthogonal to
// those of the earlier components. left are the sums of squares of the columns that these
// leave. The textbook starts with the scores t = x_j, or p = e_j; here j is the column with
// the largest sum. If that column is a component already, but not the next one, the
// iteration would not leave it, so p has small parts of all columns.
func start(loadings [][]float64, left []float64) []float64 {
	largest := 0
	for j, v := range left {
		if v > left[largest] {
			largest = j
		}
	}
	p := make([]float64, len(left))
	for j := range p {
		p[j] = 0.01 * (2*fit.Uniform(fit.Stream(uint64(len(loadings)), j)) - 1)
	}
	p[largest]++
	orthogonalize(p, loadings)
	return p
}

// iteration is the recorded iteration for a component. All its containers keep their
// shapes, so it is recorded once for all components.
type iteration[T number] struct {
	f       *fitting[T]
	loop    *skel.Loop
	basis   *matrix.Matrix[float64] // a row for each component; rows of later components are zero
	p       *vector.Vector[float64] // the loadings
	t       *vector.Vector[float64] // the scores
	squares *vector.Scalar[squares] // of the last iteration
	noise   float64                 // what rounding makes of scores that are zero
}

// squares are squared lengths: of the scores, and of their change.
type squares struct{ Scores, Change float64 }

func (f *fitting[T]) newIteration(most int, noise float64) (it *iteration[T], err error) {
	where := f.x.Vector().Distribution()
	it = &iteration[T]{
		f: f, basis: matrix.New[float64](most, f.dim, f.home), p: vector.New[float64](f.dim, f.home),
		t: vector.New[float64](f.n, where), squares: vector.NewScalar(squares{}, f.home), noise: noise,
	}
	it.loop, err = skel.Record(it.step)
	if err != nil {
		it.free()
	}
	return it, err
}

func (it *iteration[T]) free() {
	if it.loop != nil {
		_ = it.loop.Close() // nothing is lost
	}
	it.basis.Free()
	it.p.Free()
	it.t.Free()
	it.squares.Free()
}

func subtract(a, b float64) float64 { return a - b }

// lengths has the squared lengths of the scores t and of X't, and the square of what
// rounding makes of X't if t has length 1.
type lengths struct {
	Scores, Image vector.View[float64]
	Rounding      float64
}

// unit divides an element of X't by its length. It returns 0 if nothing but rounding is
// left, whose direction means nothing.
func unit(x float64, l lengths) float64 {
	if !(l.Image.At(0) > l.Rounding*l.Scores.At(0)) {
		return 0
	}
	return x / math.Sqrt(l.Image.At(0))
}

func squaredDifference(a, b float64) float64 { return (a - b) * (a - b) }

// entry has the results of a step.
type entry struct {
	Scores, Change vector.View[float64]
	Squares        vector.OutView[squares]
}

func enter(_ int, e entry) { e.Squares.Set(0, squares{e.Scores.At(0), e.Change.At(0)}) }

var (
	difference         = skel.NewZip(subtract)
	squaredDifferences = skel.NewZip(squaredDifference)
	normalize          = skel.NewMapWith(unit)
	note               = skel.NewMapVoidWith(enter)
)

// step computes the scores t = Xp and then the loadings p = X't.
func (it *iteration[T]) step() error {
	f := it.f
	x := f.centred()
	defer x.Free()
	weighted := times.ApplyMatrix(x, matrix.RepeatRow(it.p, f.n))
	t := add.Rows(weighted)
	weighted.Free()
	defer t.Free()

	changes, tt := squaredDifferences.Apply(t, it.t), square.Apply(t)
	change, scores := add.Apply(changes), add.Apply(tt)
	changes.Free()
	tt.Free()
	defer change.Free()
	defer scores.Free()
	if err := it.t.CopyFrom(t); err != nil {
		return err
	}
	all := vector.Indices(1, f.home)
	if err := note.With(entry{scores.View(), change.View(), it.squares.Vector().OutView()}).Apply(all); err != nil {
		return err
	}
	y := f.centred()
	defer y.Free()
	p := f.sumOfColumns(times.ApplyMatrix(y, matrix.RepeatCol(it.t, f.dim)))
	for range 2 { // once leaves errors of rounding that grow from component to component
		p = it.orthogonal(p)
	}
	defer p.Free()
	pp := square.Apply(p)
	image := add.Apply(pp)
	pp.Free()
	defer image.Free()
	return normalize.With(lengths{scores.View(), image.View(), it.noise * it.noise}).ApplyTo(it.p, p)
}

// orthogonal returns p - B'(Bp) for the basis B, and frees p.
func (it *iteration[T]) orthogonal(p *vector.Vector[float64]) *vector.Vector[float64] {
	defer p.Free()
	b := it.basis
	weighted := times.ApplyMatrix(b, matrix.RepeatRow(p, b.Rows()))
	along := add.Rows(weighted)
	weighted.Free()
	defer along.Free()
	sum := it.f.sumOfColumns(times.ApplyMatrix(b, matrix.RepeatCol(along, b.Cols())))
	defer sum.Free()
	return difference.Apply(p, sum)
}

// batchMost is the largest number of iterations between two looks at the change.
const batchMost = 8

// component finds component k by iteration from the loadings p. It returns the loadings,
// the length of the scores, and the number of iterations.
func (it *iteration[T]) component(
	ctx context.Context, k int, p []float64,
) (loadings []float64, scores float64, n int, converged bool, err error) {
	f := it.f
	if err := it.p.Write(0, p); err != nil {
		return nil, 0, 0, false, err
	}
	// Short iterations go in batches, so that the devices do not wait for the host.
	batch := min(max(1, (64<<20)/(8*f.n*f.dim)), batchMost)
	for n < f.o.MaxIter && !converged {
		if err := ctx.Err(); err != nil {
			return nil, 0, n, false, err
		}
		size := min(batch, f.o.MaxIter-n)
		if err := it.loop.Run(size); err != nil {
			return nil, 0, n, false, err
		}
		s, err := it.squares.Value()
		if err != nil {
			return nil, 0, n, false, err
		}
		n += size
		if f.o.Progress != nil {
			f.o.Progress(k, n)
		}
		scores = math.Sqrt(s.Scores)
		// Rounding in the sums over all data hides smaller changes.
		converged = math.Sqrt(s.Change) <= max(f.o.Tolerance*scores, it.noise)
	}
	loadings, err = it.p.Host()
	if err != nil {
		return nil, 0, n, false, err
	}
	loadings = slices.Clone(loadings)
	return loadings, scores, n, converged, it.basis.Vector().Write(k*f.dim, loadings)
}

// orthogonalize makes p orthogonal to an orthonormal basis and gives it length 1.
func orthogonalize(p []float64, basis [][]float64) {
	for range 2 {
		for _, b := range basis {
			along := dot(p, b)
			for j := range p {
				p[j] -= along * b[j]
			}
		}
	}
	length := norm(p)
	for j := range p {
		p[j] /= length
	}
}

// anyOrthogonal returns a vector of length 1 that is orthogonal to an orthonormal basis of
// fewer than dim vectors.
func anyOrthogonal(basis [][]float64, dim int) []float64 {
	farthest, least := 0, math.Inf(1)
	for j := range dim {
		inside := 0.0
		for _, b := range basis {
			inside += b[j] * b[j]
		}
		if inside < least {
			farthest, least = j, inside
		}
	}
	p := make([]float64, dim)
	p[farthest] = 1
	orthogonalize(p, basis)
	return p
}

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum = math.FMA(a[j], b[j], sum)
	}
	return sum
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
