package spikes

import (
	"fmt"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

const (
	shownPanels    = 12 // the maximum number of units whose waveforms are drawn
	panelColumns   = 4
	shownWaveforms = 60 // of each unit
	smallWidth     = 6.5 * vg.Centimeter
	smallHeight    = 5.5 * vg.Centimeter
)

// waveforms draws, for each unit, some of its waveforms, the template, and the template plus
// and minus the standard deviation. Channels are side by side.
func (j *job) waveforms() *picture {
	shown := min(len(j.result.Units), shownPanels)
	cols := min(shown, panelColumns)
	rows := (shown + cols - 1) / cols
	width, height := smallWidth*vg.Length(cols), smallHeight*vg.Length(rows)
	chosen, err := j.chosenWaveforms(shown) // before the goroutine of the picture
	return &picture{name: "waveforms", width: width, height: height, paint: func(c draw.Canvas) error {
		if err != nil {
			return err
		}
		low, high := j.span(chosen)
		for k := range shown {
			f, err := j.unitPlot(k, chosen[k])
			if err != nil {
				return err
			}
			f.Y.Min, f.Y.Max = low, high
			left, top := smallWidth*vg.Length(k%cols), smallHeight*vg.Length(k/cols)
			f.Draw(draw.Crop(c, left+margin/2, left+smallWidth-width-margin/2,
				height-top-smallHeight+margin/2, -top-margin/2))
		}
		return nil
	}}
}

// chosenWaveforms returns some waveforms of each unit, at equal distances.
func (j *job) chosenWaveforms(units int) (chosen [][][]float32, err error) {
	chosen = make([][][]float32, units)
	seen := make([]int, units)
	for i, l := range j.host.labels {
		if int(l) >= units {
			continue
		}
		every := (j.result.Units[l].Size-1)/shownWaveforms + 1
		if seen[l]%every == 0 {
			x, err := j.result.Waveforms.Row(i)
			if err != nil {
				return nil, err
			}
			chosen[l] = append(chosen[l], append([]float32(nil), x...))
		}
		seen[l]++
	}
	return chosen, nil
}

// span returns the range of all chosen waveforms and templates.
func (j *job) span(chosen [][][]float32) (low, high float64) {
	for k, waves := range chosen {
		for _, x := range waves {
			for _, v := range x {
				low, high = min(low, float64(v)), max(high, float64(v))
			}
		}
		for i, v := range j.result.Units[k].Template {
			d := j.result.Units[k].Deviation[i]
			low, high = min(low, v-d), max(high, v+d)
		}
	}
	return low, high
}

// unitPlot draws a unit.
func (j *job) unitPlot(k int, waves [][]float32) (*gonum.Plot, error) {
	u := &j.result.Units[k]
	title := fmt.Sprintf("unit %d: %s", k, app.Count(u.Size, "spike"))
	if u.SNR == u.SNR {
		title += fmt.Sprintf(", SNR %.2g", float64(u.SNR))
	}
	horizontal := "ms"
	if j.in.channels > 1 {
		horizontal = "ms, channel after channel"
	}
	f := plot.New(title, horizontal, "")
	f.Title.TextStyle.Font.Size = vg.Points(10)
	f.Title.Padding = vg.Points(4)
	f.Add(plot.Grid())
	add := func(value func(i int) float64, style draw.LineStyle) error {
		for c := range j.result.Channels {
			l, err := plotter.NewLine(j.channelLine(c, value))
			if err != nil {
				return err
			}
			l.LineStyle = style
			f.Add(l)
		}
		return nil
	}
	thin := draw.LineStyle{Color: plot.Shade(k, 60), Width: vg.Points(0.4)}
	for _, x := range waves {
		if err := add(func(i int) float64 { return float64(x[i]) }, thin); err != nil {
			return nil, err
		}
	}
	band := draw.LineStyle{Color: darker(k), Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(2.5), vg.Points(2)}}
	for _, sign := range []float64{-1, 1} {
		if err := add(func(i int) float64 { return u.Template[i] + sign*u.Deviation[i] }, band); err != nil {
			return nil, err
		}
	}
	mean := draw.LineStyle{Color: darker(k), Width: vg.Points(1.8)}
	return f, add(func(i int) float64 { return u.Template[i] }, mean)
}

// channelLine returns a waveform on a channel. Channels follow each other with a gap of a tenth
// of a waveform.
func (j *job) channelLine(channel int, value func(i int) float64) plotter.XYs {
	samples, channels := j.result.Samples, j.result.Channels
	start := float64(channel) * math.Ceil(1.1*float64(samples))
	var points plotter.XYs
	for t := range samples {
		points = append(points, plotter.XY{X: (start + float64(t)) / j.in.rate * 1000, Y: value(t*channels + channel)})
	}
	return points
}
