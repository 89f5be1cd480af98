package tmixture

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const (
	plotPoints   = 20_000 // the maximum number of points that are drawn
	plotOutliers = 2_000  // the same for outliers

	// outlierQuantile is how rare outliers are in a normal distribution: their squared distances
	// exceed this quantile of chi-squared.
	outlierQuantile = 0.999

	pathHeight = 5.5 * vg.Centimeter // of the panel with the criterion
)

// insideCurves are the parts of a component inside the curves around it.
var insideCurves = []float64{0.5, 0.95}

// plot draws the rows and the components, and below them, if the number of components was
// searched, the path of the criterion.
func (j *job) plot(files *output.Set) error {
	m, t := j.model, j.table
	p := &plot.Groups{
		Title: fmt.Sprintf("%s: %s in %s", filepath.Base(j.name), app.Count(t.Rows, "row"),
			app.Count(m.Components(), "component")),
		Group: "component", Sizes: j.sizes, Centers: m.Means, CurveNote: "curves: 50%, 95%",
	}
	limit := distuv.ChiSquared{K: float64(m.Dim)}.Quantile(outlierQuantile)
	var ordinary, outliers []int // rows of the table
	for i, d := range j.distances {
		if d > limit {
			outliers = append(outliers, i)
		} else {
			ordinary = append(ordinary, i)
		}
	}
	add := func(rows []int, limit int, marked bool) error {
		for _, k := range plot.Sample(len(rows), limit) {
			row, err := j.row(rows[k])
			if err != nil {
				return err
			}
			p.Points = append(p.Points, row)
			p.Labels = append(p.Labels, j.tableLabels[rows[k]])
			p.Outliers = append(p.Outliers, marked)
		}
		return nil
	}
	err := add(ordinary, plotPoints, false)
	if err != nil {
		return err
	}
	// Outliers would turn the principal axes; the means stand for points if all are outliers.
	basis := append(slices.Clip(p.Points), m.Means...)
	if p.Axes, err = plot.ChooseAxes(j.PlotColumns, basis, t.Names, t.Cols, "component"); err != nil {
		return err
	}
	if err := add(outliers, plotOutliers, true); err != nil {
		return err
	}
	p.Marked = app.Count(len(outliers), "outlier")
	for k := range m.Components() {
		p.Curves = append(p.Curves, m.curves(k, p.Axes))
	}
	height, below := plot.GroupsHeight, vg.Length(0)
	if len(m.Path) > 1 && j.modelFile == "" {
		below = pathHeight
	}
	return plot.Save(files, j.Plot, plot.GroupsWidth, height+below, func(c draw.Canvas) error {
		if below > 0 {
			if err := m.drawPath(draw.Crop(c, 0, 0, 0, -height)); err != nil {
				return err
			}
		}
		return p.Draw(draw.Crop(c, 0, 0, below, 0))
	})
}

// row returns a row of the table.
func (j *job) row(i int) ([]float64, error) {
	if j.array == nil {
		return j.table.Row(i), nil
	}
	row := make([]float64, j.table.Cols)
	return row, data.ReadRows(j.array, i, row)
}

// farthest is the radius of the largest curve that is drawn, in standard deviations. With very few
// degrees of freedom, most of a picture with all curves would be empty.
const farthest = 10

// curves returns ellipses around component k in the plane of the picture, which contain the parts
// insideCurves of its distribution in that plane. In strips, they are rectangles.
func (m *Model) curves(k int, axes *plot.Axes) (curves []plotter.XYs) {
	nu := min(m.DF[k], maxDF)
	at := axes.Project(m.Means[k])
	var sigma [2][2]float64 // of the projected component, a t distribution too
	for a, u := range axes.Rows {
		for b, v := range axes.Rows {
			for r := range u {
				for c := range v {
					sigma[a][b] += u[r] * m.Covariances[k][r][c] * v[c]
				}
			}
		}
	}
	l := math.Sqrt(sigma[0][0])
	for _, part := range insideCurves {
		if axes.Strips {
			x := l * distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile(0.5+part/2)
			if y := 0.25 + 0.2*part; x <= farthest*l {
				row := float64(k)
				curves = append(curves, plotter.XYs{{X: at[0] - x, Y: row - y}, {X: at[0] + x, Y: row - y},
					{X: at[0] + x, Y: row + y}, {X: at[0] - x, Y: row + y}, {X: at[0] - x, Y: row - y}})
			}
			continue
		}
		// In two dimensions, the part outside δ is (1+δ/ν)^(-ν/2).
		radius := math.Sqrt(nu * math.Expm1(-2/nu*math.Log1p(-part)))
		below := sigma[1][0] / l
		height := math.Sqrt(max(0, sigma[1][1]-below*below))
		if !(radius <= farthest) {
			continue
		}
		const corners = 120
		curve := make(plotter.XYs, corners+1)
		for i := range curve {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			curve[i] = plotter.XY{X: at[0] + radius*l*cos, Y: at[1] + radius*(below*cos+height*sin)}
		}
		curves = append(curves, curve)
	}
	return curves
}

// drawPath draws the criterion by the number of components.
func (m *Model) drawPath(c draw.Canvas) error {
	f := plot.New("", "Components", "Criterion")
	f.X.Tick.Marker = gonum.TickerFunc(plot.WholeTicks)
	f.Add(plot.Grid())
	var path, best plotter.XYs
	for _, s := range m.Path {
		at := plotter.XY{X: float64(s.Components), Y: s.Criterion}
		if path = append(path, at); best == nil || at.Y > best[0].Y {
			best = plotter.XYs{at}
		}
	}
	line, points, err := plotter.NewLinePoints(path)
	if err != nil {
		return err
	}
	line.Color, line.Width = plot.Colors[0], vg.Points(1.2)
	points.GlyphStyle = draw.GlyphStyle{Color: plot.Colors[0], Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}
	chosen, err := plotter.NewScatter(best)
	if err != nil {
		return err
	}
	chosen.GlyphStyle = draw.GlyphStyle{Color: plot.Colors[1], Radius: vg.Points(3.6), Shape: draw.CircleGlyph{}}
	f.Add(line, points, chosen)
	f.Legend.Add("kept", chosen)
	f.Legend.TextStyle = plot.Sans(8.5, plot.Ink)
	f.Legend.Top, f.Legend.ThumbnailWidth = false, vg.Points(12)
	margin := vg.Points(10)
	f.Draw(draw.Crop(c, margin, -margin, margin, -margin))
	return nil
}
