package tmixture

import (
	"bytes"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// drawn is a model of two components in three columns.
func drawn() *Model {
	return &Model{
		Dim: 3, Weights: []float64{0.5, 0.5}, Means: [][]float64{{0, 0, 0}, {5, 5, 5}}, DF: []float64{5, 1e9},
		Covariances: [][][]float64{
			{{4, 1, 0}, {1, 2, -0.5}, {0, -0.5, 1}},
			{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		},
		Path: []Step{
			{Components: 3, Criterion: -120}, {Components: 2, Criterion: -100}, {Components: 1, Criterion: -300},
		},
	}
}

// TestCurves draws from the components, and counts the draws inside their curves.
func TestCurves(t *testing.T) {
	const draws = 40_000
	m := drawn()
	axes, err := plot.ChooseAxes([]string{"1", "2"}, nil, nil, 3, "component")
	if err != nil {
		t.Fatal(err)
	}
	for k := range m.Weights {
		sigma := mat.NewSymDense(3, nil)
		for r := range 3 {
			for c := range r + 1 {
				sigma.SetSym(r, c, m.Covariances[k][r][c])
			}
		}
		from, ok := distmv.NewStudentsT(m.Means[k], sigma, m.DF[k], rand.NewPCG(1, 2))
		if !ok {
			t.Fatal("no distribution")
		}
		curves := m.curves(k, axes)
		inside := make([]int, len(curves))
		for range draws {
			x := axes.Project(from.Rand(nil))
			for i, curve := range curves {
				// Left of all edges, as the curve is convex and counterclockwise.
				in := true
				for e := range len(curve) - 1 {
					a, b := curve[e], curve[e+1]
					in = in && (b.X-a.X)*(x[1]-a.Y)-(b.Y-a.Y)*(x[0]-a.X) >= 0
				}
				if in {
					inside[i]++
				}
			}
		}
		for i, want := range insideCurves {
			// Four standard deviations of the share, and the gap between a polygon and an ellipse.
			if got := float64(inside[i]) / draws; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/draws)+2e-3 {
				t.Errorf("component %d: %v of the draws are inside the curve of %v", k, got, want)
			}
		}
	}
	// A Cauchy distribution is too wide for the second curve.
	m.DF[0] = 1
	if n := len(m.curves(0, axes)); n != 1 {
		t.Errorf("%d curves of a Cauchy distribution", n)
	}
}

func TestPlot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	m := drawn()
	for _, c := range []struct {
		name   string
		change func(j *job)
		height int // in pixels
	}{
		{"path", func(*job) {}, 1134},
		{"columns", func(j *job) { j.PlotColumns = []string{"3", "1"} }, 1134},
		{"model", func(j *job) { j.modelFile = "model" }, 787},
		{"all-outliers", func(j *job) { j.distances = []float64{1e9, 1e9, 1e9, 1e9} }, 1134},
		{"one-row", func(j *job) {
			j.table.Rows, j.table.Data = 1, j.table.Data[:3]
			j.tableLabels, j.distances = j.tableLabels[:1], j.distances[:1]
		}, 1134},
		{"far", func(j *job) { j.table.Data[0], j.distances[0] = 1e300, 1e300 }, 1134},
		{"one-column", func(j *job) {
			j.table.Cols, j.table.Data = 1, j.table.Data[:4]
			one := *m
			one.Dim, one.Means, one.Covariances = 1, [][]float64{{0}, {5}}, [][][]float64{{{1}}, {{2}}}
			j.model = &one
		}, 1134},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := &data.Table[float64]{Rows: 4, Cols: 3}
			for range 12 {
				table.Data = append(table.Data, 3*r.NormFloat64())
			}
			name := filepath.Join(t.TempDir(), "plot.png")
			j := &job{
				options: &options{Plot: name}, name: "rows.csv", model: m, table: table, sizes: []int{3, 1},
				tableLabels: []int32{0, 1, 0, 0}, distances: []float64{1, 100, 2, 3},
			}
			c.change(j)
			if err := j.plot(nil); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if h := img.Bounds().Dy(); h != c.height {
				t.Errorf("%d pixels high, not %d", h, c.height)
			}
		})
	}
}
