package kmeans

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// golden is one result that outside programs agree on.
type golden struct {
	name, file string
	start      [][]float64 // nil: the first k points
	k          int
	empty      Empty
	centers    [][]float64 // nil: not known
	labels     []int32     // likewise
	sizes      []int
	moved      []int
	iterations int
	inertia    float64 // 0: not known
	rmse       float64 // likewise
}

var goldens = []golden{
	{
		name: "the paper's eight points", file: "testdata/seed8.txt", k: 2, start: [][]float64{{3, 2}, {4, 2}},
		centers: [][]float64{{1.5, 1.5}, {3.5, 3.5}}, labels: []int32{0, 0, 0, 0, 1, 1, 1, 1}, sizes: []int{4, 4},
		moved: []int{8, 2, 0}, iterations: 3, inertia: 4, rmse: 0.707107,
	},
	{
		name: "the eight points, first k", file: "testdata/seed8.txt", k: 2,
		centers: [][]float64{{1.5, 1.5}, {3.5, 3.5}}, sizes: []int{4, 4}, iterations: 3, inertia: 4, rmse: 0.707107,
	},
	{name: "rodinia, k=2", file: "testdata/rodinia_100.txt", k: 2, sizes: []int{2, 98}, iterations: 6,
		rmse: 9160.345776},
	{
		name: "rodinia, k=8", file: "testdata/rodinia_100.txt", k: 8,
		sizes: []int{2, 19, 4, 3, 6, 6, 55, 5}, iterations: 7, rmse: 3078.087003,
	},
	{name: "iris", file: "iris.csv", k: 3, sizes: []int{39, 61, 50}, iterations: 12, inertia: 78.855666},
	{
		name: "an empty cluster is kept", file: "testdata/seed8.txt", k: 3, start: [][]float64{{1, 1}, {1, 1}, {4, 4}},
		centers: [][]float64{{5. / 3, 5. / 3}, {1, 1}, {3.5, 3.5}}, iterations: 3, inertia: 10. / 3,
	},
	{
		name: "an empty cluster takes the farthest point", file: "testdata/seed8.txt", k: 3,
		start: [][]float64{{1, 1}, {1, 1}, {4, 4}}, empty: Farthest,
		centers: [][]float64{{1.5, 1.5}, {3, 3}, {11. / 3, 11. / 3}}, inertia: 10. / 3,
	},
}

// load reads a golden's points.
func (g golden) load(t testing.TB) *data.Table[float64] {
	t.Helper()
	o := data.Options{Format: data.Rodinia}
	if g.file == "iris.csv" {
		o = data.Options{Format: data.CSV}
	}
	table, err := data.Read[float64](context.Background(), g.file, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// startOf gives the start centres of a golden.
func (g golden) startOf(points [][]float64) [][]float64 {
	if g.start != nil {
		return g.start
	}
	return points[:g.k]
}

// approx compares figures that were published with six places.
var approx = cmpopts.EquateApprox(1e-9, 6e-7)

func (g golden) check(
	t *testing.T, centers [][]float64, labels []int32, sizes []int, moved []int, iterations int,
	inertia, rmse float64,
) {
	t.Helper()
	for _, c := range []struct {
		what      string
		known     bool
		want, got any
	}{
		{"centers", g.centers != nil, g.centers, centers},
		{"labels", g.labels != nil, g.labels, labels},
		{"sizes", g.sizes != nil, g.sizes, sizes},
		{"moved", g.moved != nil, g.moved, moved},
		{"iterations", g.iterations != 0, g.iterations, iterations},
		{"inertia", g.inertia != 0, g.inertia, inertia},
		{"rmse", g.rmse != 0, g.rmse, rmse},
	} {
		if diff := cmp.Diff(c.want, c.got, approx); c.known && diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
}

// rows views a table as a slice of rows.
func rows(t *data.Table[float64]) [][]float64 {
	var all [][]float64
	for i := range t.Rows {
		all = append(all, t.Row(i))
	}
	return all
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

// TestPlain compares the plain form with Cluster.
func TestPlain(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		const n, k = 5003, 5
		on := vector.Single(d)
		points := matrix.From(n, KDDDim, KDD(n), on)
		defer points.Free()
		for _, maxIter := range []int{1, 7, 500} {
			centers, labels, err := Plain(points, matrix.From(k, KDDDim, KDD(n)[:k*KDDDim], on), maxIter)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Cluster(context.Background(), points, Options{K: k, Init: First, MaxIter: maxIter})
			if err != nil {
				t.Fatal(err)
			}
			want, err1 := r.Labels.Host()
			got, err2 := labels.Host()
			if diff := cmp.Diff(want, got); diff != "" || err1 != nil || err2 != nil {
				t.Errorf("at most %d iterations: %v, %v, labels %s", maxIter, err1, err2, diff)
			}
			if diff := cmp.Diff(host(t, r.Centers), host(t, centers), cmpopts.EquateApprox(1e-6, 1e-7)); diff != "" {
				t.Errorf("at most %d iterations: centres %s", maxIter, diff)
			}
			r.Free()
		}
	})
}
