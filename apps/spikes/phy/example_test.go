package phy_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/spikes/phy"
)

// written writes a folder of two spikes of a unit, and returns the text of a file.
func written(file string, change func(f *phy.Folder)) string {
	f := &phy.Folder{
		Recording: phy.Recording{Rate: 20000}, Samples: 2, Channels: 1,
		Times: []int64{100, 400}, Units: []int32{0, 0}, Amplitudes: []float64{1, 1},
		Templates: [][]float64{{0, -1}}, Features: []float32{0.5, 0.7}, FeatureComponents: 1,
		Table: []phy.Unit{{Size: 2, Amplitude: 1}},
	}
	change(f)
	dir, err := os.MkdirTemp("", "phy")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	var files output.Set
	defer files.Discard()
	if err := f.Write(&files, dir); err != nil {
		return err.Error()
	}
	if err := files.Commit(); err != nil {
		return err.Error()
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func ExampleFolder() {
	fmt.Println(written("cluster_group.tsv", func(*phy.Folder) {}))
	// Output:
	// cluster_id	group
	// 0	unsorted
}

// Without a recording, Phy shows the waveforms of some spikes.
func ExampleRecording() {
	fmt.Println(written("params.py", func(f *phy.Folder) {
		f.Recording = phy.Recording{File: "/data/raw.bin", Type: "int16", Channels: 4, Rate: 20000}
	}))
	// Output:
	// dat_path = "/data/raw.bin"
	// n_channels_dat = 4
	// dtype = 'int16'
	// offset = 0
	// sample_rate = 20000
	// hp_filtered = False
}

func ExampleUnit() {
	fmt.Println(written("cluster_KSLabel.tsv", func(f *phy.Folder) { f.Table[0].Good = true }))
	// Output:
	// cluster_id	KSLabel
	// 0	good
}

func ExampleMeasure() {
	fmt.Println(written("cluster_quality.tsv", func(f *phy.Folder) {
		f.Table[0].Measures = []phy.Measure{{Name: "snr", Value: 4.5}, {Name: "outliers", Value: 1}}
	}))
	// Output:
	// cluster_id	snr	outliers
	// 0	4.5	1
}
