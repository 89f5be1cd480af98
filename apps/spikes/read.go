package spikes

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/spikes/phy"
	"github.com/skelgo/skelgo/devices"
)

// input is what is sorted.
type input struct {
	name                 string
	waves                io.ReaderAt // the numbers, float32 in this machine's order
	n, samples, channels int
	times                []int64 // nil if they are unknown
	rate                 float64
	positions            [][2]float64
	recording            phy.Recording

	raw                         *raw      // a recording whose spikes are not found yet; nil if there is none
	whitening, whiteningInverse []float64 // of the channels, row by row; nil if they are not whitened
}

// source is where the waveforms come from: a file, or the demo.
type source interface {
	// check sets options that the demo does not have.
	check(o *Options) error
	files() []string // that are read
	read(ctx context.Context, r *app.Runner) (*input, error)
}

func (c *SortCommand) files() []string { return []string{c.File, c.Raw, c.Times, c.Positions} }

func (c *SortCommand) check(o *Options) error {
	o.Align, o.MaxShift, o.Refractory = Align(c.Align), c.MaxShift, c.Refractory/1000
	if err := c.checkRaw(); err != nil {
		return err
	}
	stdin := 0
	for _, name := range c.files() {
		if name == "-" {
			stdin++
		}
	}
	switch {
	case stdin > 1:
		return app.InputErrorf("standard input can be only one of the waveforms, --times and --positions")
	case c.Times != "" && c.Rate == 0:
		return app.InputErrorf("--times needs --rate HZ, the samples per second")
	case c.Times == "" && c.InSeconds:
		return app.InputErrorf("--in-seconds needs --times")
	case c.Rate != 0 && !(c.Rate > 0) || math.IsInf(c.Rate, 0):
		return app.InputErrorf("--rate %v: it must be positive", c.Rate)
	case !(c.Refractory > 0) || math.IsInf(c.Refractory, 0):
		return app.InputErrorf("--refractory %v: it must be positive", c.Refractory)
	case c.MaxShift < 0:
		return app.InputErrorf("--max-shift %d: it cannot be negative", c.MaxShift)
	case c.MaxShift != 0 && o.Align == NoAlign:
		return app.InputErrorf("--max-shift needs --align")
	}
	return nil
}

// read reads the waveforms, and the times and positions if there are any.
func (c *SortCommand) read(ctx context.Context, r *app.Runner) (*input, error) {
	if c.Raw != "" {
		return c.openRaw(ctx, r)
	}
	in := &input{name: c.File, channels: 1, rate: c.Rate}
	if c.File == "-" {
		in.name = "standard input"
	}
	if in.rate == 0 {
		in.rate = DefaultRate
	}
	shape, err := in.open(ctx, c.File, r)
	if err != nil {
		if !strings.EqualFold(filepath.Ext(c.File), ".npy") {
			err = fmt.Errorf("%w; waveforms must be a .npy (in NumPy: np.save)", err)
		}
		return nil, app.InputError(err)
	}
	switch len(shape) {
	case 2:
		in.n, in.samples = shape[0], shape[1]
	case 3:
		in.n, in.samples, in.channels = shape[0], shape[1], shape[2]
	default:
		return nil, app.InputErrorf("%s: an array of rank %d, shape %v; it must be n x samples or n x samples x "+
			"channels", in.name, len(shape), shape)
	}
	if in.bytes() == 0 {
		return nil, app.InputErrorf("%s: there are no waveforms: shape %v", in.name, shape)
	}
	in.recording = phy.Recording{Type: "float32", Channels: in.channels, Rate: in.rate, Filtered: true}
	if err := c.readTimes(ctx, r, in); err != nil {
		return nil, err
	}
	return in, c.readPositions(ctx, r, in)
}

// open opens the waveforms and returns their shape. It reads only those that the devices cannot read from the file, in
// any order and perhaps several times.
func (in *input) open(ctx context.Context, name string, r *app.Runner) (shape []int, err error) {
	f, err := data.Open(ctx, name, data.Options{Format: data.NPY, Stdin: r.Env.Stdin})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := f.Array(2, 3)
	if err != nil {
		return nil, err
	}
	if a != nil {
		r.Defer(func() { _ = a.Close() }) // it was only read
		in.waves = r.Progress.Reading(data.Elements[float32](a), data.Bytes[float32](a))
		return a.Shape, nil
	}
	waves, shape, err := data.DecodeArray[float32](f)
	in.waves = bytes.NewReader(devices.Bytes(waves))
	return shape, err
}

// bytes returns the size of the waveforms.
func (in *input) bytes() int64 { return 4 * int64(in.n) * int64(in.samples) * int64(in.channels) }

// notFinite returns an error that names a number that is NaN or infinite, or nil if there is none.
func (in *input) notFinite() error {
	waveform := make([]float32, in.samples*in.channels)
	b := devices.Bytes(waveform)
	waves := bufio.NewReaderSize(io.NewSectionReader(in.waves, 0, in.bytes()), 1<<20)
	for i := range in.n {
		if _, err := io.ReadFull(waves, b); err != nil {
			return fmt.Errorf("%s: waveform %d (from 0): %w", in.name, i, err)
		}
		if at := slices.IndexFunc(waveform, func(v float32) bool { return v-v != 0 }); at >= 0 {
			return app.InputErrorf("%s: waveform %d, sample %d, channel %d (from 0) is %v; leave such waveforms out",
				in.name, i, at/in.channels, at%in.channels, waveform[at])
		}
	}
	return nil
}

// readTimes reads the times and converts them to samples.
func (c *SortCommand) readTimes(ctx context.Context, r *app.Runner, in *input) error {
	if c.Times == "" {
		return nil
	}
	values, err := data.ReadVector[float64](ctx, c.Times, data.Options{Stdin: r.Env.Stdin})
	if err != nil {
		return app.InputErrorf("--times: %w", err)
	}
	if len(values) != in.n {
		return app.InputErrorf("--times %s: it has %s, and %s has %s", c.Times, app.Count(len(values), "time"), in.name,
			app.Count(in.n, "waveform"))
	}
	in.times = make([]int64, in.n)
	for i, v := range values {
		if c.InSeconds {
			v = math.Round(v * c.Rate)
		}
		switch {
		case v != math.Trunc(v):
			return app.InputErrorf("--times %s: time %d (from 0) is %v, which is no sample; use --in-seconds if times "+
				"are in seconds", c.Times, i, v)
		case v < 0 || v > 1<<53:
			return app.InputErrorf("--times %s: time %d (from 0) is sample %v; it must be from 0 to 2^53", c.Times, i,
				v)
		}
		in.times[i] = int64(v)
		if i > 0 && in.times[i] < in.times[i-1] {
			return app.InputErrorf("--times %s: time %d (from 0), sample %d, is before the one above it, sample %d; "+
				"sort the waveforms by time", c.Times, i, in.times[i], in.times[i-1])
		}
	}
	return nil
}

// readPositions reads the positions of the channels.
func (c *SortCommand) readPositions(ctx context.Context, r *app.Runner, in *input) error {
	if c.Positions == "" {
		return nil
	}
	t, err := data.Read[float64](ctx, c.Positions, data.Options{Stdin: r.Env.Stdin})
	if err != nil {
		return app.InputErrorf("--positions: %w", err)
	}
	if t.Cols != 2 || t.Rows != in.channels {
		return app.InputErrorf("--positions %s: it has %s of %s; it must have x and y of %s", c.Positions,
			app.Count(t.Rows, "row"), app.Count(t.Cols, "column"), app.Count(in.channels, "channel"))
	}
	seen := map[[2]float64]bool{}
	for i := range t.Rows {
		at := [2]float64(t.Row(i))
		if seen[at] {
			return app.InputErrorf("--positions %s: channel %d (from 0) is at the place of another one", c.Positions, i)
		}
		seen[at] = true
		in.positions = append(in.positions, at)
	}
	return nil
}
