package frequency

import (
	"fmt"
	"image/color"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const plotWidth, plotHeight = 18 * vg.Centimeter, 10 * vg.Centimeter

// plot draws F over the axis, with the estimate.
func (j *job) plot(files *output.Set) error {
	e := &j.result.Estimate
	title := fmt.Sprintf("%s: %s", j.name, app.Count(j.result.Nodes, "node"))
	if j.result.Position >= 0 {
		title += fmt.Sprintf(", lowest at %.*f Hz", min(3, digits(e.Error)), e.Frequency)
	}
	unit, name := 1.0, "Hz"
	if largest := math.Abs(j.curve.Row(j.curve.Rows - 1)[0]); largest >= 1e5 {
		unit, name = 1e3, "kHz"
	}
	f := plot.New(title, "frequency, "+name, "F")
	f.Add(plot.Grid())
	var all []plotter.XYs // the curve, interrupted where F is not finite
	begun := false
	for i := range j.curve.Rows {
		row := j.curve.Row(i)
		if row[1]-row[1] != 0 {
			begun = false
			continue
		}
		if !begun {
			all, begun = append(all, nil), true
		}
		all[len(all)-1] = append(all[len(all)-1], plotter.XY{X: row[0] / unit, Y: row[1]})
	}
	for _, points := range all {
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = plot.Colors[0], vg.Points(1.2)
		f.Add(line)
	}
	if j.result.Position >= 0 {
		if err := mark(f, e.Frequency/unit, e.Value); err != nil {
			return err
		}
	}
	f.Y.Min = math.Min(f.Y.Min, 0)
	return plot.Save(files, j.Plot, plotWidth, plotHeight, func(c draw.Canvas) error {
		margin := vg.Points(10)
		f.Draw(draw.Crop(c, margin, -2*margin, margin, -margin))
		return nil
	})
}

// mark draws a ring at a point.
func mark(f *gonum.Plot, x, y float64) error {
	s, err := plotter.NewScatter(plotter.XYs{{X: x, Y: y}})
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{
		Color: color.NRGBA(plot.Colors[3]), Radius: vg.Points(3.5), Shape: draw.RingGlyph{},
	}
	f.Add(s)
	return nil
}
