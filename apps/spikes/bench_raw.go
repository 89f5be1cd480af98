package spikes

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// rawRows returns the rows of recordings: generating spikes, filtering, and finding spikes.
func rawRows(s *benchmark.Suite) []*benchmark.Row {
	return []*benchmark.Row{generateRow(s), filterRow(s, 1), filterRow(s, 32), detectRow(s)}
}

// generateRow returns the row of generating spikes and their waveforms.
func generateRow(s *benchmark.Suite) *benchmark.Row {
	const samples = 64
	n := s.Size(1 << 20)
	o := simulate.Options{Spikes: n, Seed: 1, Jitter: 1, Noise: 0.1}
	r := &benchmark.Row{
		Name:   fmt.Sprintf("SpikesGenerate/n=%d/samples=%d", n, samples),
		Bytes:  4 * int64(n) * samples,
		Memory: 4*int64(n)*samples + 400*int64(n),
	}
	if s.GPU() {
		r.MaxTime = 10 * time.Millisecond
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		return &benchmark.Case{
			Check: func() error { return checkGenerated(s, o) },
			Sample: func() (time.Duration, error) {
				start := time.Now()
				w, free, err := waveforms(o, s.Distribution())
				if err != nil {
					return 0, err
				}
				defer free()
				return time.Since(start), w.Err()
			},
		}, nil
	}
	return r
}

// waveforms generates waveforms.
func waveforms(o simulate.Options, where vector.Distribution) (w *matrix.Matrix[float32], free func(), err error) {
	all, err := simulate.New(o, where)
	if err != nil {
		return nil, nil, err
	}
	w = all.Waveforms()
	return w, func() { w.Free(); all.Free() }, w.Wait()
}

// checkGenerated compares a few spikes with those that the CPU generates.
func checkGenerated(s *benchmark.Suite, o simulate.Options) error {
	o.Spikes = min(o.Spikes, 1000)
	host, err := devices.Get("cpu")
	if err != nil {
		return err
	}
	var rows [2][]float32
	for k, where := range []vector.Distribution{s.Distribution(), vector.Single(host[0])} {
		w, free, err := waveforms(o, where)
		if err != nil {
			return err
		}
		defer free()
		if rows[k], err = w.Host(); err != nil {
			return err
		}
	}
	for i, x := range rows[0] {
		if math.Float32bits(x) != math.Float32bits(rows[1][i]) {
			return fmt.Errorf("element %d of the waveforms is %v, not %v", i, x, rows[1][i])
		}
	}
	return nil
}

// filterRow returns the row of the band-pass filter for 30 kHz.
func filterRow(s *benchmark.Suite, channels int) *benchmark.Row {
	const radius = 128
	n := s.Size(1<<26) / channels
	return &benchmark.Row{
		Name:  fmt.Sprintf("SpikesFilter/type=float64/rows=%d/channels=%d/taps=%d", n, channels, 2*radius+1),
		Bytes: 16 * int64(n) * int64(channels), Ops: 3 * radius * float64(n) * float64(channels),
		Memory: 16 * int64(n) * int64(channels),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			elements, err := benchmark.Float64s.Fill(s, n*channels, 0)
			if err != nil {
				return nil, err
			}
			taps := recording.BandPass(0.01, 0.2, radius)
			x := matrix.Of(elements, n, channels)
			y := matrix.Uninitialized[float64](n, channels, s.Distribution())
			f := recording.NewFIR(taps, channels, s.Distribution())
			call := func() error { return f.ApplyTo(y, x) }
			check := func() error {
				if err := call(); err != nil {
					return err
				}
				return checkFiltered(y, taps)
			}
			return &benchmark.Case{Call: call, Check: check, Free: benchmark.Containers(f, x, y)}, nil
		},
	}
}

// checkFiltered compares some elements with a sum in a loop.
func checkFiltered(y *matrix.Matrix[float64], taps []float64) error {
	cols, radius := y.Cols(), len(taps)-1
	if y.Rows() <= 2*radius {
		return nil
	}
	for k := range 100 {
		i := radius + int(benchmark.Random(k)%uint64(y.Rows()-2*radius))
		j := k % cols
		want := 0.0
		for d := -radius; d <= radius; d++ {
			want += taps[max(d, -d)] * benchmark.Uniform[float64]((i+d)*cols+j, 0)
		}
		got, err := y.At(i, j)
		if err != nil {
			return err
		}
		if math.Abs(got-want) > 1e-12 {
			return fmt.Errorf("element (%d, %d) is %v, not %v", i, j, got, want)
		}
	}
	return nil
}

// detectRow returns the row of finding the spikes of a recording in the memory of the host.
func detectRow(s *benchmark.Suite) *benchmark.Row {
	const channels = 32
	n := s.Size(1<<26) / channels
	return &benchmark.Row{
		Name:   fmt.Sprintf("SpikesDetect/type=int16/rows=%d/channels=%d", n, channels),
		Bytes:  2 * int64(n) * channels,
		Memory: 60 * int64(n) * channels,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			const rate, units, firing = 30000, 8, 5
			all, err := simulate.New(simulate.Options{
				Spikes: max(units, n*units*firing/rate), Units: units, Channels: channels, Firing: firing, Seed: 1,
				Jitter: 1, Noise: 0.1, Common: 0.05,
			}, s.Distribution())
			if err != nil {
				return nil, err
			}
			times, err := all.Times()
			if err != nil {
				return nil, err
			}
			recorder := all.Recorder(-1000)
			block, err := recorder.Block(0, n)
			if err != nil {
				return nil, err
			}
			raw := devices.Bytes(block)
			find := func() (*recording.Spikes, error) {
				f, err := recording.NewFile(bytes.NewReader(raw), "memory", int64(len(raw)), recording.Int16, channels)
				if err != nil {
					return nil, err
				}
				return recording.Detect(s.Context, f, recording.Options{Rate: rate, Whiten: true}, s.Distribution())
			}
			return &benchmark.Case{
				Check: func() error {
					found, err := find()
					if err != nil {
						return err
					}
					if share := float64(len(found.Times)) / float64(len(times)); share < 0.9 || share > 1.02 {
						return fmt.Errorf("%d spikes were found, and there are %d", len(found.Times), len(times))
					}
					return nil
				},
				Sample: func() (time.Duration, error) {
					start := time.Now()
					_, err := find()
					return time.Since(start), err
				},
				Free: benchmark.Containers(recorder, all),
			}, nil
		},
	}
}
