package nw

import (
	"image"
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// shades go from dark to light with even steps for the eye: nine colours of
// viridis, which S. van der Walt and N. Smith made for matplotlib.
var shades = [...]color.NRGBA{
	{0x44, 0x01, 0x54, 255}, {0x47, 0x2d, 0x7b, 255}, {0x3b, 0x52, 0x8b, 255}, {0x2c, 0x72, 0x8e, 255}, {0x21, 0x91, 0x8c, 255},
	{0x28, 0xae, 0x80, 255}, {0x5e, 0xc9, 0x62, 255}, {0xad, 0xdc, 0x30, 255}, {0xfd, 0xe7, 0x25, 255},
}

// shade is the colour of a value from 0 to 1.
func shade(v float64) color.NRGBA {
	v = min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(v), len(shades)-2)
	part := v - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5) }
	a, b := shades[i], shades[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// paintBar draws which colour stands for which score.
func (p *picture) paintBar(c draw.Canvas, low, high float64) {
	const steps = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for y := range steps {
		img.SetNRGBA(0, y, shade(1-float64(y)/(steps-1)))
	}
	if high == low {
		high++ // a matrix of one score
	}
	f := plot.New("", "", "")
	f.Y.Label.Text = "score of the best alignment so far"
	f.X.Min, f.X.Max, f.Y.Min, f.Y.Max = 0, 1, low, high
	f.X.Padding, f.Y.Padding = 0, 0
	f.HideX()
	f.Y.Tick.Marker = gonum.DefaultTicks{}
	f.Y.Label.TextStyle.Font.Size = vg.Points(8.5)
	f.Add(filled{img})
	f.Draw(c)
}

// filled is an image that fills a plot, its first row above. (plotter.Image
// cannot draw on an axis that goes down.)
type filled struct{ image.Image }

// Plot draws the image.
func (f filled) Plot(c draw.Canvas, _ *gonum.Plot) { c.DrawImage(c.Rectangle, f.Image) }

// numbers are the scores, each in its cell, where no path goes through.
func (p *picture) numbers(low, high float64) *plotter.Labels {
	l := &plotter.Labels{}
	for k, score := range p.scores {
		l.XYs = append(l.XYs, plotter.XY{X: float64(k%p.cols) + 0.74, Y: float64(k/p.cols) + 0.24})
		l.Labels = append(l.Labels, app.Digits(int(score)))
		style := plot.Sans(9.5, color.White)
		if (float64(score)-low)/max(high-low, 1) > 0.6 {
			style.Color = plot.Ink
		}
		style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
		l.TextStyle = append(l.TextStyle, style)
	}
	return l
}
