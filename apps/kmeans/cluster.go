package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Result is a clustering. Its containers stay on the device of the points.
type Result[T number] struct {
	Centers    *matrix.Matrix[T]     // a row a cluster
	Labels     *vector.Vector[int32] // the cluster of each point
	Sizes      []int                 // the number of points in each cluster
	Inertia    float64               // the sum of weight times squared distance from the centre
	RMSE       float64               // the root of inertia over the sum of the weights
	Iterations int                   // with the last, in which no label moved
	Moved      int                   // labels that moved in the last iteration: 0, or MaxIter or Threshold ended it
	Start      int                   // which of the NInit starts this is, from 0
}

// Free frees the result's containers.
func (r *Result[T]) Free() {
	r.Centers.Free()
	r.Labels.Free()
}

// Cluster divides points, one a row, into o.K clusters, on the device that
// holds them. It needs about as much memory again as the points take. What is
// wrong with the points or the options is an *InputError.
func Cluster[T number](ctx context.Context, points *matrix.Matrix[T], o Options) (*Result[T], error) {
	if err := o.check(points.Rows(), points.Cols()); err != nil {
		return nil, err
	}
	m, err := newModel(points, &o)
	if err != nil {
		return nil, err
	}
	defer m.free()
	var best *Result[T]
	for m.start = range o.NInit {
		err := m.run(ctx, o.Seed+uint64(m.start))
		var r *Result[T]
		if err == nil {
			r, err = m.result(ctx, o.Seed)
		}
		switch {
		case err != nil:
			if best != nil {
				best.Free()
			}
			return nil, err
		case best == nil:
			best = r
		case r.Inertia < best.Inertia:
			best.Free()
			best = r
		default:
			r.Free()
		}
	}
	return best, nil
}

// Predict gives the nearest centre of every point.
func Predict[T number](points, centers *matrix.Matrix[T]) (*vector.Vector[int32], error) {
	o := Options{K: centers.Rows(), MaxIter: 1, Init: First}
	if points.Cols() != centers.Cols() {
		return nil, inputErrorf("the points have %d columns and the centres %d", points.Cols(), centers.Cols())
	}
	if points.Rows() == 0 || centers.Rows() == 0 {
		return nil, inputErrorf("there are %d points and %d centres", points.Rows(), centers.Rows())
	}
	m, err := newModel(points, &o)
	if err != nil {
		return nil, err
	}
	defer m.free()
	m.forget()
	if err := m.setCenters(centers, upTo(m.k)); err != nil {
		return nil, err
	}
	if err := m.assignAll(); err != nil {
		return nil, err
	}
	labels := m.labels
	m.labels = nil
	return labels, nil
}

// result measures the clustering of the start that just ended, and takes the
// labels over.
func (m *model[T]) result(ctx context.Context, seed uint64) (*Result[T], error) {
	r := &Result[T]{Iterations: m.iterations, Moved: m.moved, Start: m.start}
	var err error
	weights, distances := m.weights(), m.distances(m.centers)
	defer weights.Free()
	defer distances.Free()
	if r.Inertia, err = total(times.Apply(weights, distances)); err != nil {
		return nil, err
	}
	r.RMSE = math.Sqrt(r.Inertia / m.totalWeight())
	ones := one.Apply(vector.Indices(m.n, m.where))
	defer ones.Free()
	sizes := count.ByKey(ones, m.labels, m.k)
	defer sizes.Free()
	known, err := sizes.Host()
	if err != nil {
		return nil, err
	}
	r.Sizes = slices.Clone(known) // Host's belong to the vector
	var used []int
	for c, size := range r.Sizes {
		if size > 0 {
			used = append(used, c)
		}
	}
	if len(used) < m.k {
		// With a point in every cluster there are k distinct ones.
		if _, err := m.plusPlus(ctx, seed); err != nil {
			return nil, err
		}
	}
	if m.o.Empty != Drop {
		used = upTo(m.k)
	}
	kept := vector.From(used, m.home)
	defer kept.Free()
	r.Centers = m.transpose.With(chosen[T]{m.centers.View(), kept.View()}).ApplyMatrix(matrix.Indices(len(used), m.dim, m.home))
	if err := r.Centers.Wait(); err != nil {
		return nil, err
	}
	if len(used) == m.k {
		r.Labels, m.labels = m.labels, nil
		return r, nil
	}
	numbers, sizesKept := make([]int32, m.k), make([]int, len(used))
	for number, c := range used {
		numbers[c], sizesKept[number] = int32(number), r.Sizes[c]
	}
	r.Sizes = sizesKept
	to := vector.From(numbers, m.home)
	defer to.Free()
	r.Labels = relabel.With(to.View()).Apply(m.labels)
	return r, r.Labels.Wait()
}

func (m *model[T]) totalWeight() float64 {
	if m.o.Weights == nil {
		return float64(m.n)
	}
	total := 0.0
	for _, w := range m.o.Weights {
		total += w
	}
	return total
}
