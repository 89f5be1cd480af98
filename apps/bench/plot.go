package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const plotWidth, plotHeight = 19 * vg.Centimeter, 12 * vg.Centimeter

// The pictures of --plot.
const sweepPicture, rooflinePicture = "sweep.png", "roofline.png"

// drawAll draws the pictures of a report in a directory.
func drawAll(files *output.Set, dir string, r *Report) error {
	if err := drawSweep(r).save(files, filepath.Join(dir, sweepPicture)); err != nil {
		return err
	}
	return drawRoofline(r).save(files, filepath.Join(dir, rooflinePicture))
}

// task returns the first part of the name of a row.
func task(row string) string {
	first, _, _ := strings.Cut(row, "/")
	return first
}

// picture is a plot with a legend.
type picture struct {
	*gonum.Plot
	legend gonum.Legend
}

func newPicture(title, x, y string) *picture {
	p := &picture{plot.New(title, x, y), gonum.NewLegend()}
	p.legend.TextStyle = plot.Sans(8.5, plot.Ink)
	p.legend.Padding, p.legend.ThumbnailWidth = vg.Points(4), vg.Points(18)
	p.legend.Top, p.legend.Left = true, true
	p.Add(plot.Grid())
	return p
}

// save writes the picture as a PNG.
func (p *picture) save(files *output.Set, name string) error {
	return plot.Save(files, name, plotWidth, plotHeight, func(c draw.Canvas) error {
		margin := vg.Points(10)
		side := vg.Points(18) + p.legend.Rectangle(c).Size().X
		p.Draw(draw.Crop(c, margin, -side-margin, margin, -margin))
		p.legend.Draw(draw.Crop(c, c.Size().X-side, -margin, vg.Points(40), -vg.Points(36)))
		return nil
	})
}

// roof returns the bandwidth of the device copy, the median over all rows.
func roof(r *Report) float64 {
	var all benchmark.Times
	for _, row := range r.Results {
		for _, c := range row.Comparisons {
			if c.Yardstick == "copy" && row.Bytes > 0 {
				all = append(all, benchmark.Seconds(benchmark.PerSecond(float64(row.Bytes), c.Time)))
			}
		}
	}
	return float64(all.Median())
}

// drawSweep draws bandwidth over the length of the vectors.
func drawSweep(r *Report) *picture {
	p := newPicture("float32 vectors on "+r.Heading.Name, "elements", "bandwidth")
	p.X.Scale, p.X.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(powersOf2)
	p.Y.Scale, p.Y.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(bandwidths)
	var colours []string
	top := roof(r)
	lowest, highest := math.Inf(1), top
	for _, c := range r.Sweep {
		var xys plotter.XYs
		for i, n := range c.Lengths {
			if b := c.Bandwidth[i]; b > 0 {
				xys = append(xys, plotter.XY{X: float64(n), Y: b})
				lowest, highest = min(lowest, b), max(highest, b)
			}
		}
		if len(xys) == 0 {
			continue
		}
		if !slices.Contains(colours, c.Of) {
			colours = append(colours, c.Of)
		}
		line, dots, err := plotter.NewLinePoints(xys)
		if err != nil {
			continue // all points are NaN
		}
		line.Color = plot.Colors[slices.Index(colours, c.Of)%len(plot.Colors)]
		line.Width = vg.Points(1.6)
		dots.Color, dots.Radius, dots.Shape = line.Color, vg.Points(2.4), draw.CircleGlyph{}
		if c.Name != c.Of {
			line.Width, line.Dashes = vg.Points(1), []vg.Length{vg.Points(4), vg.Points(3)}
			if strings.HasSuffix(c.Name, "4") || strings.HasSuffix(c.Name, "16") { // hand4, hand16
				line.Dashes = []vg.Length{vg.Points(1), vg.Points(2)}
			}
			dots.Radius, dots.Shape = vg.Points(2.2), draw.RingGlyph{}
		}
		p.Add(line, dots)
		p.legend.Add(c.Name, line, dots)
	}
	if math.IsInf(lowest, 1) {
		lowest = highest
	}
	p.addRoof(top, func(float64) float64 { return top })
	p.X.Min, p.X.Max = 1<<10, math.Exp2(float64(max(r.Heading.MaxLog2, 11)))
	p.Y.Min, p.Y.Max = max(lowest/1.5, 1), max(highest*1.5, 10)
	return p
}

// drawRoofline draws the speed of the rows with the longest vectors over their operations
// per byte.
func drawRoofline(r *Report) *picture {
	p := newPicture("Roofline of "+r.Heading.Name, "arithmetic operations per byte moved",
		"operations per second")
	p.X.Scale, p.X.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(decades)
	p.Y.Scale, p.Y.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(rates)
	top := roof(r)
	x := bounds{math.Inf(1), math.Inf(-1)}
	y := x
	var tasks []string
	dots := map[string]plotter.XYs{}
	for _, row := range longest(r.Results) {
		name := task(row.Name)
		if !slices.Contains(tasks, name) {
			tasks = append(tasks, name)
		}
		at := plotter.XY{X: row.Ops / float64(row.Bytes), Y: benchmark.PerSecond(row.Ops, row.Time)}
		dots[name] = append(dots[name], at)
		x, y = x.with(at.X), y.with(at.Y)
	}
	if len(tasks) == 0 {
		x, y = bounds{0.1, 1}, bounds{1e9, 1e10}
	}
	x = bounds{x.low / 2, x.high * 2}
	p.X.Min, p.X.Max = x.low, x.high
	if top > 0 {
		y = y.with(top * x.low).with(top * x.high)
		p.addRoof(top, func(x float64) float64 { return top * x })
	}
	p.Y.Min, p.Y.Max = y.low/1.5, y.high*1.5
	for i, name := range tasks {
		s, err := plotter.NewScatter(dots[name])
		if err != nil {
			continue
		}
		s.GlyphStyle = draw.GlyphStyle{Color: plot.Colors[i%len(plot.Colors)], Radius: vg.Points(3.2),
			Shape: shapes[i/len(plot.Colors)%len(shapes)]}
		p.Add(s)
		p.legend.Add(name, s)
	}
	return p
}

// longest returns the rows with operations and bytes. Of rows that differ only in their
// length, it returns the longest.
func longest(results []*benchmark.Result) (rows []*benchmark.Result) {
	most := map[string]*benchmark.Result{}
	for _, r := range results {
		if r.Ops == 0 || r.Bytes == 0 || len(r.Time) == 0 {
			continue
		}
		key, _, _ := strings.Cut(r.Name, "/n=")
		if task(r.Name) == "KMeans" {
			key = r.Name
		}
		if old := most[key]; old == nil {
			rows = append(rows, r)
		} else if r.Bytes > old.Bytes {
			rows[slices.Index(rows, old)] = r
		} else {
			continue
		}
		most[key] = r
	}
	return rows
}

type bounds struct{ low, high float64 }

func (b bounds) with(v float64) bounds {
	if v > 0 {
		b.low, b.high = min(b.low, v), max(b.high, v)
	}
	return b
}

// addRoof draws the upper limit for data in the device's memory.
func (p *picture) addRoof(bandwidth float64, roof func(x float64) float64) {
	if bandwidth <= 0 {
		return
	}
	line := plotter.NewFunction(roof)
	line.Samples = 200
	line.Color, line.Width = plot.Ink, vg.Points(1)
	p.Add(line)
	p.legend.Add("copy: "+rate(bandwidth, "B/s"), line)
}

// powersOf2 returns ticks at even powers of 2: "1 Ki", "4 Ki", ...
func powersOf2(low, high float64) (ticks []gonum.Tick) {
	for log2 := 0; log2 < 60; log2 += 2 {
		if v := math.Exp2(float64(log2)); v >= low*0.99 && v <= high*1.01 {
			unit := []string{"", " Ki", " Mi", " Gi", " Ti", " Pi"}[log2/10]
			ticks = append(ticks, gonum.Tick{Value: v, Label: fmt.Sprint(1<<(log2%10)) + unit})
		}
	}
	return ticks
}

func bandwidths(low, high float64) []gonum.Tick { return logTicks(low, high, "B/s") }
func rates(low, high float64) []gonum.Tick      { return logTicks(low, high, "op/s") }
func decades(low, high float64) []gonum.Tick    { return logTicks(low, high, "") }

// logTicks returns ticks at 1, 2 and 5 of every decade. If there are more than three
// decades, only their starts have labels.
func logTicks(low, high float64, unit string) (ticks []gonum.Tick) {
	wide := math.Log10(high/low) > 3
	for d := math.Floor(math.Log10(low)); d <= math.Log10(high); d++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, d)
			if v < low || v > high {
				continue
			}
			t := gonum.Tick{Value: v}
			if m == 1 || !wide {
				t.Label = rate(v, unit)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// rate formats a rate, such as 4.2e12 as "4.2 TB/s".
func rate(v float64, unit string) string {
	prefixes := []string{"", "k", "M", "G", "T", "P"}
	if unit == "" {
		return fmt.Sprintf("%.3g", v)
	}
	for len(prefixes) > 1 && v >= 999.5 {
		v, prefixes = v/1000, prefixes[1:]
	}
	return fmt.Sprintf("%.3g %s%s", v, prefixes[0], unit)
}

var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
