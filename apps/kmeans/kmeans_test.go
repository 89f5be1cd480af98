package kmeans

import (
	"context"
	"testing"

	"github.com/skelgo/skelgo/matrix"
)

// onDevice puts rows onto the default device.
func onDevice[T number](points [][]float64) *matrix.Matrix[T] {
	var flat []T
	for _, row := range points {
		for _, v := range row {
			flat = append(flat, T(v))
		}
	}
	return matrix.From(len(points), len(points[0]), flat)
}

// host brings a matrix back as rows.
func host[T number](t testing.TB, m *matrix.Matrix[T]) [][]float64 {
	t.Helper()
	flat, err := m.Host()
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, m.Rows())
	for i := range all {
		for _, v := range flat[i*m.Cols() : (i+1)*m.Cols()] {
			all[i] = append(all[i], float64(v))
		}
	}
	return all
}

func TestGoldens(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			points := rows(g.load(t))
			x := onDevice[float64](points)
			defer x.Free()
			var moved []int
			r, err := Cluster(context.Background(), x, Options{
				Start: g.startOf(points), Empty: g.empty,
				Progress: func(_, iteration, n int) {
					if iteration > 0 {
						moved = append(moved, n)
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Free()
			labels, err := r.Labels.Host()
			if err != nil {
				t.Fatal(err)
			}
			g.check(t, host(t, r.Centers), labels, r.Sizes, moved, r.Iterations, r.Inertia, r.RMSE)
		})
	}
}
