package plot

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/printable"
)

// Check returns an error if the name of a plot does not end in .png or .svg. The
// empty name is allowed.
func Check(name string) error {
	if ext := strings.ToLower(filepath.Ext(name)); name != "" && ext != ".png" && ext != ".svg" {
		return fmt.Errorf("--plot %s: the name must end in .png or .svg", name)
	}
	return nil
}

// Save adds a picture, .png or .svg, to a set of files, or writes it at once if files is
// nil.
func Save(files *output.Set, name string, width, height vg.Length, paint func(draw.Canvas) error) error {
	return files.Write(name, func(w io.Writer) error {
		return Encode(w, filepath.Ext(name), width, height, paint)
	})
}

// Encode writes a picture, as SVG if ext is .svg, and otherwise as PNG.
func Encode(w io.Writer, ext string, width, height vg.Length, paint func(draw.Canvas) error) error {
	var c interface {
		vg.CanvasSizer
		io.WriterTo
	} = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(160))}
	if strings.EqualFold(ext, ".svg") {
		c = vgsvg.New(width, height)
	}
	if err := paint(draw.New(c)); err != nil {
		return err
	}
	if !strings.EqualFold(ext, ".svg") {
		_, err := c.WriteTo(w)
		return err
	}
	// Titles and labels may hold what XML does not allow.
	clean := printable.NewWriter(w, printable.XML)
	if _, err := c.WriteTo(clean); err != nil {
		return err
	}
	return clean.Flush()
}

// The colours of everything except data.
var (
	Ink  = color.NRGBA{0x33, 0x33, 0x38, 255} // of text and axes
	Pale = color.NRGBA{0xe6, 0xe6, 0xea, 255} // of grids
)

// Colors are the ten colours of Tableau, which are distinct on screen and in print.
var Colors = []color.NRGBA{
	{0x4e, 0x79, 0xa7, 255}, {0xf2, 0x8e, 0x2b, 255}, {0x59, 0xa1, 0x4f, 255}, {0xe1, 0x57, 0x59, 255},
	{0xb0, 0x7a, 0xa1, 255}, {0x76, 0xb7, 0xb2, 255}, {0xed, 0xc9, 0x48, 255}, {0x9c, 0x75, 0x5f, 255},
	{0xff, 0x9d, 0xa7, 255}, {0x6b, 0x6b, 0x76, 255},
}

// New returns an empty plot with the fonts, colours and margins of all plots.
func New(title, x, y string) *gonum.Plot {
	f := gonum.New()
	f.Title.Text, f.X.Label.Text, f.Y.Label.Text = title, x, y
	f.BackgroundColor = color.White
	style := Sans(12, Ink)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	f.Title.TextStyle, f.Title.Padding = style, vg.Points(10)
	for _, a := range []*gonum.Axis{&f.X, &f.Y} {
		label := Sans(9.5, Ink)
		label.XAlign, label.Rotation = draw.XCenter, a.Label.TextStyle.Rotation
		label.YAlign = a.Label.TextStyle.YAlign
		a.Label.TextStyle, a.Label.Padding = label, vg.Points(6)
		tick := Sans(8.5, Ink)
		tick.XAlign, tick.YAlign = a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = tick
		a.Tick.Color, a.LineStyle.Color = Ink, Ink
		a.Tick.Width, a.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
		a.Tick.Length = vg.Points(3)
	}
	return f
}

// Grid returns a pale grid at the ticks.
func Grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = Pale, Pale
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	return g
}

// Sans returns the style of text of a size in points.
func Sans(size float64, c color.Color) text.Style {
	f := gonum.DefaultFont
	f.Typeface, f.Variant, f.Size = "Liberation", "Sans", vg.Points(size)
	return text.Style{Color: c, Font: f, Handler: gonum.DefaultTextHandler}
}
