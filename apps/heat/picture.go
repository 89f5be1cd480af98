package heat

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot/palette/moreland"

	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// widest is how many pixels a picture has at most on a side: of larger plates it
// shows every second cell, or every third, and so on.
const widest = 4096

// draw writes a plate as a .png, in colours whose lightness rises evenly with the
// temperature from black to white.
func draw(name string, rows, cols int, cells []float32) error {
	colours := moreland.ExtendedBlackBody()
	colours.SetMin(0)
	colours.SetMax(1)
	var palette color.Palette
	for i := range 256 {
		c, err := colours.At(float64(i) / 255)
		if err != nil {
			return fmt.Errorf("heat: the colour of %d: %w", i, err)
		}
		palette = append(palette, c)
	}
	every := (max(rows, cols)-1)/widest + 1
	picture := image.NewPaletted(image.Rect(0, 0, (cols-1)/every+1, (rows-1)/every+1), palette)
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			t := Temperature(cells[y*every*cols+x*every])
			picture.SetColorIndex(x, y, uint8(min(t*255+0.5, 255)))
		}
	}
	return output.Write(name, func(w io.Writer) error { return png.Encode(w, picture) })
}
