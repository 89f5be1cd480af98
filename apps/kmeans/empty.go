package kmeans

import (
	"math"
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// remember copies the centres if the policy for empty clusters needs them.
func (m *model[T]) remember() {
	if m.o.Empty != Farthest {
		return
	}
	if m.earlier != nil {
		m.earlier.Free()
	}
	m.earlier, m.before = m.before, m.centers.Clone()
}

// mend applies the policy to the clusters that have no points left.
func (m *model[T]) mend(sums *matrix.Matrix[float64]) error {
	s, err := sums.Host()
	if err != nil {
		return err
	}
	var empty []int
	for c := range m.k {
		if s[c*m.cols+m.width] == 0 {
			empty = append(empty, c)
		}
	}
	switch {
	case len(empty) == 0:
		return nil
	case m.o.Empty == Drop:
		return m.leaveOut(empty)
	}
	return m.takeFarthest(empty, slices.Clone(s)) // Host returns the matrix's own memory
}

// leaveOut sets centres to NaN, which are never nearest to a point.
func (m *model[T]) leaveOut(empty []int) error {
	for _, c := range empty {
		for j := range m.dim {
			if err := m.centers.Set(j, c, T(math.NaN())); err != nil {
				return err
			}
		}
	}
	return nil
}

func ticketOf(i int, key float64) ticket { return ticket{key, i} }

// farther returns the ticket with the larger key, of equal ones the later. NaN
// is smaller than any number.
func farther(a, b ticket) ticket {
	if b.Key >= a.Key || a.Key != a.Key {
		return b
	}
	return a
}

var (
	tickets  = skel.NewZip(ticketOf)
	farthest = skel.NewReduce(farther, ticket{math.Inf(-1), -1})
)

// takeFarthest is scikit-learn's rule: each empty cluster in turn takes the point
// that was farthest from its centre before the iteration, and that point leaves
// its cluster.
func (m *model[T]) takeFarthest(empty []int, s []float64) error {
	left := m.distances(m.before)
	defer left.Free()
	cluster := func(c int) []float64 { return s[c*m.cols : (c+1)*m.cols] }
	for _, c := range empty {
		labelled := tickets.Apply(vector.Indices(m.n, m.where), left)
		far, err := value(farthest.Apply(labelled))
		labelled.Free()
		if err != nil {
			return err
		}
		if far.Key <= 0 {
			break // all points lie on their centres
		}
		from, err := m.labels.At(far.Index)
		if err != nil {
			return err
		}
		point, err := m.point(far.Index)
		if err != nil {
			return err
		}
		weight := m.weightOf(far.Index)
		for j, x := range point {
			cluster(int(from))[j] -= weight * float64(x)
			cluster(c)[j] = weight * float64(x)
		}
		cluster(int(from))[m.width] -= weight
		cluster(c)[m.width] = weight
		if cluster(int(from))[m.width] < 1e-12*weight {
			cluster(int(from))[m.width] = 0 // the rest is a rounding error
		}
		if err := left.Set(far.Index, -1); err != nil {
			return err
		}
	}
	m.centers, m.before = m.before, m.centers // clusters that just lost their last point keep their centres
	mended := matrix.From(m.k, m.cols, s, m.home)
	defer mended.Free()
	return m.moveTo(mended)
}

// renumber renumbers the labels and sizes of a result so that only used clusters have
// numbers.
func (m *model[T]) renumber(r *Result[T], used []int) error {
	numbers, sizes := make([]int32, m.k), make([]int, len(used))
	for number, c := range used {
		numbers[c], sizes[number] = int32(number), r.Sizes[c]
	}
	to, old := vector.From(numbers, m.home), r.Labels
	defer to.Free()
	defer old.Free()
	r.Sizes, r.Labels = sizes, relabel.With(to.View()).Apply(old)
	return r.Labels.Wait()
}

func newLabel(l int32, to vector.View[int32]) int32 { return to.At(int(l)) }

var relabel = skel.NewMapWith(newLabel)
