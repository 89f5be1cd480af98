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

// drawn holds the scores of the rows that are drawn: of many rows some, at equal distances.
type drawn struct {
	every  int
	points plotter.XYs
}

// draw adds those of a block of scores, which begins with row first, to the plot, if there is one.
func (j *job) draw(first int, scores []float64) {
	if j.Plot == "" {
		return
	}
	rows, _, _ := j.objects.shape()
	if j.drawn == nil {
		j.drawn = &drawn{every: (rows-1)/plotPoints + 1}
	}
	cols, every := j.model.Components(), j.drawn.every
	for i := (first + every - 1) / every * every; i < first+len(scores)/cols; i += every {
		row := scores[(i-first)*cols : (i-first+1)*cols]
		at := plotter.XY{X: row[0], Y: float64(i)}
		if cols > 1 {
			at.Y = row[1]
		}
		j.drawn.points = append(j.drawn.points, at)
	}
}

// plot draws the scores of the first two components; if there is one, against the number of
// the row.
func (j *job) plot(files *output.Set) error {
	points := j.drawn.points
	rows, _, _ := j.objects.shape()
	vertical := "row"
	if j.model.Components() > 1 {
		vertical = j.axisName(1)
	}
	title := fmt.Sprintf("%s: %s of %s", filepath.Base(j.name), app.Count(rows, "row"),
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
