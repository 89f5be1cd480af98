package phy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/spikes/phy"
)

// python returns a Python with NumPy.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	t.Skip("no python3 with NumPy here, so the folder is not checked")
	return ""
}

// random returns a folder of n spikes of g units.
func random(n, g, samples, channels, components int) *phy.Folder {
	r := rand.New(rand.NewPCG(uint64(n), uint64(g)))
	f := &phy.Folder{
		Recording: phy.Recording{Rate: 30000, Filtered: true},
		Samples:   samples, Channels: channels, FeatureComponents: components,
		Attributes: map[string][]float64{"weights": make([]float64, n)},
		Waveforms: func(i int) ([]float32, error) {
			x := make([]float32, samples*channels)
			x[0] = float32(i)
			return x, nil
		},
	}
	at := int64(0)
	sizes := make([]int, g)
	for i := range n {
		at += r.Int64N(100)
		unit := r.IntN(g)
		if i < g {
			unit = i
		}
		sizes[unit]++
		f.Times, f.Units = append(f.Times, at), append(f.Units, int32(unit))
		f.Amplitudes = append(f.Amplitudes, r.NormFloat64())
		for range components * channels {
			f.Features = append(f.Features, float32(r.NormFloat64()))
		}
	}
	for j := range g {
		template := make([]float64, samples*channels)
		for i := range template {
			template[i] = r.NormFloat64()
		}
		f.Templates = append(f.Templates, template)
		f.Table = append(f.Table, phy.Unit{
			Size: sizes[j], Channel: j % channels, Amplitude: 2, Good: j == 0,
			Measures: []phy.Measure{{Name: "snr", Value: 1.5}, {Name: "isolation", Value: math.NaN()}},
		})
	}
	return f
}

// TestFolder checks folders with Python, also with dimensions of length 1, which phylib removes.
func TestFolder(t *testing.T) {
	interpreter := python(t)
	for _, test := range []struct{ n, g, samples, channels, components int }{
		{1000, 3, 32, 1, 5}, {1000, 3, 32, 4, 3}, {50, 1, 16, 1, 1}, {50, 1, 16, 3, 2}, {40, 2, 8, 2, 1},
		{3000, 2, 8, 1, 1},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			f := random(test.n, test.g, test.samples, test.channels, test.components)
			if test.channels == 4 {
				f.Positions = [][2]float64{{0, 0}, {0, 20}, {20, 0}, {20, 20}}
				f.Recording.File, f.Recording.Channels = "it's \"raw\" µV.bin", 8
				f.ChannelMap = []int32{7, 0, 3, 2}
			}
			dir := write(t, f, test.components)
			out, err := exec.Command(interpreter, filepath.Join("testdata", "check.py"), dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			want := fmt.Sprintf("%d spikes, %d templates of %d samples and %d channels\n", test.n, max(2, test.g),
				test.samples, test.channels)
			if string(out) != want {
				t.Errorf("%s, want %s", out, want)
			}
		})
	}
}

// write writes a folder, with the files of KlustaKwik, and returns its name.
func write(t *testing.T, f *phy.Folder, components int) string {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	var files output.Set
	defer files.Discard()
	dir := filepath.Join(t.TempDir(), "folder")
	if err := files.Mkdir(dir); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&files, dir); err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, len(f.Times)*components)
	for i := range scores {
		scores[i] = math.Sin(float64(i))
	}
	err := phy.WriteKlusta(&files, dir, "waveforms", scores, components, f.Times, f.Units, len(f.Templates),
		func(i int) bool { return i%7 == 0 })
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Commit(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCheck(t *testing.T) {
	for want, damage := range map[string]func(f *phy.Folder){
		"is of unit 3 of 3":    func(f *phy.Folder) { f.Units[4] = 3 },
		"is before spike":      func(f *phy.Folder) { f.Times[4] = -1 },
		"amplitudes of 10":     func(f *phy.Folder) { f.Amplitudes = f.Amplitudes[1:] },
		"template 1 has 1 num": func(f *phy.Folder) { f.Templates[1] = f.Templates[1][:1] },
	} {
		f := random(10, 3, 4, 2, 2)
		damage(f)
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
