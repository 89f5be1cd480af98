package spikes

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mathext"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// picture is a plot. Plots are drawn while other files are written.
type picture struct {
	name          string
	width, height vg.Length
	paint         func(draw.Canvas) error
	encoded       bytes.Buffer
	err           error
}

type pictures struct {
	all  []*picture
	done sync.WaitGroup
}

func (p *pictures) wait() { p.done.Wait() }

// pictureNames are the names of all pictures, without extensions.
var pictureNames = []string{"clusters", "waveforms", "qq", "criterion"}

// write adds the pictures to a set of files, and removes those of an earlier result that this one
// does not replace.
func (p *pictures) write(files *output.Set, dir string) error {
	p.wait()
	for _, name := range pictureNames {
		for _, ext := range []string{".png", ".svg"} {
			if !slices.ContainsFunc(p.all, func(each *picture) bool { return each.name == name+ext }) {
				files.Remove(filepath.Join(dir, name+ext))
			}
		}
	}
	for _, each := range p.all {
		if each.err != nil {
			return fmt.Errorf("%s: %w", each.name, each.err)
		}
		err := files.Write(filepath.Join(dir, each.name), func(w io.Writer) error {
			_, err := each.encoded.WriteTo(w)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// draw begins to draw the plots.
func (j *job) draw() *pictures {
	p := new(pictures)
	if j.Plots == "none" {
		return p
	}
	p.all = append(p.all, j.clusters(), j.waveforms(), j.quantiles())
	if len(j.result.Model.Path) > 1 {
		p.all = append(p.all, j.criterion())
	}
	ext := "." + j.Plots
	for _, each := range p.all {
		each.name += ext
		p.done.Go(func() {
			each.err = plot.Encode(&each.encoded, ext, each.width, each.height, each.paint)
		})
	}
	return p
}

const (
	margin      = vg.Length(10)
	panelSide   = 11 * vg.Centimeter
	panelHeight = 11.5 * vg.Centimeter
	legendWidth = 3.2 * vg.Centimeter
	legendRows  = 20     // more units than this are not listed one by one
	plotPoints  = 20_000 // the maximum number of spikes that are drawn
)

// clusters draws the second and third components against the first.
func (j *job) clusters() *picture {
	axes := [][2]int{{0, min(1, j.result.Scores.Cols()-1)}}
	if j.result.Scores.Cols() > 2 {
		axes = append(axes, [2]int{0, 2})
	}
	width := panelSide*vg.Length(len(axes)) + legendWidth
	return &picture{name: "clusters", width: width, height: panelHeight, paint: func(c draw.Canvas) error {
		for k, a := range axes {
			f, err := j.scatter(a[0], a[1])
			if err != nil {
				return err
			}
			left := panelSide * vg.Length(k)
			f.Draw(draw.Crop(c, left+margin, left+panelSide-width-margin, margin, -margin))
		}
		var entries []entry
		for k := range j.result.Units {
			entries = append(entries, entry{k, fmt.Sprintf("%d: %s", k, app.Digits(j.result.Units[k].Size))})
		}
		legend(c, "unit: spikes", entries)
		return nil
	}}
}

// entry is a line of a legend.
type entry struct {
	unit int
	text string
}

// legend draws a legend to the right.
func legend(c draw.Canvas, title string, entries []entry) {
	l := gonum.NewLegend()
	l.TextStyle = plot.Sans(8.5, plot.Ink)
	l.Padding, l.ThumbnailWidth = vg.Points(5), vg.Points(12)
	l.Top, l.Left = true, true
	l.Add(title)
	for k, e := range entries {
		if k == legendRows {
			l.Add(fmt.Sprintf("and %d more", len(entries)-k))
			break
		}
		l.Add(e.text, &plotter.Scatter{
			GlyphStyle: disc(e.unit, 3.5), XYs: plotter.XYs{{}},
		})
	}
	l.Draw(draw.Crop(c, c.Size().X-legendWidth, -margin, vg.Points(30), -vg.Points(34)))
}

// disc returns the style of discs in a unit's colour, with a radius in points.
func disc(unit int, radius float64) draw.GlyphStyle {
	return draw.GlyphStyle{Color: plot.Shade(unit, 255), Radius: vg.Points(radius), Shape: draw.CircleGlyph{}}
}

// scatter draws component b against component a, the ellipses within which 95% of the units'
// spikes should be, and outliers as crosses.
func (j *job) scatter(a, b int) (*gonum.Plot, error) {
	f := plot.New(fmt.Sprintf("components %d and %d", a+1, b+1), j.axisName(a), j.axisName(b))
	f.Add(plot.Grid())
	r, p := j.result, j.result.Scores.Cols()
	inside, outside := make([]plotter.XYs, len(r.Units)), plotter.XYs(nil)
	every := (j.in.n-1)/plotPoints + 1
	for i := 0; i < j.in.n; i += every {
		label := j.host.labels[i]
		at := plotter.XY{X: j.host.scores[i*p+a], Y: j.host.scores[i*p+b]}
		if j.host.distances[i] > r.Units[label].limit {
			outside = append(outside, at)
		} else {
			inside[label] = append(inside[label], at)
		}
	}
	radius := vg.Points(min(2.2, max(0.8, 40/math.Sqrt(float64(j.in.n/every)))))
	for k, points := range inside {
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: plot.Shade(k, 130), Radius: radius, Shape: draw.CircleGlyph{}}
		f.Add(s)
	}
	if _, err := plot.Crosses(f, outside); err != nil {
		return nil, err
	}
	for k := range r.Units {
		l, err := plotter.NewLine(j.ellipse(k, a, b))
		if err != nil {
			return nil, err
		}
		l.Color, l.Width = darker(k), vg.Points(1.4)
		f.Add(l)
	}
	return f, nil
}

// darker returns the colour of lines on a unit's spikes.
func darker(unit int) color.Color { return plot.Shade(unit+len(plot.Colors), 255) }

func (j *job) axisName(k int) string {
	return fmt.Sprintf("component %d (%.3g%% of the variance)", k+1, 100*j.result.Components.Ratios[k])
}

// ellipse returns the ellipse of two columns of a unit that has 95% of their distribution.
func (j *job) ellipse(unit, a, b int) plotter.XYs {
	m := j.result.Model
	sigma, nu := m.Covariances[unit], min(m.DF[unit], testedDF)
	quantile := mathext.InvRegIncBeta(1, nu/2, 0.95)
	radius := math.Sqrt(nu * quantile / (1 - quantile))
	// The Cholesky factor of the two columns.
	l11 := math.Sqrt(sigma[a][a])
	l21 := sigma[a][b] / l11
	l22 := math.Sqrt(max(0, sigma[b][b]-l21*l21))
	var points plotter.XYs
	const steps = 120
	for k := range steps + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
		points = append(points, plotter.XY{
			X: m.Means[unit][a] + radius*l11*cos, Y: m.Means[unit][b] + radius*(l21*cos+l22*sin),
		})
	}
	return points
}
