package spikes

import (
	"bytes"
	"context"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/spikes/phy"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Demo is skelgo demo spikes: generated waveforms that are sorted.
type Demo struct {
	Spikes   int     `default:"3000" placeholder:"N" help:"Number of spikes; the default is ${default}."`
	Units    int     `default:"3" placeholder:"N" help:"Number of units; the default is ${default}."`
	Channels int     `default:"1" placeholder:"N" help:"Number of channels; the default is ${default}."`
	Noise    float64 `default:"0.1" placeholder:"X" help:"Standard deviation of the noise; peaks are about 1."`
	Output   string  `short:"o" placeholder:"DIR" help:"Write the results into this directory."`
	sortOptions
}

// Help returns what skelgo demo spikes --help shows besides the flags.
func (*Demo) Help() string {
	return `The waveforms are those of skelgo spikes generate with the same options. They are sorted as by skelgo
spikes.`
}

// Run sorts generated waveforms.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, d.Flags, &job{sortOptions: &d.sortOptions, source: d, output: d.Output})
}

func (d *Demo) files() []string { return nil }

func (d *Demo) check(*Options) error {
	if d.Spikes < 2 || d.Units < 1 || d.Channels < 1 || !(d.Noise >= 0) {
		return app.InputErrorf("--spikes %d --units %d --channels %d --noise %v: at least 2 spikes, 1 unit and 1 "+
			"channel are needed, and noise cannot be negative", d.Spikes, d.Units, d.Channels, d.Noise)
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	need, memory := 8*64*float64(d.Spikes)*float64(d.Channels), host.Info().Memory
	if need > float64(memory) {
		return app.InputErrorf("--spikes %d --channels %d: out of memory: the waveforms and their copies need "+
			"%.4g GiB; this machine has %s", d.Spikes, d.Channels, need/(1<<30), app.Bytes(memory))
	}
	return nil
}

// read generates the waveforms on the CPU.
func (d *Demo) read(context.Context, *app.Runner) (*input, error) {
	host, err := app.Device("cpu")
	if err != nil {
		return nil, err
	}
	s, err := simulate.New(simulate.Options{
		Spikes: d.Spikes, Units: d.Units, Channels: d.Channels, Noise: d.Noise, Jitter: 1, Seed: d.Seed,
	}, vector.Single(host))
	if err != nil {
		return nil, err
	}
	defer s.Free()
	w := s.Waveforms()
	defer w.Free()
	waves, err := w.Host()
	if err != nil {
		return nil, err
	}
	times, err := s.Times()
	if err != nil {
		return nil, err
	}
	in := &input{
		name: "generated", waves: bytes.NewReader(devices.Bytes(slices.Clone(waves))),
		n: w.Rows(), samples: w.Cols() / d.Channels,
		channels: d.Channels, rate: s.Rate,
		recording: phy.Recording{Type: "float32", Channels: d.Channels, Rate: s.Rate, Filtered: true},
	}
	for _, t := range times {
		in.times = append(in.times, int64(t))
	}
	return in, nil
}
