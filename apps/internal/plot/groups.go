package plot

import (
	"fmt"
	"image/color"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Groups is a picture of points that are divided into groups. The points may be a sample.
type Groups struct {
	Title     string
	Axes      *Axes
	Points    [][]float64
	Labels    []int32         // the group of each point
	Outliers  []bool          // the points to mark; nil if there are none
	Centers   [][]float64     // of the groups
	Curves    [][]plotter.XYs // around each group, in the plane of the picture; may be nil
	Sizes     []int           // of the groups
	Group     string          // what a group is called
	CurveNote string          // explains the curves in the legend; may be empty
	Marked    string          // what an outlier is called in the legend
}

// The size of a picture of groups.
const (
	GroupsWidth  = 18 * vg.Centimeter
	GroupsHeight = 12.5 * vg.Centimeter
)

const legendRows = 16 // more groups than this are not listed one by one

// Draw draws the points, the curves and centres on top of them, and the legend to the right.
func (p *Groups) Draw(c draw.Canvas) error {
	f := New(p.Title, p.Axes.Names[0], p.Axes.Names[1])
	if p.Axes.Strips {
		f.Y.Tick.Marker = gonum.TickerFunc(WholeTicks)
	}
	f.Add(Grid())
	places, marked := p.places()
	radius := vg.Points(min(2.6, max(1, 40/math.Sqrt(float64(len(p.Points))))))
	for l, xys := range places {
		if len(xys) == 0 {
			continue
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: Shade(l, 150), Radius: radius, Shape: draw.CircleGlyph{}}
		f.Add(s)
	}
	for l, curves := range p.Curves {
		for _, xys := range curves {
			line, err := plotter.NewLine(xys)
			if err != nil {
				return err
			}
			line.Color, line.Width = Shade(l+len(Colors), 255), vg.Points(1.2)
			f.Add(line)
		}
	}
	crosses, err := Crosses(f, marked)
	if err != nil {
		return err
	}
	legend := gonum.NewLegend()
	legend.TextStyle = Sans(8.5, Ink)
	legend.Padding, legend.ThumbnailWidth = vg.Points(5), vg.Points(12)
	legend.YPosition = 0
	legend.Top, legend.Left = true, true
	legend.Add(p.Group + ": size")
	for l, center := range p.Centers {
		at := p.Axes.Project(center)
		if p.Axes.Strips {
			at[1] = float64(l)
		}
		if !drawable(at) {
			continue
		}
		s, err := plotter.NewScatter(plotter.XYs{{X: at[0], Y: at[1]}})
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: Shade(l, 255), Radius: vg.Points(4.5), Shape: centerGlyph{}}
		f.Add(s)
		if l < legendRows {
			key := *s
			key.Radius, key.Shape = vg.Points(3.5), draw.CircleGlyph{}
			legend.Add(fmt.Sprintf("%d: %s", l, app.Digits(p.Sizes[l])), &key)
		}
	}
	if more := len(p.Centers) - legendRows; more > 0 {
		legend.Add(fmt.Sprintf("and %d more", more))
	}
	if p.CurveNote != "" {
		legend.Add(p.CurveNote)
	}
	if crosses != nil {
		legend.Add(p.Marked, crosses)
	}
	margin := vg.Points(10)
	side := vg.Points(16) + legend.Rectangle(c).Size().X
	f.Draw(draw.Crop(c, margin, -side-margin, margin, -margin))
	legend.Draw(draw.Crop(c, c.Size().X-side, -margin, vg.Points(48), -vg.Points(38)))
	return nil
}

// places returns the positions of the points of each group, and those of outliers.
func (p *Groups) places() (places []plotter.XYs, marked plotter.XYs) {
	places = make([]plotter.XYs, len(p.Centers))
	for i, x := range p.Points {
		at := p.Axes.Project(x)
		if p.Axes.Strips { // spread evenly over the strip: multiples of the golden ratio
			_, part := math.Modf(float64(i) * math.Phi)
			at[1] = float64(p.Labels[i]) + 0.6*(part-0.5)
		}
		switch {
		case !drawable(at):
		case p.Outliers != nil && p.Outliers[i]:
			marked = append(marked, plotter.XY{X: at[0], Y: at[1]})
		default:
			places[p.Labels[i]] = append(places[p.Labels[i]], plotter.XY{X: at[0], Y: at[1]})
		}
	}
	return places, marked
}

// Crosses adds outliers to a plot. Those far from what the plot has already are at its edge. It
// returns nil if there are none.
func Crosses(f *gonum.Plot, marked plotter.XYs) (*plotter.Scatter, error) {
	if len(marked) == 0 {
		return nil, nil
	}
	const reach = 0.5 // how far the picture extends for outliers, relative to its size
	clamp := func(a *gonum.Axis) func(v float64) float64 {
		low, high := a.Min-reach*(a.Max-a.Min), a.Max+reach*(a.Max-a.Min)
		if !(low < high) || math.IsInf(high-low, 0) { // every point is an outlier
			return func(v float64) float64 { return v }
		}
		return func(v float64) float64 { return min(max(v, low), high) }
	}
	x, y := clamp(&f.X), clamp(&f.Y)
	for i, m := range marked {
		marked[i] = plotter.XY{X: x(m.X), Y: y(m.Y)}
	}
	s, err := plotter.NewScatter(marked)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: Ink, Radius: vg.Points(2.2), Shape: draw.CrossGlyph{}}
	f.Add(s)
	return s, nil
}

// centerGlyph is a disc in the group's colour with a white and a dark rim.
type centerGlyph struct{}

func (centerGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	for _, ring := range []struct {
		grow  vg.Length
		color color.Color
	}{{2, Ink}, {1.4, color.White}, {0, s.Color}} {
		c.DrawGlyph(draw.GlyphStyle{Color: ring.color, Radius: s.Radius + ring.grow, Shape: draw.CircleGlyph{}}, at)
	}
}

// Shade returns the colour of group l. After the tenth the colours repeat, darker.
func Shade(l int, alpha uint8) color.Color {
	c := Colors[l%len(Colors)]
	dark := math.Pow(0.75, float64(l/len(Colors)%4))
	return color.NRGBA{uint8(float64(c.R) * dark), uint8(float64(c.G) * dark), uint8(float64(c.B) * dark), alpha}
}

// WholeTicks returns the ticks of an axis of counts or groups: whole numbers, at most ten.
func WholeTicks(low, high float64) (ticks []gonum.Tick) {
	step := max(1, math.Ceil((high-low)/10))
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, gonum.Tick{Value: v, Label: fmt.Sprint(v + 0)})
	}
	return ticks
}
