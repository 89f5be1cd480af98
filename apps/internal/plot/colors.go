package plot

import (
	"image"
	"image/color"
	"image/png"
	"io"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// viridis has nine colours of the map of that name, by S. van der Walt and N. Smith for
// matplotlib. They go from dark to light in steps that look even.
var viridis = [...]color.NRGBA{
	{0x44, 0x01, 0x54, 255}, {0x47, 0x2d, 0x7b, 255}, {0x3b, 0x52, 0x8b, 255},
	{0x2c, 0x72, 0x8e, 255}, {0x21, 0x91, 0x8c, 255}, {0x28, 0xae, 0x80, 255},
	{0x5e, 0xc9, 0x62, 255}, {0xad, 0xdc, 0x30, 255}, {0xfd, 0xe7, 0x25, 255},
}

// Viridis returns the colour of a value from 0 to 1.
func Viridis(v float64) color.NRGBA {
	v = min(max(v, 0), 1) * float64(len(viridis)-1)
	i := min(int(v), len(viridis)-2)
	part := v - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5) }
	a, b := viridis[i], viridis[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// BlackBody returns 256 colours whose lightness rises evenly from black to white.
func BlackBody() (palette color.Palette, err error) {
	colors := moreland.ExtendedBlackBody()
	colors.SetMin(0)
	colors.SetMax(1)
	for i := range 256 {
		c, err := colors.At(float64(i) / 255)
		if err != nil {
			return nil, err
		}
		palette = append(palette, c)
	}
	return palette, nil
}

// Filled is an image that fills a plot, with the first row at the top. (plotter.Image
// cannot draw on an axis that points down.)
type Filled struct{ image.Image }

// Plot draws the image.
func (f Filled) Plot(c draw.Canvas, _ *gonum.Plot) { c.DrawImage(c.Rectangle, f.Image) }

// widest is the largest side of a picture of a matrix, in pixels.
const widest = 4096

// SaveMatrix adds a .png of a rows x cols matrix to a set of files, or writes it at once
// if files is nil. Each element is a pixel; of large matrices, only every second element
// is drawn, or every third, and so on. Values are from 0 to 1.
func SaveMatrix(files *output.Set, name string, rows, cols int, value func(i, j int) float32) error {
	palette, err := BlackBody()
	if err != nil {
		return err
	}
	every := (max(rows, cols)-1)/widest + 1
	picture := image.NewPaletted(image.Rect(0, 0, (cols-1)/every+1, (rows-1)/every+1), palette)
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			picture.SetColorIndex(x, y, uint8(min(value(y*every, x*every)*255+0.5, 255)))
		}
	}
	return files.Write(name, func(w io.Writer) error { return png.Encode(w, picture) })
}
