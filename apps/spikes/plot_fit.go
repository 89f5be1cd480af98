package spikes

import (
	"fmt"
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/plot"
)

// criterion draws the criterion for each number of units that was tried.
func (j *job) criterion() *picture {
	return &picture{name: "criterion", width: 12 * vg.Centimeter, height: 9 * vg.Centimeter,
		paint: func(c draw.Canvas) error {
			f := plot.New("criterion by number of units", "units", "log-likelihood minus penalty")
			f.Add(plot.Grid())
			var points, best plotter.XYs
			for _, s := range j.result.Model.Path {
				at := plotter.XY{X: float64(s.Components), Y: s.Criterion}
				points = append(points, at)
				if len(best) == 0 || at.Y > best[0].Y {
					best = plotter.XYs{at}
				}
			}
			line, err := plotter.NewLine(points)
			if err != nil {
				return err
			}
			line.Color, line.Width = plot.Shade(0, 255), vg.Points(1.2)
			all, err := plotter.NewScatter(points)
			if err != nil {
				return err
			}
			all.GlyphStyle = disc(0, 2.5)
			mark, err := plotter.NewScatter(best)
			if err != nil {
				return err
			}
			mark.GlyphStyle = disc(3, 4.5)
			f.Add(line, all, mark)
			f.X.Tick.Marker = gonum.TickerFunc(plot.WholeTicks)
			f.Draw(draw.Crop(c, margin, -margin, margin, -margin))
			return nil
		}}
}

// quantiles draws the quantiles of δ/(δ+ν) of each unit's spikes against those of the beta
// distribution that it should have.
func (j *job) quantiles() *picture {
	const side = 11 * vg.Centimeter
	return &picture{name: "qq", width: side + legendWidth, height: side, paint: func(c draw.Canvas) error {
		f := plot.New("distances of spikes from their units", "expected quantiles of δ/(δ+ν)", "quantiles found")
		f.Add(plot.Grid())
		top := 0.0
		var entries []entry
		for k := range j.result.Units {
			u := &j.result.Units[k]
			if len(u.quantiles) == 0 {
				continue
			}
			var points plotter.XYs
			for _, q := range u.quantiles {
				points = append(points, plotter.XY{X: q[0], Y: q[1]})
				top = max(top, q[0], q[1])
			}
			s, err := plotter.NewScatter(points)
			if err != nil {
				return err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: plot.Shade(k, 200), Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
			f.Add(s)
			entries = append(entries, entry{k, fmt.Sprintf("%d: %s", k, u.KS.text("%.3f", 1))})
		}
		diagonal, err := plotter.NewLine(plotter.XYs{{}, {X: top, Y: top}})
		if err != nil {
			return err
		}
		diagonal.Color, diagonal.Width = color.Color(plot.Ink), vg.Points(0.8)
		f.Add(diagonal)
		f.Draw(draw.Crop(c, margin, -legendWidth-margin, margin, -margin))
		legend(c, "unit: KS", entries)
		return nil
	}}
}
