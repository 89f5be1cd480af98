package spikes

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/spikes/phy"
	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/devices"
)

// rawOptions are the options of recordings.
type rawOptions struct {
	Raw        string  `placeholder:"FILE" help:"Find the spikes in this recording, instead of reading waveforms."`
	Channels   int     `default:"1" placeholder:"N" help:"Raw: number of channels; the default is ${default}."`
	Dtype      string  `enum:"int16,uint16,int32,float32,float64" default:"int16" help:"Raw: type of samples: ${enum}."`
	Offset     int64   `placeholder:"BYTES" help:"Raw: length of the file's header."`
	Low        float64 `default:"300" placeholder:"HZ" help:"Raw: lower edge of the pass band; default ${default}."`
	High       float64 `placeholder:"HZ" help:"Raw: upper edge; the default is 6000, or half the rate."`
	Reference  bool    `help:"Raw: subtract the median of all channels."`
	NoWhiten   bool    `help:"Raw: do not whiten across channels."`
	Threshold  float64 `default:"5" placeholder:"X" help:"Raw: least peak, in sigmas of the noise; default ${default}."`
	Sign       string  `enum:"negative,positive,both" default:"negative" help:"Raw: which peaks are spikes: ${enum}."`
	DeadTime   float64 `default:"1" placeholder:"MS" help:"Raw: least milliseconds between spikes; default ${default}."`
	Neighbours int     `default:"4" placeholder:"N" help:"Raw: merge spikes within N channels; default ${default}."`
	Samples    int     `default:"64" placeholder:"N" help:"Raw: samples of a waveform; the default is ${default}."`
	Before     int     `placeholder:"N" help:"Raw: how many of these precede the peak; the default is a third."`
	Whole      bool    `name:"whole-samples" help:"Raw: do not align peaks between samples."`
	BlockRows  int     `placeholder:"N" help:"Raw: samples that are processed together; does not change results."`
}

// rawHelp explains the options of recordings.
const rawHelp = `With --raw FILE --rate HZ --channels N, the spikes are found first: FILE has no header, and the
channels of a sample are next to each other; or it is a .npy with a row for each sample, which knows its channels and
its type. It is band-pass filtered and whitened; spikes are peaks of at least
--threshold times the noise, which is estimated from medians, and the largest within --dead-time and among
neighbouring channels. Waveforms are cut out around them, and interpolated so that their peaks are at the same place.
FILE may be larger than memory. docs/spikes.md has the details.

   skelgo spikes --raw recording.bin --rate 30000 --channels 4 -o sorted`

// checkRaw reports options that are wrong.
func (c *SortCommand) checkRaw() error {
	switch {
	case c.Raw == "" && c.File == "":
		return app.InputErrorf("a file of waveforms is missing, or --raw FILE for a recording")
	case c.Raw == "":
		return c.noRaw()
	case c.File != "":
		return app.InputErrorf("--raw cannot be combined with %s, a file of waveforms", c.File)
	case c.Raw == "-":
		return app.InputErrorf("--raw -: a recording is read more than once, so that it must be a file")
	case c.Times != "":
		return app.InputErrorf("--raw cannot be combined with --times: the times are found")
	case c.Rate == 0:
		return app.InputErrorf("--raw needs --rate HZ, the samples per second")
	case c.Channels < 1:
		return app.InputErrorf("--channels %d: it must be at least 1", c.Channels)
	case c.Samples < 2:
		return app.InputErrorf("--samples %d: it must be at least 2", c.Samples)
	case c.Offset < 0:
		return app.InputErrorf("--offset %d: it cannot be negative", c.Offset)
	case c.BlockRows < 0:
		return app.InputErrorf("--block-rows %d: it cannot be negative", c.BlockRows)
	case c.Neighbours < 0:
		return app.InputErrorf("--neighbours %d: it cannot be negative", c.Neighbours)
	case !(c.Low > 0) || !(c.Low < c.Rate/2):
		return app.InputErrorf("--low %v: it must be between 0 and half of --rate, %v", c.Low, c.Rate/2)
	case c.High != 0 && !(c.High > c.Low && c.High <= c.Rate/2):
		return app.InputErrorf("--high %v: it must be between --low and half of --rate, %v", c.High, c.Rate/2)
	case c.High == 0 && !(c.Low < 6000):
		return app.InputErrorf("--low %v: it needs --high, whose default is 6000", c.Low)
	case !(c.Threshold > 0) || math.IsInf(c.Threshold, 0):
		return app.InputErrorf("--threshold %v: it must be positive", c.Threshold)
	case !(c.DeadTime > 0 && c.DeadTime <= 100):
		return app.InputErrorf("--dead-time %v: it must be between 0 and 100 milliseconds", c.DeadTime)
	case c.Before < 0 || c.Before >= c.Samples:
		return app.InputErrorf("--before %d: it must be less than --samples %d", c.Before, c.Samples)
	}
	return nil
}

// noRaw reports an option that has no effect without a recording.
func (c *SortCommand) noRaw() error {
	o := c.rawOptions
	for _, each := range []struct {
		name string
		used bool
	}{
		{"--channels", o.Channels != 1}, {"--dtype", o.Dtype != "int16"}, {"--offset", o.Offset != 0},
		{"--low", o.Low != 300}, {"--high", o.High != 0}, {"--reference", o.Reference}, {"--no-whiten", o.NoWhiten},
		{"--threshold", o.Threshold != 5}, {"--sign", o.Sign != "negative"}, {"--dead-time", o.DeadTime != 1},
		{"--neighbours", o.Neighbours != 4}, {"--samples", o.Samples != 64}, {"--before", o.Before != 0},
		{"--whole-samples", o.Whole}, {"--block-rows", o.BlockRows != 0},
	} {
		if each.used {
			return app.InputErrorf("%s needs --raw; waveforms are sorted as they are", each.name)
		}
	}
	return nil
}

// raw is an open recording.
type raw struct {
	file    *recording.File
	options recording.Options
	name    string
}

// openRaw opens the recording. Its spikes are found later, on the devices.
func (c *SortCommand) openRaw(ctx context.Context, r *app.Runner) (*input, error) {
	in := &input{name: c.Raw, channels: c.Channels, samples: c.Samples, rate: c.Rate}
	f, err := os.Open(c.Raw)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, app.InputErrorf("--raw: cannot read %s: %w", c.Raw, err)
	}
	r.Defer(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		return nil, app.InputErrorf("--raw: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, app.InputErrorf("--raw %s: it is not a file", c.Raw)
	}
	if err := c.readHeader(f); err != nil {
		return nil, app.InputErrorf("--raw: %w", err)
	}
	in.channels = c.Channels
	switch {
	case info.Size() == 0:
		return nil, app.InputErrorf("--raw %s: it is empty", c.Raw)
	case info.Size() <= c.Offset:
		return nil, app.InputErrorf("--raw %s: it has %s, and --offset is %d", c.Raw, app.Count(info.Size(), "byte"),
			c.Offset)
	}
	in.raw = &raw{name: c.Raw, options: recording.Options{
		Rate: c.Rate, Low: c.Low, High: c.High, Reference: c.Reference, Whiten: !c.NoWhiten, Threshold: c.Threshold,
		Sign: recording.Sign(c.Sign), Refractory: c.DeadTime / 1000, Neighbours: c.Neighbours, Samples: c.Samples,
		Before: c.Before, WholeSamples: c.Whole, Block: c.BlockRows,
	}}
	if c.Neighbours == 0 {
		in.raw.options.Neighbours = -1
	}
	size := info.Size() - c.Offset
	in.raw.file, err = recording.NewFile(section{f, c.Offset}, c.Raw, size, recording.Type(c.Dtype), c.Channels)
	if err != nil {
		return nil, app.InputErrorf("--raw: %w", err)
	}
	if rows := in.raw.file.Rows; rows < c.Samples {
		return nil, app.InputErrorf("--raw %s: it has %s of %s, and a waveform has %d", c.Raw,
			app.Count(rows, "sample"), app.Count(c.Channels, "channel"), c.Samples)
	}
	path, err := filepath.Abs(c.Raw)
	if err != nil {
		path = c.Raw
	}
	in.recording = phy.Recording{File: path, Type: c.Dtype, Offset: int(c.Offset), Channels: c.Channels, Rate: c.Rate}
	return in, c.readPositions(ctx, r, in)
}

// section is a file without its header.
type section struct {
	file   *os.File
	offset int64
}

// ReadAt implements io.ReaderAt.
func (s section) ReadAt(p []byte, at int64) (int, error) { return s.file.ReadAt(p, at+s.offset) }

// detect finds the spikes of a recording.
func (in *input) detect(ctx context.Context, r *app.Runner) error {
	r.Phases.Start("detect")
	o, f := in.raw.options, in.raw.file
	o.Progress = func(rows, spikes int) {
		r.Progress.Printf("%.0f of %.0f s, %s", float64(rows)/o.Rate, float64(f.Rows)/o.Rate,
			app.Count(spikes, "spike"))
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	o.Memory = host.Info().Memory / 3
	// A block is a part of the file, whose size decides whether devices share the work.
	where := app.Distribute(r.Devices, 8*int64(f.Rows)*int64(f.Channels))
	s, err := recording.Detect(ctx, f, o, where)
	var bad *recording.BadSampleError
	switch {
	case errors.As(err, &bad), errors.Is(err, recording.ErrOptions):
		return app.InputErrorf("--raw: %w", err)
	case err != nil:
		return err
	case slices.Max(s.Levels) == 0:
		return app.InputErrorf("--raw %s: every channel is constant; check --dtype, --channels and --offset",
			in.raw.name)
	case len(s.Times) == 0 && s.Opposite.Count > 0:
		return app.InputErrorf("--raw %s: no %s peak is %v times as large as the noise, but there are peaks of the "+
			"other sign; use --sign %s, or both", in.raw.name, o.Sign, o.Threshold, opposite(o.Sign))
	case len(s.Times) == 0:
		return app.InputErrorf("--raw %s: no peak is %v times as large as the noise; decrease --threshold",
			in.raw.name, o.Threshold)
	}
	r.Progress.Done()
	if s.MissesSpikes() {
		r.Env.Notef("%s: in the part that was sampled, %s reach the threshold, but only %s; --sign %s, or both, "+
			"finds these spikes", in.raw.name, app.Count(s.Opposite.Count, string(opposite(o.Sign))+" peak"),
			app.Count(s.Sampled.Count, string(o.Sign)+" one"), opposite(o.Sign))
	}
	for c, l := range s.Levels {
		if l == 0 {
			r.Env.Notef("%s: channel %d (from 0) is constant, and is not used", in.raw.name, c)
		}
	}
	in.n, in.times, in.waves = len(s.Times), s.Times, bytes.NewReader(devices.Bytes(s.Waveforms))
	in.whitening, in.whiteningInverse = s.Whitening, s.Unwhitening
	return nil
}

// opposite returns the sign of peaks that are not detected.
func opposite(s recording.Sign) recording.Sign {
	if s == recording.Negative {
		return recording.Positive
	}
	return recording.Negative
}
