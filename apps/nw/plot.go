package nw

import (
	"fmt"
	"image"
	"image/color"
	idraw "image/draw"
	"math"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/apps/nw/align"
)

const (
	wholePicture = 1 << 24 // most cells of a matrix that is drawn; of larger ones only the path is
	pixels       = 1200    // of the longer side of the matrix, at most
	shownLetters = 60      // most letters of a sequence that label an axis
	shownScores  = 16      // most rows and columns of a matrix whose scores are written
	longestSide  = 14 * vg.Centimeter
	shortestSide = 5 * vg.Centimeter
)

// picture is an alignment to be drawn: A from top to bottom and B from left to right, as in
// the matrix.
type picture struct {
	*align.Alignment
	grid // its scores are nil if they are not drawn
}

// save adds the picture to a set of files, as .png or .svg.
func (p *picture) save(files *output.Set, name string) error {
	width, height := sides(p.cols, p.rows)
	return plot.Save(files, name, width+5.2*vg.Centimeter, height+3.2*vg.Centimeter, p.paint)
}

// sides returns the sides of a matrix in the picture: in proportion, but not too short to see
// anything.
func sides(cols, rows int) (width, height vg.Length) {
	long := float64(max(cols, rows))
	side := func(n int) vg.Length { return max(longestSide*vg.Length(float64(n)/long), shortestSide) }
	return side(cols), side(rows)
}

func (p *picture) paint(c draw.Canvas) error {
	f := plot.New(p.title(), p.axis(p.B.Name, p.cols), p.axis(p.A.Name, p.rows))
	f.X.Min, f.X.Max, f.Y.Min, f.Y.Max = 0, float64(p.cols), 0, float64(p.rows)
	f.X.Padding, f.Y.Padding = 0, 0
	f.Y.Scale = gonum.InvertedScale{Normalizer: gonum.LinearScale{}}
	f.X.Tick.Marker, f.Y.Tick.Marker = ticks(p.B.Letters), ticks(p.A.Letters)
	low, high := p.scoreRange()
	if p.scores != nil {
		f.Add(plot.Filled{Image: p.heat(low, high)})
		if max(p.rows, p.cols) <= shownScores {
			f.Add(p.numbers(low, high))
		}
	} else {
		f.Add(plot.Grid())
	}
	if p.Path != nil {
		line, err := plotter.NewLine(p.line())
		if err != nil {
			return err
		}
		line.Color, line.Width = plot.Colors[3], vg.Points(1.4)
		if p.scores == nil {
			line.Color = plot.Colors[0]
		}
		f.Add(line)
	}
	margin, bar := vg.Points(10), vg.Length(0)
	if p.scores != nil {
		bar = 2.2 * vg.Centimeter
		right := draw.Crop(c, c.Size().X-bar-margin/2, -margin, margin+vg.Points(30), -margin-vg.Points(24))
		p.paintBar(right, low, high)
	}
	f.Draw(draw.Crop(c, margin, -margin-bar, margin, -margin))
	return nil
}

// title returns the score and the identity of the alignment.
func (p *picture) title() string {
	if p.Path == nil {
		return fmt.Sprintf("score %s", app.Digits(p.Score))
	}
	path := p.Path.Resolve(p.A.Letters[p.StartA:p.EndA], p.B.Letters[p.StartB:p.EndB])
	identity := 100 * float64(path.Identity()) / float64(max(1, path.Length()))
	return fmt.Sprintf("score %s, %.1f%% of %s columns identical", app.Digits(p.Score), identity,
		app.Digits(path.Length()))
}

// axis returns the label of an axis; names in FASTA files can be very long.
func (p *picture) axis(name string, letters int) string {
	if runes := []rune(name); len(runes) > 40 {
		name = string(runes[:39]) + "…"
	}
	return fmt.Sprintf("%s (%s letters)", name, app.Digits(letters))
}

// line returns the path as a line between corners of cells.
func (p *picture) line() plotter.XYs {
	x, y := float64(p.StartB), float64(p.StartA)
	xys := plotter.XYs{{X: x, Y: y}}
	for _, s := range p.Path {
		if s.Op != align.Insert {
			y += float64(s.N)
		}
		if s.Op != align.Delete {
			x += float64(s.N)
		}
		xys = append(xys, plotter.XY{X: x, Y: y})
	}
	return thin(xys)
}

// thin leaves out points that are too close to the previous one to be told apart, so that a
// path of millions of steps makes a small file.
func thin(xys plotter.XYs) plotter.XYs {
	last := xys[len(xys)-1]
	least := max(last.X-xys[0].X, last.Y-xys[0].Y) / 4000
	kept := xys[:1]
	for _, p := range xys[1:] {
		if from := kept[len(kept)-1]; p == last || max(p.X-from.X, p.Y-from.Y) >= least {
			kept = append(kept, p)
		}
	}
	return kept
}

// scoreRange returns the lowest and the highest score.
func (p *picture) scoreRange() (low, high float64) {
	if len(p.scores) == 0 {
		return 0, 0
	}
	return float64(slices.Min(p.scores)), float64(slices.Max(p.scores))
}

// heat returns an image of the scores: each cell is a square of pixels or, in large matrices,
// each pixel the highest score of a square of cells.
func (p *picture) heat(low, high float64) image.Image {
	long := max(p.rows, p.cols)
	cells, size := (long+pixels-1)/pixels, max(1, pixels/long)
	img := image.NewNRGBA(image.Rect(0, 0, size*((p.cols+cells-1)/cells), size*((p.rows+cells-1)/cells)))
	for y := 0; y < img.Rect.Dy(); y += size {
		for x := 0; x < img.Rect.Dx(); x += size {
			best := int32(math.MinInt32)
			from, to := x/size*cells, min((x/size+1)*cells, p.cols)
			for i := y / size * cells; i < min((y/size+1)*cells, p.rows); i++ {
				best = max(best, slices.Max(p.scores[i*p.cols+from:i*p.cols+to]))
			}
			color := image.NewUniform(plot.Viridis((float64(best) - low) / max(high-low, 1)))
			idraw.Draw(img, image.Rect(x, y, x+size, y+size), color, image.Point{}, idraw.Src)
		}
	}
	return img
}

// ticks returns the numbers of letters or, for short sequences, the letters.
func ticks(letters []byte) gonum.Ticker {
	if len(letters) > shownLetters {
		return gonum.TickerFunc(func(low, high float64) []gonum.Tick {
			t := gonum.DefaultTicks{}.Ticks(low, high)
			for i := range t {
				if t[i].Label != "" {
					t[i].Label = app.Digits(int(t[i].Value))
				}
			}
			return t
		})
	}
	var marks gonum.ConstantTicks
	for i, letter := range letters {
		marks = append(marks, gonum.Tick{Value: float64(i) + 0.5, Label: string(letter)})
	}
	return marks
}

// paintBar draws the bar that shows the colours of scores.
func (p *picture) paintBar(c draw.Canvas, low, high float64) {
	const steps = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for y := range steps {
		img.SetNRGBA(0, y, plot.Viridis(1-float64(y)/(steps-1)))
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
	f.Add(plot.Filled{Image: img})
	f.Draw(c)
}

// numbers returns the scores as labels, each in its cell where the path does not cover it.
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
