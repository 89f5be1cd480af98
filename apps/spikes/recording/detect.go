package recording

import (
	"context"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Spikes are the spikes of a recording, in order of time, and of channels at equal times.
type Spikes struct {
	Times     []int64   // the row of each peak
	Channels  []int32   // the channel where the peak is greatest
	Heights   []float64 // of the peaks, in standard deviations of the noise
	Waveforms []float32 // Samples rows of all channels for each spike, filtered like the signal

	Samples, Before int
	Levels          []float64 // standard deviation of the noise of each channel
	// Whitening is the symmetric matrix, row by row, that whitens the channels of a sample, and
	// Unwhitening its inverse, but for directions without noise. Both are nil without whitening.
	Whitening, Unwhitening []float64

	// Sampled are the peaks that reach the threshold in the part of the recording, or all of it, from which
	// the noise is estimated, and Opposite those of the sign that is not detected. Both are empty for Both.
	Sampled, Opposite Peaks
}

// Peaks are some peaks that reach the threshold.
type Peaks struct {
	Count  int
	Height float64 // the sum of their heights, in standard deviations of the noise
}

// MissesSpikes reports whether most spikes seem to have the other sign. Such a recording has more peaks of that
// sign, by more than noise has by chance (2.5 standard deviations), and they are higher: spikes have a phase of
// either sign, but the peak is in the higher one.
func (s *Spikes) MissesSpikes() bool {
	more := float64(s.Opposite.Count - s.Sampled.Count)
	return s.Opposite.Height > s.Sampled.Height && more > 2.5*math.Sqrt(float64(s.Opposite.Count+s.Sampled.Count))
}

// detection is a call of Detect.
type detection struct {
	Options
	file      *File
	where     vector.Distribution
	fir       *FIR
	sign      float64
	whitening *matrix.Matrix[float64] // nil if there is none
	levels    *vector.Vector[float64]
	rounding  float64 // the level of a constant channel is at most this
	window    *skel.MapOverlapMatrix[float64, bool]
	result    *Spikes
}

// Detect finds the spikes of a recording: the peaks of the filtered signal that reach the
// threshold and are the greatest within the refractory period and among the neighbouring
// channels. Those whose waveforms would reach beyond the recording are left out. The signal
// beyond the ends of the recording is taken to be constant.
//
// All rows must fit into the memory of the host only if they have spikes: Detect reads blocks
// of them, which the optional distribution spreads over devices.
func Detect(ctx context.Context, f *File, o Options, where ...vector.Distribution) (*Spikes, error) {
	o, err := o.withDefaults(f.Channels)
	if err != nil {
		return nil, err
	}
	d := &detection{Options: o, file: f, sign: map[Sign]float64{Negative: -1, Positive: 1}[o.Sign]}
	if len(where) > 0 {
		d.where = where[0]
	}
	d.fir = NewFIR(BandPass(o.Low/o.Rate, o.High/o.Rate, o.Radius), f.Channels, where...)
	defer d.fir.Free()
	d.window = skel.NewMapOverlapMatrixWith(peak, o.dead(), o.Neighbours).Neutral(-1).With(candidate{o.Threshold})
	d.result = &Spikes{Samples: o.Samples, Before: o.Before}
	defer d.free()
	if err := d.estimate(); err != nil {
		return nil, err
	}
	if err := d.blocks(ctx); err != nil {
		return nil, err
	}
	return d.result, nil
}

func (d *detection) free() {
	if d.whitening != nil {
		d.whitening.Free()
	}
	if d.levels != nil {
		d.levels.Free()
	}
}

// bytesPerElement is the memory that the containers of a block need for each of its elements.
const bytesPerElement = 56

// blockRows returns the number of rows of a block. A block may take an eighth of the memory
// of a device.
func (d *detection) blockRows() int {
	if d.Block > 0 {
		return d.Block
	}
	elements := int64(1 << 26)
	dev := d.where.Device()
	if dev == nil {
		dev = d.levels.Device()
	}
	if dev != nil && dev.Info().Memory > 0 {
		elements = min(elements, dev.Info().Memory/8/bytesPerElement)
	}
	margin := d.Radius + d.reach()
	return max(int(elements)/d.file.Channels-2*margin, 4*margin)
}

// loaded is a block that was read.
type loaded struct {
	part part
	err  error
}

// blocks finds the spikes of all blocks. While one is computed, the next one is read.
func (d *detection) blocks(ctx context.Context) error {
	length := d.blockRows()
	margin := d.Radius + d.reach()
	read := func(lo int) <-chan loaded {
		c := make(chan loaded, 1)
		go func() {
			p, err := d.file.format.read(d.file, lo-margin, min(lo+length, d.file.Rows)+margin)
			c <- loaded{p, err}
		}()
		return c
	}
	next := read(0)
	for lo := 0; lo < d.file.Rows; lo += length {
		l := <-next
		if l.err != nil {
			return l.err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if lo+length < d.file.Rows {
			next = read(lo + length)
		}
		hi := min(lo+length, d.file.Rows)
		if err := d.block(l.part, lo, hi); err != nil {
			return err
		}
		if d.Progress != nil {
			d.Progress(hi, len(d.result.Times))
		}
	}
	return nil
}

// block finds the spikes in rows lo to hi-1, which p has with a margin on both sides.
func (d *detection) block(p part, lo, hi int) error {
	x, err := d.filtered(p)
	if err != nil {
		return err
	}
	if x, err = d.whitened(x); err != nil {
		return err
	}
	defer x.Free()
	first, cols := lo-d.Radius-d.reach(), d.file.Channels // first is the row of the recording that is row 0 of x
	from, to := max(lo, d.Before), min(hi, d.file.Rows-(d.Samples-d.Before-1))
	relative, flags := d.flags(x, d.sign)
	relative.Free()
	defer flags.Free()
	found := flagged.Indices(flags.Vector())
	defer found.Free()
	peaks := inside.With(span{(from - first) * cols, (to - first) * cols}).Apply(found)
	defer peaks.Free()
	if err := peaks.Wait(); err != nil {
		return err
	}
	n := peaks.Len()
	if n == 0 {
		return nil
	}
	r := d.result
	if need := 4 * int64(len(r.Times)+n) * int64(d.Samples) * int64(cols); d.Memory > 0 && need > d.Memory {
		return optionError("the waveforms of the spikes up to row %d need %d bytes, and memory has %d; "+
			"increase the threshold", hi, need, d.Memory)
	}
	return d.collect(x, peaks, first, n)
}
