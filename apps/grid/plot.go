package grid

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// The numbers of nodes that are drawn on an axis of a heat map and of a curve.
const (
	mapSide  = 600
	curveLen = 4000
)

// picture is a value map, or a curve if there is one axis.
type picture struct {
	title   string
	axes    []Axis // of the picture
	names   []string
	values  []float64
	minimum []float64 // its coordinates on the axes of the picture
	value   float64
	minima  [][2]float64 // of a map: the local minima in the plane
}

// picture evaluates what is drawn: the chosen axes through the point x.
func (j *job) picture(ctx context.Context, x []float64, o *Options) (*picture, error) {
	p := &picture{title: j.f.Name, value: j.result.Minimum.Value}
	m := mapOf(j.axes, j.MapAxes, x)
	side := mapSide
	if len(j.MapAxes) == 1 {
		side = curveLen
	}
	for _, k := range j.MapAxes {
		m[k-1] = m[k-1].thinned(side)
		p.axes, p.names = append(p.axes, m[k-1]), append(p.names, fmt.Sprint("x", k))
		p.minimum = append(p.minimum, x[k-1])
	}
	if len(j.axes) == 2 && len(j.result.Minima) <= 500 {
		for _, n := range j.result.Minima {
			p.minima = append(p.minima, [2]float64{n.Argument[0], n.Argument[1]})
		}
	}
	if r := []rune(p.title); len(r) > 70 {
		p.title = string(r[:70]) + "..."
	}
	var err error
	p.values, err = valuesOf(ctx, j.f, m, o, &o.state.Picture)
	return p, err
}

// save draws the picture.
func (p *picture) save(files *output.Set, name string) error {
	if len(p.axes) == 1 {
		return p.saveCurve(files, name)
	}
	return p.saveMap(files, name)
}

// saveCurve draws a curve, with the minimum as a point.
func (p *picture) saveCurve(files *output.Set, name string) error {
	f := plot.New(p.title, p.names[0], "F")
	f.Add(plot.Grid())
	var lines []plotter.XYs
	var line plotter.XYs
	for i, v := range p.values {
		if v-v == 0 {
			line = append(line, plotter.XY{X: p.axes[0].At(i), Y: v})
		}
		if len(line) > 0 && (v-v != 0 || i == len(p.values)-1) {
			lines, line = append(lines, line), nil
		}
	}
	for _, xy := range lines {
		l, err := plotter.NewLine(xy)
		if err != nil {
			return err
		}
		l.Width, l.Color = vg.Points(1), plot.Colors[0]
		f.Add(l)
	}
	if p.axes[0].Geometric && p.axes[0].Begin > 0 {
		f.X.Scale, f.X.Tick.Marker = gonum.LogScale{}, gonum.LogTicks{Prec: -1}
	}
	f.Add(point{[2]float64{p.minimum[0], p.value}, plot.Colors[3], 3.5})
	return plot.Save(files, name, 18*vg.Centimeter, 11*vg.Centimeter, func(c draw.Canvas) error {
		f.Draw(c)
		return nil
	})
}

// point is a disc that is drawn in a plot.
type point struct {
	at     [2]float64
	color  color.Color
	radius float64
}

// Plot draws the disc, with a white rim.
func (p point) Plot(c draw.Canvas, f *gonum.Plot) {
	x, y := f.Transforms(&c)
	at := vg.Point{X: x(p.at[0]), Y: y(p.at[1])}
	c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: vg.Points(p.radius + 1), Shape: draw.CircleGlyph{}}, at)
	c.DrawGlyph(draw.GlyphStyle{Color: p.color, Radius: vg.Points(p.radius), Shape: draw.CircleGlyph{}}, at)
}

// saveMap draws a heat map with a bar that explains its colours. Colours are shared out by rank, so a
// narrow minimum is visible whatever the range of the values.
func (p *picture) saveMap(files *output.Set, name string) error {
	rows, cols := p.axes[0].Count, p.axes[1].Count
	sorted := slices.DeleteFunc(slices.Clone(p.values), func(v float64) bool { return v-v != 0 })
	slices.Sort(sorted)
	img := image.NewNRGBA(image.Rect(0, 0, rows, cols))
	for i := range rows {
		for k := range cols {
			v, shade := p.values[i*cols+k], color.NRGBA{255, 255, 255, 255}
			if v-v == 0 {
				at, _ := slices.BinarySearch(sorted, v)
				shade = plot.Viridis(float64(at) / float64(max(1, len(sorted)-1)))
			}
			img.SetNRGBA(i, cols-1-k, shade)
		}
	}
	f := plot.New(p.title, p.names[0], p.names[1])
	for d, a := range []*gonum.Axis{&f.X, &f.Y} {
		lo, hi := p.axes[d].At(0), p.axes[d].At(p.axes[d].Count-1)
		half := (hi - lo) / float64(max(1, p.axes[d].Count-1)) / 2
		if p.axes[d].Geometric { // the picture has one column for each node
			half = 0
			if lo > 0 && hi > lo {
				a.Scale, a.Tick.Marker = gonum.LogScale{}, gonum.LogTicks{Prec: -1}
			}
		}
		if half == 0 && lo == hi {
			half = 0.5
		}
		a.Min, a.Max = min(lo, hi)-math.Abs(half), max(lo, hi)+math.Abs(half)
		if lo > hi {
			flip(img, d)
		}
	}
	f.Add(plot.Filled{Image: img})
	for _, m := range p.minima {
		f.Add(point{m, plot.Ink, 1})
	}
	f.Add(point{[2]float64{p.minimum[0], p.minimum[1]}, plot.Colors[3], 3})
	const height, bar = 14 * vg.Centimeter, 3 * vg.Centimeter
	return plot.Save(files, name, height+bar, height, func(c draw.Canvas) error {
		f.Draw(draw.Crop(c, 0, -bar, 0, 0))
		p.drawBar(draw.Crop(c, height+vg.Points(6), -vg.Points(6), vg.Points(40), -vg.Points(34)), sorted)
		return nil
	})
}

// flip mirrors a picture whose axis descends.
func flip(img *image.NRGBA, axis int) {
	b := img.Rect
	copied := image.NewNRGBA(b)
	copy(copied.Pix, img.Pix)
	for y := range b.Dy() {
		for x := range b.Dx() {
			if axis == 0 {
				img.SetNRGBA(x, y, copied.NRGBAAt(b.Dx()-1-x, y))
			} else {
				img.SetNRGBA(x, y, copied.NRGBAAt(x, b.Dy()-1-y))
			}
		}
	}
}

// drawBar draws the colours with the values at which a share of all values is less.
func (p *picture) drawBar(c draw.Canvas, sorted []float64) {
	if len(sorted) == 0 {
		return
	}
	const width, steps = 12, 256
	bar := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		bar.SetNRGBA(0, steps-1-i, plot.Viridis(float64(i)/(steps-1)))
	}
	size := c.Max.Y - c.Min.Y
	c.DrawImage(vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Min.X + vg.Points(width), Y: c.Max.Y}}, bar)
	style := plot.Sans(8, plot.Ink)
	style.YAlign = draw.YCenter
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		v := sorted[int(share*float64(len(sorted)-1))]
		at := vg.Point{X: c.Min.X + vg.Points(width+4), Y: c.Min.Y + vg.Length(share)*size}
		c.FillText(style, at, fmt.Sprintf("%.4g", v))
	}
}
