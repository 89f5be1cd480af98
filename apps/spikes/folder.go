package spikes

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/spikes/phy"
	"github.com/skelgo/skelgo/apps/tmixture"
)

// outputNames are the files that must not be inputs, and that must be writable.
var outputNames = []string{
	"spike_times.npy", "spike_clusters.npy", "spike_templates.npy", "amplitudes.npy", "templates.npy",
	"templates_ind.npy", "pc_features.npy", "pc_feature_ind.npy", "similar_templates.npy", "channel_map.npy",
	"channel_positions.npy", "whitening_mat.npy", "whitening_mat_inv.npy", "spike_distances.npy", "spike_weights.npy",
	"_phy_spikes_subset.spikes.npy", "_phy_spikes_subset.channels.npy", "_phy_spikes_subset.waveforms.npy",
	"cluster_group.tsv", "cluster_KSLabel.tsv", "cluster_quality.tsv", "cluster_info.tsv",
	"posterior.npy", "model.json", "params.py", "waveforms.fet.1", "waveforms.clu.1",
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.output == "" {
		return nil
	}
	pictures := j.draw()
	defer pictures.wait()
	r.Progress.Printf("writing")
	times := j.in.times
	if times == nil { // one waveform after the other, at its middle
		times = make([]int64, j.in.n)
		for i := range times {
			times[i] = int64(i)*int64(j.in.samples) + int64(j.in.samples/2)
		}
	}
	f := j.folder(times)
	if err := f.Check(); err != nil {
		return err
	}
	if err := f.Write(&r.Files, j.output); err != nil {
		return err
	}
	err := data.WriteArray(&r.Files, filepath.Join(j.output, "posterior.npy"), j.host.posteriors, j.in.n,
		len(j.result.Units))
	if err != nil {
		return err
	}
	if err := r.Files.Write(filepath.Join(j.output, "model.json"), j.saveModel); err != nil {
		return err
	}
	if j.NoKlusta {
		phy.RemoveKlusta(&r.Files, j.output, "waveforms")
	} else {
		err := phy.WriteKlusta(&r.Files, j.output, "waveforms", j.host.scores, j.result.Scores.Cols(), times,
			j.host.labels, len(j.result.Units),
			func(i int) bool { return j.host.distances[i] > j.result.Units[j.host.labels[i]].limit })
		if err != nil {
			return err
		}
	}
	return pictures.write(&r.Files, j.output)
}

// folder returns the result in the form that Phy reads.
func (j *job) folder(times []int64) *phy.Folder {
	r := j.result
	f := &phy.Folder{
		Recording: j.in.recording, Samples: r.Samples, Channels: r.Channels, Positions: j.in.positions,
		Whitening: j.in.whitening, WhiteningInverse: j.in.whiteningInverse,
		Times: times, Units: j.host.labels, Amplitudes: j.host.amplitudes,
		Features: j.host.features, FeatureComponents: r.FeatureComponents(),
		Attributes: map[string][]float64{"distances": j.host.distances, "weights": j.host.weights},
		Waveforms:  r.Waveforms.Row,
	}
	if f.Recording.File != "" {
		f.Waveforms = nil // Phy cuts them out of the recording
	}
	for k := range r.Units {
		u := &r.Units[k]
		f.Templates = append(f.Templates, u.Template)
		f.Table = append(f.Table, phy.Unit{
			Size: u.Size, Channel: u.Channel, Amplitude: u.Amplitude, Good: u.Good(),
			Measures: []phy.Measure{
				{Name: "df", Value: u.DF}, {Name: "snr", Value: float64(u.SNR)}, {Name: "ks", Value: float64(u.KS)},
				{Name: "outliers", Value: float64(u.Outliers)},
				{Name: "false_positives", Value: float64(u.FalsePositives)},
				{Name: "false_negatives", Value: float64(u.FalseNegatives)},
				{Name: "l_ratio", Value: float64(u.LRatio)}, {Name: "isolation", Value: float64(u.Isolation)},
				{Name: "violations", Value: float64(u.violations())},
				{Name: "contamination", Value: float64(u.Contamination)},
			},
		})
	}
	return f
}

// violations returns NaN if times are unknown.
func (u *Unit) violations() measure {
	if u.Violations < 0 {
		return unknown
	}
	return measure(u.Violations)
}

// saved is model.json.
type saved struct {
	Name       string          `json:"name"`
	Samples    int             `json:"samples"`
	Channels   int             `json:"channels"`
	Rate       float64         `json:"rate"`
	Align      Align           `json:"align"`
	Components *pca.Model      `json:"components"`
	Mixture    *tmixture.Model `json:"mixture"`
	Units      []Unit          `json:"units"`
}

func (j *job) saveModel(w io.Writer) error {
	r := j.result
	return json.NewEncoder(w).Encode(saved{
		Name: j.in.name, Samples: r.Samples, Channels: r.Channels, Rate: j.in.rate, Align: j.options.Align,
		Components: r.Components, Mixture: r.Model, Units: r.Units,
	})
}
