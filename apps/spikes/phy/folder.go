package phy

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
)

// Recording is where the waveforms come from, for params.py.
type Recording struct {
	File     string // the raw file; "" if there is none
	Type     string // of its numbers, as NumPy names them: int16
	Offset   int    // bytes before the first number
	Channels int    // in the file
	Rate     float64
	Filtered bool // the numbers are high-pass filtered
}

// Folder is a sorting of n spikes into g units.
type Folder struct {
	Recording Recording

	Samples, Channels int          // of a waveform
	ChannelMap        []int32      // the channels' numbers in the recording; nil means 0, 1, ...
	Positions         [][2]float64 // of the channels; nil means a line, with 20 micrometres between channels
	Whitening         []float64    // channels x channels; nil means that nothing is whitened
	WhiteningInverse  []float64

	Times      []int64   // in samples, ascending
	Units      []int32   // of the spikes
	Amplitudes []float64 // factors of templates

	// Templates has a row of samples x channels for each unit.
	Templates [][]float64
	// Features are n x FeatureComponents x channels.
	Features          []float32
	FeatureComponents int
	// Attributes are more numbers for each spike, by name. Phy shows them as spike attributes.
	Attributes map[string][]float64

	// Waveforms returns the waveform of a spike, samples x channels.
	Waveforms func(spike int) ([]float32, error)

	Table []Unit // the tables of units
}

// micrometres between channels without positions.
const pitch = 20

// Write adds all files to a set of files.
func (f *Folder) Write(files *output.Set, dir string) error {
	w := writer{files: files, dir: dir, f: f}
	n, g := len(f.Times), len(f.Templates)
	array(&w, "spike_times", f.Times, n)
	array(&w, "spike_clusters", f.Units, n)
	array(&w, "spike_templates", f.Units, n)
	array(&w, "amplitudes", f.Amplitudes, n)
	features, components := f.paddedFeatures()
	array(&w, "pc_features", features, n, components, f.Channels)
	for name, values := range f.Attributes {
		array(&w, "spike_"+name, values, n)
	}
	templates := f.paddedTemplates()
	t := len(templates)
	var elements []float32
	for _, row := range templates {
		for _, v := range row {
			elements = append(elements, float32(v))
		}
	}
	array(&w, "templates", elements, t, f.Samples, f.Channels)
	var channels []int32
	for range t {
		for c := range f.Channels {
			channels = append(channels, int32(c))
		}
	}
	array(&w, "templates_ind", channels, t, f.Channels)
	array(&w, "pc_feature_ind", channels, t, f.Channels)
	array(&w, "similar_templates", similarities(templates), t, t)
	f.channels(&w)
	f.subset(&w, g)
	f.tables(&w)
	f.params(&w)
	return w.err
}

// writer writes files until one fails.
type writer struct {
	files *output.Set
	dir   string
	f     *Folder
	err   error
}

func (w *writer) name(file string) string { return filepath.Join(w.dir, file) }

// array writes a .npy.
func array[T data.Element](w *writer, name string, elements []T, shape ...int) {
	if w.err == nil {
		w.err = data.WriteArray(w.files, w.name(name+".npy"), elements, shape...)
	}
}

// paddedTemplates returns the templates, and a second one of zeros if there is only one:
// phylib removes dimensions of length 1, and then takes samples for templates.
func (f *Folder) paddedTemplates() [][]float64 {
	if len(f.Templates) > 1 {
		return f.Templates
	}
	return append(append([][]float64(nil), f.Templates...), make([]float64, f.Samples*f.Channels))
}

// paddedFeatures returns the features, and a second component of zeros if there is only one, for
// the same reason.
func (f *Folder) paddedFeatures() (features []float32, components int) {
	if f.FeatureComponents > 1 {
		return f.Features, f.FeatureComponents
	}
	zeros := make([]float32, f.Channels)
	for ; len(features) < 2*len(f.Features); features = append(features, zeros...) {
		at := len(features) / 2
		features = append(features, f.Features[at:at+f.Channels]...)
	}
	return features, 2
}

// channels writes what is known of the channels.
func (f *Folder) channels(w *writer) {
	c := f.Channels
	numbers := f.ChannelMap
	for len(numbers) < c {
		numbers = append(numbers, int32(len(numbers)))
	}
	array(w, "channel_map", numbers, c)
	var positions []float64
	for i := range c {
		at := [2]float64{0, pitch * float64(i)}
		if f.Positions != nil {
			at = f.Positions[i]
		}
		positions = append(positions, at[0], at[1])
	}
	array(w, "channel_positions", positions, c, 2)
	whitening, inverse := f.Whitening, f.WhiteningInverse
	if whitening == nil {
		whitening = make([]float64, c*c)
		for i := range c {
			whitening[i*c+i] = 1
		}
		inverse = whitening
	}
	array(w, "whitening_mat", whitening, c, c)
	array(w, "whitening_mat_inv", inverse, c, c)
}

// similarities returns the cosines of the angles between templates.
func similarities(templates [][]float64) []float32 {
	dot := func(a, b []float64) (sum float64) {
		for i, v := range a {
			sum += v * b[i]
		}
		return sum
	}
	var all []float32
	for _, a := range templates {
		for _, b := range templates {
			s := 0.0
			if d := dot(a, a) * dot(b, b); d > 0 {
				s = dot(a, b) / math.Sqrt(d)
			}
			all = append(all, float32(s))
		}
	}
	return all
}

// Check returns an error if parts of the folder do not fit together.
func (f *Folder) Check() error {
	n, size := len(f.Times), f.Samples*f.Channels
	for what, got := range map[string]int{
		"units": len(f.Units), "amplitudes": len(f.Amplitudes),
		"features": len(f.Features) / max(1, f.FeatureComponents*f.Channels),
	} {
		if got != n {
			return fmt.Errorf("phy: %d %s of %d spikes", got, what, n)
		}
	}
	for j, t := range f.Templates {
		if len(t) != size {
			return fmt.Errorf("phy: template %d has %d numbers, not %d", j, len(t), size)
		}
	}
	for i, u := range f.Units {
		if u < 0 || int(u) >= len(f.Templates) {
			return fmt.Errorf("phy: spike %d is of unit %d of %d", i, u, len(f.Templates))
		}
	}
	for i := 1; i < n; i++ {
		if f.Times[i] < f.Times[i-1] {
			return fmt.Errorf("phy: spike %d is before spike %d", i, i-1)
		}
	}
	return nil
}
