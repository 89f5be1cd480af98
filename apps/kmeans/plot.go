package kmeans

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/skelgo/skelgo/apps/internal/atomicfile"
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

// checkPlot says early that a file name cannot be drawn to.
func checkPlot(name string) error {
	if ext := strings.ToLower(filepath.Ext(name)); name != "" && ext != ".png" && ext != ".svg" {
		return fmt.Errorf("--plot %s: a plot is a .png or an .svg", name)
	}
	return nil
}

const (
	plotWidth, plotHeight = 18 * vg.Centimeter, 12.5 * vg.Centimeter
	legendRows            = 16 // more clusters than this are not listed one by one
)

// write draws the picture to a .png or .svg.
func (p *picture) write(name string) error {
	return atomicfile.Write(name, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(name), ".svg") {
			c := vgsvg.New(plotWidth, plotHeight)
			if err := p.draw(draw.New(c)); err != nil {
				return err
			}
			_, err := c.WriteTo(w)
			return err
		}
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(160))}
		if err := p.draw(draw.New(c)); err != nil {
			return err
		}
		_, err := c.WriteTo(w)
		return err
	})
}

// draw draws the points, the centres above them, and the legend beside.
func (p *picture) draw(c draw.Canvas) error {
	f := plot.New()
	f.Title.Text = p.title
	f.X.Label.Text, f.Y.Label.Text = p.axes.names[0], p.axes.names[1]
	f.BackgroundColor = color.White
	handsome(f)
	if p.axes.strips {
		f.Y.Tick.Marker = plot.TickerFunc(strips)
	}
	f.Add(grid())

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
	legend := plot.NewLegend()
	legend.TextStyle = sans(8.5, ink)
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
			legend.Add(fmt.Sprintf("%d: %s", l, digits(p.sizes[l])), &key)
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
	}{{2, ink}, {1.4, color.White}, {0, s.Color}} {
		c.DrawGlyph(draw.GlyphStyle{Color: ring.color, Radius: s.Radius + ring.grow, Shape: draw.CircleGlyph{}}, at)
	}
}

var (
	ink  = color.NRGBA{0x33, 0x33, 0x38, 255}
	pale = color.NRGBA{0xe6, 0xe6, 0xea, 255}
)

// colors are Tableau's ten, which stay apart on screen and in print.
var colors = []color.NRGBA{
	{0x4e, 0x79, 0xa7, 255}, {0xf2, 0x8e, 0x2b, 255}, {0x59, 0xa1, 0x4f, 255}, {0xe1, 0x57, 0x59, 255}, {0xb0, 0x7a, 0xa1, 255},
	{0x76, 0xb7, 0xb2, 255}, {0xed, 0xc9, 0x48, 255}, {0x9c, 0x75, 0x5f, 255}, {0xff, 0x9d, 0xa7, 255}, {0x6b, 0x6b, 0x76, 255},
}

// shade is the colour of cluster l. Past the tenth they come again, darker.
func shade(l int, alpha uint8) color.Color {
	c := colors[l%len(colors)]
	dark := math.Pow(0.75, float64(l/len(colors)%4))
	return color.NRGBA{uint8(float64(c.R) * dark), uint8(float64(c.G) * dark), uint8(float64(c.B) * dark), alpha}
}

// digits writes 1234567 as "1 234 567".
func digits(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// strips are the ticks of an axis of clusters: whole numbers, at most ten.
func strips(low, high float64) (ticks []plot.Tick) {
	step := max(1, math.Ceil((high-low)/10))
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v + 0)})
	}
	return ticks
}

func sans(size float64, c color.Color) text.Style {
	f := plot.DefaultFont
	f.Typeface, f.Variant, f.Size = "Liberation", "Sans", vg.Points(size)
	return text.Style{Color: c, Font: f, Handler: plot.DefaultTextHandler}
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = pale, pale
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	return g
}

// handsome sets fonts, colours and spaces.
func handsome(f *plot.Plot) {
	title := sans(12, ink)
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	f.Title.TextStyle, f.Title.Padding = title, vg.Points(10)
	for _, a := range []*plot.Axis{&f.X, &f.Y} {
		label := sans(9.5, ink)
		label.XAlign, label.Rotation = draw.XCenter, a.Label.TextStyle.Rotation
		label.YAlign = a.Label.TextStyle.YAlign
		a.Label.TextStyle, a.Label.Padding = label, vg.Points(6)
		tick := sans(8.5, ink)
		tick.XAlign, tick.YAlign = a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = tick
		a.Tick.Color, a.LineStyle.Color = ink, ink
		a.Tick.Width, a.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
		a.Tick.Length = vg.Points(3)
	}
}
