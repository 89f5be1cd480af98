package scale

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const (
	plotWidth, plotHeight = 18 * vg.Centimeter, 11 * vg.Centimeter
	plotBins              = 50
)

// plot draws the scores.
func (j *job) plot(files *output.Set) error {
	f, err := j.figure()
	if err != nil {
		return err
	}
	return plot.Save(files, j.Plot, plotWidth, plotHeight, paint(f))
}

// plotSVG writes the same as SVG.
func (j *job) plotSVG(w io.Writer) error {
	f, err := j.figure()
	if err != nil {
		return err
	}
	return plot.Encode(w, ".svg", plotWidth, plotHeight, paint(f))
}

// paint draws a figure with a margin.
func paint(f *gonum.Plot) func(c draw.Canvas) error {
	return func(c draw.Canvas) error {
		margin := vg.Points(10)
		f.Draw(draw.Crop(c, margin, -margin, margin, -margin))
		return nil
	}
}

// figure returns a histogram of the scores of each group, with the thresholds.
func (j *job) figure() (*gonum.Plot, error) {
	m := j.result.Model
	f := plot.New(fmt.Sprintf("%s: %s, %s", filepath.Base(j.name), app.Count(j.data.N(), "object"),
		app.Count(j.measures.Errors, "error")), "score", "objects")
	f.Add(plot.Grid())
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range j.scores {
		least, most = min(least, v), max(most, v)
	}
	width := max(most-least, 1e-9) / plotBins
	top := 0.0
	for g, name := range m.Groups {
		line, highest, err := j.histogram(g, least, width)
		if err != nil {
			return nil, err
		}
		top = max(top, highest)
		f.Add(line)
		f.Legend.Add(name, line)
	}
	for _, c := range m.Cuts {
		line, err := plotter.NewLine(plotter.XYs{{X: c, Y: 0}, {X: c, Y: top}})
		if err != nil {
			return nil, err
		}
		line.Color, line.Dashes = plot.Ink, []vg.Length{vg.Points(4), vg.Points(3)}
		f.Add(line)
	}
	f.Legend.Top, f.Legend.TextStyle = true, plot.Sans(10, plot.Ink)
	f.Legend.Padding, f.Legend.XOffs = vg.Points(3), -vg.Points(4)
	return f, nil
}

// histogram returns the outline of the histogram of a group, and its height.
func (j *job) histogram(g int, least, width float64) (*plotter.Line, float64, error) {
	counts := make([]float64, plotBins)
	for i, v := range j.scores {
		if j.data.Group[i] == g {
			counts[min(plotBins-1, int((v-least)/width))]++
		}
	}
	points := plotter.XYs{{X: least}}
	highest := 0.0
	for b, n := range counts {
		from := least + float64(b)*width
		points = append(points, plotter.XY{X: from, Y: n}, plotter.XY{X: from + width, Y: n})
		highest = max(highest, n)
	}
	points = append(points, plotter.XY{X: least + plotBins*width})
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, 0, err
	}
	c := plot.Colors[g%len(plot.Colors)]
	line.Color, line.Width = c, vg.Points(1.2)
	line.FillColor = color.NRGBA{c.R, c.G, c.B, 70}
	return line, highest, nil
}
