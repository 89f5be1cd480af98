package pca

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const (
	plotWidth, plotHeight = 16 * vg.Centimeter, 12.5 * vg.Centimeter
	plotPoints            = 20_000 // the maximum number of rows that are drawn
)

// plot draws the scores of the first two components; if there is one, against the number of
// the row. Of many rows it draws some, at equal distances.
func (j *job) plot(files *output.Set) error {
	s := j.scores
	every := (s.Rows-1)/plotPoints + 1
	var points plotter.XYs
	for i := 0; i < s.Rows; i += every {
		row := s.Row(i)
		at := plotter.XY{X: row[0], Y: float64(i)}
		if s.Cols > 1 {
			at.Y = row[1]
		}
		points = append(points, at)
	}
	vertical := "row"
	if s.Cols > 1 {
		vertical = j.axisName(1)
	}
	title := fmt.Sprintf("%s: %s of %s", filepath.Base(j.name), app.Count(s.Rows, "row"),
		app.Count(j.model.Dim, "column"))
	f := plot.New(title, j.axisName(0), vertical)
	f.Add(plot.Grid())
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	c := plot.Colors[0]
	scatter.GlyphStyle = draw.GlyphStyle{
		Color:  color.NRGBA{c.R, c.G, c.B, 150},
		Radius: vg.Points(min(2.6, max(1, 40/math.Sqrt(float64(len(points)))))), Shape: draw.CircleGlyph{},
	}
	f.Add(scatter)
	return plot.Save(files, j.Plot, plotWidth, plotHeight, func(c draw.Canvas) error {
		margin := vg.Points(10)
		f.Draw(draw.Crop(c, margin, -margin, margin, -margin))
		return nil
	})
}

// axisName describes component k.
func (j *job) axisName(k int) string {
	return fmt.Sprintf("component %d (%.3g%% of the variance)", k+1, 100*j.model.Ratios[k])
}
