package phy

import "fmt"

// subsetSize is the number of spikes of each unit whose waveforms are written.
const subsetSize = 250

// subset writes the waveforms of some spikes of each of g units, at equal distances. Phy shows
// these instead of the recording. Where there is a recording, it removes those of an earlier result,
// which are not of the same spikes.
func (f *Folder) subset(w *writer, g int) {
	if f.Waveforms == nil {
		for _, name := range []string{"spikes", "channels", "waveforms"} {
			w.files.Remove(w.name("_phy_spikes_subset." + name + ".npy"))
		}
		return
	}
	if w.err != nil {
		return
	}
	sizes, seen := make([]int, g), make([]int, g)
	for _, u := range f.Units {
		sizes[u]++
	}
	// phylib removes dimensions of length 1, so there is always a second channel; -1 means that
	// it is none.
	cols := max(2, f.Channels)
	var spikes []int64
	var waveforms []float32
	var channels []int32
	for i, u := range f.Units {
		k := seen[u]
		seen[u]++
		if size := sizes[u]; size > subsetSize && (k+1)*subsetSize/size == k*subsetSize/size {
			continue
		}
		spikes = append(spikes, int64(i))
		x, err := f.Waveforms(i)
		if err != nil {
			w.err = err
			return
		}
		if len(x) != f.Samples*f.Channels {
			w.err = fmt.Errorf("phy: waveform %d has %d numbers, not %d", i, len(x), f.Samples*f.Channels)
			return
		}
		for t := range f.Samples {
			waveforms = append(waveforms, x[t*f.Channels:(t+1)*f.Channels]...)
			for c := f.Channels; c < cols; c++ {
				waveforms = append(waveforms, 0)
			}
		}
		for c := range cols {
			if c >= f.Channels {
				c = -1
			}
			channels = append(channels, int32(c))
		}
	}
	array(w, "_phy_spikes_subset.spikes", spikes, len(spikes))
	array(w, "_phy_spikes_subset.channels", channels, len(spikes), cols)
	array(w, "_phy_spikes_subset.waveforms", waveforms, len(spikes), f.Samples, cols)
}
