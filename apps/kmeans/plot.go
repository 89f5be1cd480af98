package kmeans

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const plotPoints = 20_000 // the maximum number of points that are drawn

// plot draws the clusters; of many points it draws a sample.
func (f *objects[T]) plot(files *output.Set, j *job) error {
	p := &picture{
		title: fmt.Sprintf("%s: %s in %s", filepath.Base(j.name), app.Count(f.table.Rows, "object"),
			app.Count(len(f.Sizes), "cluster")),
		sizes: f.Sizes,
	}
	for _, i := range sample(f.table.Rows, plotPoints) {
		p.points = append(p.points, wide(f.table.Row(i)))
		p.labels = append(p.labels, f.labels[i])
	}
	for c := range f.centers.Rows {
		p.centers = append(p.centers, wide(f.centers.Row(c)))
	}
	var err error
	if p.axes, err = j.axes(p.points, f.table.Names, f.table.Cols); err != nil {
		return err
	}
	return p.write(files, j.Plot)
}

// axes returns the axes that --plot-columns names, or the principal ones. For a table of
// one column, the second axis is the number of the cluster.
func (j *job) axes(points [][]float64, names []string, cols int) (*axes, error) {
	name := func(c int) string {
		if names != nil && names[c] != "" {
			return names[c]
		}
		return fmt.Sprintf("column %d", c+1)
	}
	switch {
	case j.PlotColumns != nil:
		at, err := j.plotColumns(names, cols)
		return columnAxes(cols, at, [2]string{name(at[0]), name(at[1])}), err
	case cols == 1:
		return &axes{rows: [2][]float64{{1}, {0}}, names: [2]string{name(0), "cluster"}, strips: true}, nil
	}
	return principalAxes(points)
}

// plotColumns finds the columns of --plot-columns among those that are clustered.
func (j *job) plotColumns(names []string, cols int) (at [2]int, err error) {
	for i, s := range j.PlotColumns {
		if at[i] = slices.Index(names, s); at[i] >= 0 {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > cols {
			return at, fmt.Errorf("--plot-columns: no column %q among the %d clustered columns", s, cols)
		}
		at[i] = n - 1
	}
	return at, nil
}

func wide[T number](x []T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

// picture is a clustering to draw. Points and labels may be a sample.
type picture struct {
	title   string
	points  [][]float64
	labels  []int32
	centers [][]float64
	sizes   []int
	axes    *axes
}

const (
	plotWidth, plotHeight = 18 * vg.Centimeter, 12.5 * vg.Centimeter
	legendRows            = 16 // more clusters than this are not listed one by one
)

// write adds the picture, .png or .svg, to a set of files.
func (p *picture) write(files *output.Set, name string) error {
	return plot.Save(files, name, plotWidth, plotHeight, p.draw)
}

// draw draws the points, the centres on top of them, and the legend to the right.
func (p *picture) draw(c draw.Canvas) error {
	f := plot.New(p.title, p.axes.names[0], p.axes.names[1])
	if p.axes.strips {
		f.Y.Tick.Marker = gonum.TickerFunc(strips)
	}
	f.Add(plot.Grid())

	places := make([]plotter.XYs, len(p.centers))
	for i, x := range p.points {
		at := p.axes.project(x)
		if p.axes.strips { // spread evenly over the strip: multiples of the golden ratio
			_, part := math.Modf(float64(i) * math.Phi)
			at[1] = float64(p.labels[i]) + 0.6*(part-0.5)
		}
		if drawable(at) {
			places[p.labels[i]] = append(places[p.labels[i]], plotter.XY{X: at[0], Y: at[1]})
		}
	}
	radius := vg.Points(min(2.6, max(1, 40/math.Sqrt(float64(len(p.points))))))
	for l, xys := range places {
		if len(xys) == 0 {
			continue
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: shade(l, 150), Radius: radius, Shape: draw.CircleGlyph{}}
		f.Add(s)
	}
	legend := gonum.NewLegend()
	legend.TextStyle = plot.Sans(8.5, plot.Ink)
	legend.Padding, legend.ThumbnailWidth = vg.Points(5), vg.Points(12)
	legend.YPosition = 0
	legend.Top, legend.Left = true, true
	legend.Add("cluster: size")
	for l, center := range p.centers {
		at := p.axes.project(center)
		if p.axes.strips {
			at[1] = float64(l)
		}
		if !drawable(at) {
			continue
		}
		s, err := plotter.NewScatter(plotter.XYs{{X: at[0], Y: at[1]}})
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: shade(l, 255), Radius: vg.Points(4.5), Shape: centerGlyph{}}
		f.Add(s)
		if l < legendRows {
			key := *s
			key.Radius, key.Shape = vg.Points(3.5), draw.CircleGlyph{}
			legend.Add(fmt.Sprintf("%d: %s", l, app.Digits(p.sizes[l])), &key)
		}
	}
	if more := len(p.centers) - legendRows; more > 0 {
		legend.Add(fmt.Sprintf("and %d more", more))
	}
	margin := vg.Points(10)
	side := vg.Points(16) + legend.Rectangle(c).Size().X
	f.Draw(draw.Crop(c, margin, -side-margin, margin, -margin))
	legend.Draw(draw.Crop(c, c.Size().X-side, -margin, vg.Points(48), -vg.Points(38)))
	return nil
}

// centerGlyph is a disc in the cluster's colour with a white and a dark rim.
type centerGlyph struct{}

func (centerGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	for _, ring := range []struct {
		grow  vg.Length
		color color.Color
	}{{2, plot.Ink}, {1.4, color.White}, {0, s.Color}} {
		c.DrawGlyph(draw.GlyphStyle{Color: ring.color, Radius: s.Radius + ring.grow, Shape: draw.CircleGlyph{}}, at)
	}
}

// shade returns the colour of cluster l. After the tenth the colours repeat, darker.
func shade(l int, alpha uint8) color.Color {
	c := plot.Colors[l%len(plot.Colors)]
	dark := math.Pow(0.75, float64(l/len(plot.Colors)%4))
	return color.NRGBA{uint8(float64(c.R) * dark), uint8(float64(c.G) * dark), uint8(float64(c.B) * dark), alpha}
}

// strips returns the ticks of an axis of clusters: whole numbers, at most ten.
func strips(low, high float64) (ticks []gonum.Tick) {
	step := max(1, math.Ceil((high-low)/10))
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, gonum.Tick{Value: v, Label: fmt.Sprint(v + 0)})
	}
	return ticks
}

// axes projects points onto the plane of a picture.
type axes struct {
	origin []float64    // subtracted first, unless nil
	rows   [2][]float64 // the directions
	names  [2]string
	strips bool // the height is the cluster's number
}

// project returns a point's position in the plane.
func (a *axes) project(x []float64) (place [2]float64) {
	for d, row := range a.rows {
		for j, v := range x {
			if a.origin != nil {
				v -= a.origin[j]
			}
			place[d] += row[j] * v
		}
	}
	return place
}

// columnAxes returns two of the columns as axes.
func columnAxes(dim int, columns [2]int, names [2]string) *axes {
	a := &axes{names: names}
	for d, c := range columns {
		a.rows[d] = make([]float64, dim)
		a.rows[d][c] = 1
	}
	return a
}

// principalAxes returns the two directions along which the points vary most: the
// leading eigenvectors of their covariance. The sign of each makes its largest
// coefficient positive.
func principalAxes(points [][]float64) (*axes, error) {
	dim := len(points[0])
	a := &axes{origin: make([]float64, dim)}
	for _, x := range points {
		for j, v := range x {
			a.origin[j] += v / float64(len(points))
		}
	}
	centered := mat.NewDense(len(points), dim, nil)
	for i, x := range points {
		for j, v := range x {
			centered.Set(i, j, v-a.origin[j])
		}
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1, centered.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, fmt.Errorf("--plot: the principal axes do not converge; choose two columns with --plot-columns")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	var total float64
	for _, v := range values {
		total += max(v, 0)
	}
	for d, which := range [2]string{"First", "Second"} {
		row := mat.Col(nil, dim-1-d, &vectors)
		if slices.Max(row) < -slices.Min(row) {
			for j := range row {
				row[j] = -row[j]
			}
		}
		a.rows[d] = row
		share := 0.0
		if total > 0 {
			share = 100 * max(values[dim-1-d], 0) / total
		}
		a.names[d] = fmt.Sprintf("%s principal axis (%.3g%% of the variance)", which, share)
	}
	return a, nil
}

// sample returns at most limit of n indices, in order. It always returns the same ones.
func sample(n, limit int) []int {
	picked := make([]int, 0, min(n, limit))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n { // Knuth's algorithm S: every subset is equally likely
		if need := min(n, limit) - len(picked); r.Float64()*float64(n-i) < float64(need) {
			picked = append(picked, i)
		}
	}
	return picked
}

// drawable reports whether a position is finite.
func drawable(p [2]float64) bool {
	return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1])
}
