package mixtures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const (
	panelWidth, panelHeight = 16 * vg.Centimeter, 11 * vg.Centimeter // of one data set
	smallWidth, smallHeight = 8 * vg.Centimeter, 6 * vg.Centimeter   // of one of many
	sheetPanels             = 25                                     // the largest number of panels
	curvePoints             = 400
	mostBins                = 60
)

// plot draws the best fits: one data set as a picture, and several as a sheet.
func (j *job) plot(r *app.Runner) error {
	var shown []int
	for s, fits := range j.result.Sets {
		if fits.Best() != nil {
			shown = append(shown, s)
		}
	}
	if all := len(shown); all > sheetPanels {
		shown = shown[:sheetPanels]
		r.Env.Notef("%s shows the first %d of %s", j.Plot, sheetPanels, app.Count(all, "data set"))
	}
	cols := int(math.Ceil(math.Sqrt(float64(len(shown)))))
	rows := (len(shown) + cols - 1) / max(1, cols)
	width, height := panelWidth, panelHeight
	if len(shown) > 1 {
		width, height = smallWidth*vg.Length(cols), smallHeight*vg.Length(rows)
	}
	return plot.Save(&r.Files, j.Plot, width, height, func(c draw.Canvas) error {
		tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(6),
			PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(8)}
		for i, s := range shown {
			f, err := j.panel(s, len(shown) > 1)
			if err != nil {
				return err
			}
			f.Draw(tiles.At(c, i%cols, i/cols))
		}
		return nil
	})
}

// panel returns the picture of a data set: a histogram, the density of each component times
// its weight, and their sum.
func (j *job) panel(s int, small bool) (*gonum.Plot, error) {
	set, best, family := j.sets[s], j.result.Sets[s].Best(), j.fit.Family
	title := fmt.Sprintf("%s: %s, %s (%s)", set.Name, app.Count(len(set.Values), "value"),
		app.Count(len(best.Components), "component"), family.Title)
	x, y := "value", "density"
	if small {
		title, x, y = fmt.Sprintf("%s (%d)", set.Name, len(best.Components)), "", ""
	}
	f := plot.New(title, x, y)
	if small {
		f.Title.TextStyle.Font.Size, f.Title.Padding = vg.Points(9.5), vg.Points(4)
	}
	f.Add(plot.Grid())
	b := binsOf(set.Values, family == Poisson)
	bars := &plotter.Histogram{
		FillColor: plot.Pale, LineStyle: draw.LineStyle{Color: color.Gray{0xb0}, Width: vg.Points(0.4)},
	}
	top := 0.0
	for i, count := range b.counts {
		d := count / (float64(len(set.Values)) * b.width)
		bars.Bins = append(bars.Bins, plotter.HistogramBin{
			Min: b.low + float64(i)*b.width, Max: b.low + float64(i+1)*b.width, Weight: d,
		})
		top = max(top, d)
	}
	bars.Width = b.width
	f.Add(bars)
	sum := make(plotter.XYs, 0, curvePoints)
	lines := make([]plotter.XYs, len(best.Components))
	for _, at := range b.places() {
		total := 0.0
		for k, c := range best.Components {
			d := math.Exp(family.LogDensity(c, at))
			lines[k] = append(lines[k], plotter.XY{X: at, Y: d})
			total += d
		}
		sum = append(sum, plotter.XY{X: at, Y: total})
	}
	for k, points := range append(lines, sum) {
		if slices.ContainsFunc(points, func(p plotter.XY) bool { return math.IsInf(p.Y, 0) || math.IsNaN(p.Y) }) {
			continue
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		l.Color, l.Width = plot.Shade(k, 255), vg.Points(1.4)
		if k == len(lines) {
			l.Color, l.Width, l.Dashes = color.Color(plot.Ink), vg.Points(1), []vg.Length{vg.Points(4), vg.Points(2)}
		}
		f.Add(l)
		if small {
			continue
		}
		name := "sum"
		if k < len(lines) {
			name = fmt.Sprintf("%.3g, mean %.4g", best.Components[k].Weight, family.Mean(best.Components[k]))
		}
		f.Legend.Add(name, l)
	}
	f.Legend.Top, f.Legend.Padding = true, vg.Points(6)
	f.Legend.TextStyle = plot.Sans(9, plot.Ink)
	f.Legend.TextStyle.YAlign = draw.YCenter
	// A narrow component may be much higher than the bars.
	f.Y.Min, f.Y.Max = 0, 1.4*top
	f.X.Min, f.X.Max = b.low, b.low+b.width*float64(len(b.counts))
	return f, nil
}

// bins are the bins of a histogram.
type bins struct {
	low, width float64
	counts     []float64
	whole      bool // there is a bin for each whole number
}

// binsOf chooses bins of half the width by the rule of Freedman and Diaconis, because mixtures
// have more details than one distribution. The largest 0.5% of the values
// may be beyond the last bin.
func binsOf(values []float64, whole bool) bins {
	sorted := slices.Sorted(slices.Values(values))
	last := len(sorted) - 1
	at := func(q float64) float64 { return sorted[int(math.Round(q*float64(last)))] }
	b := bins{low: sorted[0], whole: whole}
	high := max(sorted[int(0.995*float64(last))], min(sorted[last], 2*at(0.9)-at(0.1)))
	n := mostBins
	if spread := at(0.75) - at(0.25); spread > 0 {
		n = int(min(mostBins, max(5, (high-b.low)/(spread/math.Cbrt(float64(len(sorted)))))))
	}
	if b.width = (high - b.low) / float64(n); whole {
		b.width = max(1, math.Ceil(b.width))
		b.low -= 0.5
		n = int((high-b.low)/b.width) + 1
	}
	if !(b.width > 0) { // all values are equal
		b.width = max(1e-9, math.Abs(b.low)*0.01)
		b.low -= b.width * float64(n) / 2
	}
	b.counts = make([]float64, n)
	for _, x := range values {
		if i := (x - b.low) / b.width; i < float64(n) { // a far value may overflow an int
			b.counts[int(i)]++
		} else if x <= high {
			b.counts[n-1]++
		}
	}
	return b
}

// places returns where densities are drawn.
func (b bins) places() (places []float64) {
	high := b.low + b.width*float64(len(b.counts))
	if b.whole {
		low, step := math.Ceil(b.low), max(1, math.Ceil((high-b.low)/curvePoints))
		for i := range int((high-low)/step) + 1 { // the next number after 2^53 is not 1 more
			places = append(places, low+float64(i)*step)
		}
		return places
	}
	for i := range curvePoints {
		places = append(places, b.low+(high-b.low)*float64(i)/(curvePoints-1))
	}
	return places
}
