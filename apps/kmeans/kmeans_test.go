package kmeans

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
)

// host brings a matrix back as rows.
func host[T number](t testing.TB, m *matrix.Matrix[T]) [][]float64 {
	t.Helper()
	flat, err := m.Host()
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, m.Rows())
	for i := range all {
		all[i] = wide(flat[i*m.Cols() : (i+1)*m.Cols()])
	}
	return all
}

func TestGoldens(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, g := range goldens {
			t.Run(g.name, func(t *testing.T) {
				points := rows(g.load(t))
				f, err := clusterOn[float64](t, d, points, Options{Start: g.startOf(points), Empty: g.empty})
				if err != nil {
					t.Fatal(err)
				}
				g.check(t, f.Centers, f.Labels, f.Sizes, f.Moved, f.Iterations, f.Inertia, f.RMSE)
			})
		}
	})
}

// The best of many starts.
func TestGoldenIrisBest(t *testing.T) {
	points := rows(golden{file: "iris.csv"}.load(t))
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		f, err := clusterOn[float64](t, d, points, Options{K: 3, NInit: 10})
		if err != nil {
			t.Fatal(err)
		}
		golden{inertia: 78.851441}.check(t, nil, nil, nil, nil, 0, f.Inertia, 0)
	})
}
