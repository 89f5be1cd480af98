package recording

import (
	"errors"
	"fmt"
	"math"
)

// ErrOptions is wrapped by errors that other options would avoid.
var ErrOptions = errors.New("recording")

func optionError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...)
}

// Sign says which peaks are spikes.
type Sign string

// The signs. Spikes are negative in most extracellular recordings.
const (
	Negative Sign = "negative"
	Positive Sign = "positive"
	Both     Sign = "both"
)

// Options are the options of Detect. The zero value of a field means its default.
type Options struct {
	Rate      float64 // samples per second
	Low, High float64 // pass band in Hz; default 300 to 6000, and at most half the rate
	Radius    int     // of the filter, in samples; the default makes its edges about as steep as Low allows
	Reference bool    // subtract from each sample the median of all channels
	Whiten    bool    // remove what the noise of different channels has in common

	Threshold  float64 // least magnitude of a peak, in standard deviations of the noise; default 5
	Sign       Sign    // default Negative
	Refractory float64 // least time between spikes on neighbouring channels, in seconds; default 0.001
	Neighbours int     // channels on each side in which a spike is also seen; default 4, and -1 means none

	Samples int // of a waveform on each channel; default 64
	Before  int // how many of these are before the peak; default Samples/3
	// WholeSamples cuts waveforms out at whole samples. By default the peak, which lies between
	// two samples, is moved to the same place in all waveforms.
	WholeSamples bool
	Block        int // rows that are processed together; the default depends on the memory of the device

	Memory int64 // the most bytes that waveforms may take; 0 means no limit

	// Progress, if it is not nil, is called after each block.
	Progress func(rows, spikes int)
}

func (o Options) withDefaults(channels int) (Options, error) {
	set := func(x *float64, to float64) {
		if *x == 0 {
			*x = to
		}
	}
	set(&o.Low, 300)
	set(&o.High, math.Min(6000, o.Rate/2))
	set(&o.Threshold, 5)
	set(&o.Refractory, 0.001)
	if o.Samples == 0 {
		o.Samples = 64
	}
	if o.Before == 0 {
		o.Before = o.Samples / 3
	}
	if o.Sign == "" {
		o.Sign = Negative
	}
	switch o.Neighbours {
	case 0:
		o.Neighbours = 4
	case -1:
		o.Neighbours = 0
	}
	o.Neighbours = min(o.Neighbours, channels-1)
	finite := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	switch {
	case !finite(o.Rate):
		return o, optionError("sampling rate %v Hz: it must be positive", o.Rate)
	case !(0 < o.Low && o.Low < o.High && o.High <= o.Rate/2):
		return o, optionError("pass band %v to %v Hz: it must be within 0 to %v Hz, half the sampling rate",
			o.Low, o.High, o.Rate/2)
	case !finite(o.Threshold):
		return o, optionError("threshold %v: it must be positive", o.Threshold)
	case !finite(o.Refractory) || o.Refractory > 0.1:
		return o, optionError("refractory period %v s: it must be positive, and at most 0.1 s", o.Refractory)
	case o.Samples < 2 || o.Samples > 1<<14 || o.Before < 0 || o.Before >= o.Samples:
		return o, optionError("%d samples, %d of them before the peak: there must be 2 to %d samples, and the peak "+
			"must be one of them", o.Samples, o.Before, 1<<14)
	case o.Radius < 0 || o.Radius > 1<<14 || o.Neighbours < 0 || o.Block < 0:
		return o, optionError("filter radius %d, %d neighbours, blocks of %d rows: they cannot be negative, and the "+
			"radius must be at most %d", o.Radius, o.Neighbours, o.Block, 1<<14)
	case o.Sign != Both && o.Sign != Negative && o.Sign != Positive:
		return o, optionError("sign %q: it must be both, negative or positive", o.Sign)
	}
	if o.Radius == 0 {
		// The edges of a Hamming window are 3.3 sampling rates over its length wide.
		o.Radius = min(int(math.Ceil(1.28*o.Rate/o.Low)), 1<<10)
	}
	o.Radius = (o.Radius + 3) / 4 * 4 // so that there are 4m+1 taps
	return o, nil
}

// dead returns the refractory period in samples.
func (o Options) dead() int { return int(math.Ceil(o.Refractory * o.Rate)) }

// reach returns how many rows around a row decide whether there is a spike, and what its
// waveform is, after the filter.
func (o Options) reach() int {
	return max(o.dead(), o.Before+interpolated, o.Samples-o.Before-1+interpolated)
}
