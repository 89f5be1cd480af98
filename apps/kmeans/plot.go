package kmeans

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

// picture is a clustering to be drawn. Points and labels may be a sample.
type picture struct {
	title   string
	points  [][]float64
	labels  []int32
	centers [][]float64
	sizes   []int
	axes    *axes
}

const (
	plotWidth, plotHeight = 18 * vg.Centimeter, 12.5 * vg.Centimeter
	legendRows            = 16 // more clusters than this are not listed one by one
)

// write draws the picture to a .png or .svg.
func (p *picture) write(files *output.Set, name string) error {
	return plot.Save(files, name, plotWidth, plotHeight, p.draw)
}

// draw draws the points, the centres above them, and the legend beside.
func (p *picture) draw(c draw.Canvas) error {
	f := plot.New(p.title, p.axes.names[0], p.axes.names[1])
	if p.axes.strips {
		f.Y.Tick.Marker = gonum.TickerFunc(strips)
	}
	f.Add(plot.Grid())

	places := make([]plotter.XYs, len(p.centers))
	for i, x := range p.points {
		at := p.axes.project(x)
		if p.axes.strips { // spread evenly over the strip: multiples of the golden ratio
			_, part := math.Modf(float64(i) * math.Phi)
			at[1] = float64(p.labels[i]) + 0.6*(part-0.5)
		}
		if drawable(at) {
			places[p.labels[i]] = append(places[p.labels[i]], plotter.XY{X: at[0], Y: at[1]})
		}
	}
	radius := vg.Points(min(2.6, max(1, 40/math.Sqrt(float64(len(p.points))))))
	for l, xys := range places {
		if len(xys) == 0 {
			continue
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: shade(l, 150), Radius: radius, Shape: draw.CircleGlyph{}}
		f.Add(s)
	}
	legend := gonum.NewLegend()
	legend.TextStyle = plot.Sans(8.5, plot.Ink)
	legend.Padding, legend.ThumbnailWidth = vg.Points(5), vg.Points(12)
	legend.YPosition = 0
	legend.Top, legend.Left = true, true
	legend.Add("cluster: size")
	for l, center := range p.centers {
		at := p.axes.project(center)
		if p.axes.strips {
			at[1] = float64(l)
		}
		if !drawable(at) {
			continue
		}
		s, err := plotter.NewScatter(plotter.XYs{{X: at[0], Y: at[1]}})
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: shade(l, 255), Radius: vg.Points(4.5), Shape: centerGlyph{}}
		f.Add(s)
		if l < legendRows {
			key := *s
			key.Radius, key.Shape = vg.Points(3.5), draw.CircleGlyph{}
			legend.Add(fmt.Sprintf("%d: %s", l, app.Digits(p.sizes[l])), &key)
		}
	}
	if more := len(p.centers) - legendRows; more > 0 {
		legend.Add(fmt.Sprintf("and %d more", more))
	}
	margin := vg.Points(10)
	side := vg.Points(16) + legend.Rectangle(c).Size().X
	f.Draw(draw.Crop(c, margin, -side-margin, margin, -margin))
	legend.Draw(draw.Crop(c, c.Size().X-side, -margin, vg.Points(48), -vg.Points(38)))
	return nil
}

// centerGlyph is a disc in the cluster's colour with a white and a dark rim.
type centerGlyph struct{}

func (centerGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	for _, ring := range []struct {
		grow  vg.Length
		color color.Color
	}{{2, plot.Ink}, {1.4, color.White}, {0, s.Color}} {
		c.DrawGlyph(draw.GlyphStyle{Color: ring.color, Radius: s.Radius + ring.grow, Shape: draw.CircleGlyph{}}, at)
	}
}

// shade is the colour of cluster l. Past the tenth they come again, darker.
func shade(l int, alpha uint8) color.Color {
	c := plot.Colors[l%len(plot.Colors)]
	dark := math.Pow(0.75, float64(l/len(plot.Colors)%4))
	return color.NRGBA{uint8(float64(c.R) * dark), uint8(float64(c.G) * dark), uint8(float64(c.B) * dark), alpha}
}

// strips are the ticks of an axis of clusters: whole numbers, at most ten.
func strips(low, high float64) (ticks []gonum.Tick) {
	step := max(1, math.Ceil((high-low)/10))
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, gonum.Tick{Value: v, Label: fmt.Sprint(v + 0)})
	}
	return ticks
}
