package recording_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// record returns a recording of a few spikes, and their times.
func record(o simulate.Options) (samples []int16, times []int, err error) {
	s, err := simulate.New(o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Free()
	if times, err = s.Times(); err != nil {
		return nil, nil, err
	}
	r := s.Recorder(-1000)
	defer r.Free()
	samples, err = r.Block(0, s.Duration)
	return samples, append([]int(nil), times...), err
}

// open returns a recording in memory.
func open(samples []int16, channels int) (*recording.File, error) {
	raw := devices.Bytes(samples)
	return recording.NewFile(bytes.NewReader(raw), "memory", int64(len(raw)), recording.Int16, channels)
}

// All of ten spikes are found.
func ExampleSpikes() {
	samples, times, err := record(simulate.Options{Spikes: 10, Units: 2, Noise: 0.03, Channels: 2, Seed: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := open(samples, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := recording.Detect(context.Background(), f, recording.Options{Rate: 30000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("true ", times)
	fmt.Println("found", s.Times)
	fmt.Println("on   ", s.Channels)
	fmt.Println(len(s.Waveforms), "numbers in waveforms of", s.Samples, "samples")
	// Output:
	// true  [1618 2671 9447 11215 12637 12946 13134 13603 14323 14400]
	// found [1618 2670 9447 11216 12637 12945 13135 13605 14325 14399]
	// on    [1 0 0 1 0 0 1 1 1 0]
	// 1280 numbers in waveforms of 64 samples
}

// The only spike is found in noise that the channels have in common, which whitening removes.
func ExampleOptions() {
	samples, _, err := record(simulate.Options{
		Spikes: 1, Units: 1, Noise: 0.1, Firing: 1, Channels: 3, Common: 0.2, Seed: 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := open(samples, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := recording.Detect(context.Background(), f, recording.Options{
		Rate: 30000, Low: 500, High: 5000, Whiten: true, Threshold: 5.5, Sign: recording.Negative,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(s.Times), "spike")
	fmt.Printf("noise %.2f\n", s.Levels)
	// Output:
	// 1 spike
	// noise [1.01 1.00 1.01]
}

// The number of channels must fit.
func ExampleFile() {
	_, err := open(make([]int16, 7), 2)
	fmt.Println(strings.Replace(err.Error(), ";", ";\n", 1))
	// Output:
	// memory: 14 bytes are not rows of 4 bytes (channels: 2, type: int16);
	//  check the number of channels and the type
}

func ExampleType() {
	raw := make([]byte, 80)
	f, err := recording.NewFile(bytes.NewReader(raw), "memory", 80, recording.Float32, 4)
	fmt.Println(f.Rows, f.Channels, err)
	// Output: 5 4 <nil>
}

func ExampleBadSampleError() {
	fmt.Println(&recording.BadSampleError{Name: "run1.bin", Row: 12, Channel: 3})
	// Output: run1.bin: row 12, channel 3: 0 is not a finite number; is the type of the samples right?
}

// A spike is found where it is negative; the filter makes its neighbours positive.
func ExampleSign() {
	samples := make([]int16, 3000)
	for i := range samples {
		samples[i] = int16(i * i % 7)
	}
	samples[1500] = -1000
	f, err := open(samples, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := recording.Detect(context.Background(), f, recording.Options{
		Rate: 30000, Sign: recording.Negative, Refractory: 0.003,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Times)
	// Output: [1500]
}

// A filter smooths a column.
func ExampleFIR() {
	f := recording.NewFIR([]float64{0.4, 0.2, 0.1, 0, 0}, 1)
	defer f.Free()
	x := matrix.From(11, 1, []float64{0, 0, 0, 0, 10, 10, 0, 0, 0, 0, 0})
	defer x.Free()
	y := f.Apply(x)
	defer y.Free()
	s, err := y.Host()
	fmt.Println(s[f.Radius():len(s)-f.Radius()], err)
	// Output: [6 6 3] <nil>
}
