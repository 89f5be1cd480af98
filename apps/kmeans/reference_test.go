package kmeans

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// refResult is what the reference finds.
type refResult struct {
	centers    [][]float64
	labels     []int32
	sizes      []int
	moved      []int // labels that moved, iteration by iteration
	iterations int
	inertia    float64
}

// reference is Lloyd's algorithm as plainly as it can be written, in float64:
// what the skeletons must agree with. weights may be nil. empty is keep,
// farthest or drop.
func reference(points, start [][]float64, weights []float64, empty string, maxIter, threshold int) refResult {
	n, k, dim := len(points), len(start), len(points[0])
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	r := refResult{labels: slices.Repeat([]int32{-1}, n)}
	for _, c := range start {
		r.centers = append(r.centers, slices.Clone(c))
	}
	assign := func() (moved int) {
		for i, x := range points {
			best, bestDist := int32(0), math.Inf(1)
			for c, center := range r.centers {
				if d := refNear(x, center); d < bestDist { // a dropped centre is NaN, and never nearer
					best, bestDist = int32(c), d
				}
			}
			if best != r.labels[i] {
				moved++
			}
			r.labels[i] = best
		}
		return moved
	}
	moved := n
	for r.iterations < maxIter {
		r.iterations++
		moved = assign()
		r.moved = append(r.moved, moved)
		if moved == 0 {
			break
		}
		sums, mass := make([][]float64, k), make([]float64, k)
		for c := range sums {
			sums[c] = make([]float64, dim)
		}
		for i, x := range points {
			c := r.labels[i]
			mass[c] += weights[i]
			for j := range x {
				sums[c][j] += weights[i] * x[j]
			}
		}
		if empty == "farthest" {
			refRelocate(points, weights, r, sums, mass)
		}
		for c := range k {
			for j := range dim {
				switch {
				case mass[c] > 0:
					r.centers[c][j] = sums[c][j] / mass[c]
				case empty == "drop":
					r.centers[c][j] = math.NaN()
				}
			}
		}
		if moved <= threshold {
			break
		}
	}
	if moved > 0 { // the centres moved after the last assignment
		assign()
	}
	r.sizes = make([]int, k)
	for i, x := range points {
		r.sizes[r.labels[i]]++
		r.inertia += weights[i] * refDist(x, r.centers[r.labels[i]])
	}
	if empty == "drop" {
		renumber, kept := make([]int, k), 0
		for c := range k {
			renumber[c] = kept
			if r.sizes[c] > 0 {
				r.centers[kept], r.sizes[kept] = r.centers[c], r.sizes[c]
				kept++
			}
		}
		r.centers, r.sizes = r.centers[:kept], r.sizes[:kept]
		for i, l := range r.labels {
			r.labels[i] = int32(renumber[l])
		}
	}
	return r
}

// refRelocate is scikit-learn's rule for empty clusters: each takes the point
// farthest from its old centre, farthest first, and that point leaves its
// cluster. Of equally far points it takes the one with the higher index.
func refRelocate(points [][]float64, weights []float64, r refResult, sums [][]float64, mass []float64) {
	far, dist := make([]int, len(points)), make([]float64, len(points))
	for i, x := range points {
		far[i], dist[i] = i, refDist(x, r.centers[r.labels[i]])
	}
	slices.SortFunc(far, func(a, b int) int { return cmp.Or(cmp.Compare(dist[b], dist[a]), b-a) })
	for c, m := range slices.Clone(mass) {
		if m > 0 || dist[far[0]] == 0 {
			continue
		}
		i, old := far[0], r.labels[far[0]]
		far = far[1:]
		for j, v := range points[i] {
			sums[old][j] -= weights[i] * v
			sums[c][j] = weights[i] * v
		}
		mass[old] -= weights[i]
		mass[c] = weights[i]
	}
}

func refDist(x, y []float64) (d float64) {
	for j := range x {
		d = math.FMA(x[j]-y[j], x[j]-y[j], d)
	}
	return d
}

// refNear adds the terms up as assign does: where two centres are equally far
// but for rounding, the last bit decides.
func refNear(x, y []float64) float64 {
	var d [2]float64
	for j := range x {
		d[j%2] = math.FMA(x[j]-y[j], x[j]-y[j], d[j%2])
	}
	return d[0] + d[1]
}

func TestReference(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			points := rows(g.load(t))
			r := reference(points, g.startOf(points), nil, string(cmp.Or(g.empty, Keep)), 501, 0)
			g.check(t, r.centers, r.labels, r.sizes, r.moved, r.iterations, r.inertia,
				math.Sqrt(r.inertia/float64(len(points))))
		})
	}
}
