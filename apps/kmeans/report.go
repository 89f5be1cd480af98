package kmeans

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is what --json prints.
type summary struct {
	Name       string   `json:"name"`
	N          int      `json:"n"`
	Dim        int      `json:"dim"`
	K          int      `json:"k"` // fewer than were asked for when some were dropped
	Iterations int      `json:"iterations"`
	Moved      int      `json:"moved"` // labels, in the last iteration
	Inertia    *float64 `json:"inertia"`
	RMSE       *float64 `json:"rmse"`
	Sizes      []int    `json:"sizes"`
	Init       string   `json:"init"`
	Start      int      `json:"start"` // the best, from 0
	Seed       uint64   `json:"seed"`
	Device     string   `json:"device"`
	Precision  int      `json:"precision"`
	Seconds    float64  `json:"seconds"`       // of choosing the first centres and iterating
	Total      float64  `json:"total_seconds"` // with reading, opening the device and writing
}

func (f *outcome[T]) json(j *job) error {
	precision := 64
	if _, ok := any(T(0)).(float32); ok {
		precision = 32
	}
	work := j.phases.Time("init") + j.phases.Time("iterate")
	return j.env.JSON(summary{
		Name: j.name, N: f.table.Rows, Dim: f.table.Cols, K: len(f.Sizes), Iterations: f.Iterations, Moved: f.Moved,
		Inertia: finite(f.Inertia), RMSE: finite(f.RMSE), Sizes: f.Sizes,
		Init: cmp.Or(j.Init, string(PlusPlus)), Start: f.Start, Seed: j.Seed,
		Device: f.device, Precision: precision, Seconds: work.Seconds(), Total: (work + j.phases.Time("read") + j.phases.Time("device") + j.phases.Time("write")).Seconds(),
	})
}

// finite is nil for what JSON has no number for.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// What the report shows is meant to fit a terminal of 80 characters.
const (
	shownClusters = 40
	shownColumns  = 5
	headerWidth   = 9
)

// report prints the clusters as a table, and the figures of the whole.
func (f *outcome[T]) report(j *job) error {
	out := j.env.Stdout
	fmt.Fprintf(out, "%s%s: %s of %s in %s, on %s\n\n", j.preface, j.name, quantity(f.table.Rows, "object"), quantity(f.table.Cols, "column"), quantity(len(f.Sizes), "cluster"), f.device)
	header, right := []any{"cluster", "size"}, []int{1, 2}
	classes, tally := f.byClass(j.classes)
	for _, c := range classes {
		header, right = append(header, app.Fold(c, headerWidth+1)), append(right, len(header)+1)
	}
	for c := range min(f.table.Cols, shownColumns) {
		header, right = append(header, app.Fold(f.table.Name(c), headerWidth)), append(right, len(header)+1)
	}
	if f.table.Cols > shownColumns {
		header, right = append(header, "..."), append(right, len(header)+1)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for c := range min(len(f.Sizes), shownClusters) {
		row := []any{c, app.Digits(f.Sizes[c])}
		for _, class := range classes {
			row = append(row, tally[class][c])
		}
		for _, v := range f.centers.Row(c)[:min(f.table.Cols, shownColumns)] {
			row = append(row, fmt.Sprintf("%.5g", v))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
	if more := len(f.Sizes) - shownClusters; more > 0 {
		fmt.Fprintf(out, "... and %d more; --centers FILE writes all\n", more)
	}
	work := j.phases.Time("init") + j.phases.Time("iterate")
	_, err := fmt.Fprintf(out, "\ninertia %.8g, RMSE %.6g, %s, %s\n", f.Inertia, f.RMSE, quantity(f.Iterations, "iteration"), app.Duration(work))
	return err
}

// byClass counts the objects of every known class in each cluster.
func (f *outcome[T]) byClass(classes []string) (names []string, tally map[string][]int) {
	tally = map[string][]int{}
	for i, class := range classes {
		if tally[class] == nil {
			tally[class] = make([]int, len(f.Sizes))
		}
		tally[class][f.labels[i]]++
	}
	return slices.Sorted(maps.Keys(tally)), tally
}

func quantity(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return app.Digits(n) + " " + what
}
