package kmeans

import (
	"fmt"
	"path/filepath"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const plotPoints = 20_000 // the maximum number of points that are drawn

// plot draws the clusters; of many points it draws a sample.
func (f *objects[T]) plot(files *output.Set, j *job) error {
	p := &plot.Groups{
		Title: fmt.Sprintf("%s: %s in %s", filepath.Base(j.name), app.Count(f.table.Rows, "object"),
			app.Count(len(f.Sizes), "cluster")),
		Group: "cluster", Sizes: f.Sizes,
	}
	for _, i := range plot.Sample(f.table.Rows, plotPoints) {
		row, err := f.row(i)
		if err != nil {
			return err
		}
		p.Points = append(p.Points, wide(row))
		p.Labels = append(p.Labels, f.labels[i])
	}
	for c := range f.centers.Rows {
		p.Centers = append(p.Centers, wide(f.centers.Row(c)))
	}
	var err error
	if p.Axes, err = plot.ChooseAxes(j.PlotColumns, p.Points, f.table.Names, f.table.Cols, "cluster"); err != nil {
		return err
	}
	return plot.Save(files, j.Plot, plot.GroupsWidth, plot.GroupsHeight, p.Draw)
}

func wide[T number](x []T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}
