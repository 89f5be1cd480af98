package spikes

import (
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Unit is a unit, which is a neuron if the sorting is right, with measures of how right it
// is. Measures that are unknown are NaN.
type Unit struct {
	Size   int     `json:"size"` // the number of spikes
	Weight float64 `json:"weight"`
	DF     float64 `json:"df"`

	Template  []float64 `json:"-"` // the mean waveform, samples of channels
	Deviation []float64 `json:"-"` // its standard deviation
	Channel   int       `json:"channel"`
	Amplitude float64   `json:"amplitude"` // of the template on that channel, from peak to peak
	SNR       measure   `json:"snr"`       // Amplitude over twice the mean deviation on that channel

	// KS is the largest distance between the distribution of δ/(δ+ν) and the beta
	// distribution that it has if the model is right.
	KS       measure `json:"ks"`
	Outliers int     `json:"outliers"` // spikes at improbable distances
	limit    float64 // the distance beyond which spikes are outliers

	// FalsePositives is the expected part of the unit's spikes that belong to others, and
	// FalseNegatives the expected number of its spikes that are in others, per spike.
	FalsePositives measure `json:"false_positives"`
	FalseNegatives measure `json:"false_negatives"`
	LRatio         measure `json:"l_ratio"`
	Isolation      measure `json:"isolation"` // the isolation distance

	Violations    int     `json:"violations"` // of the refractory period; -1 if times are unknown
	Contamination measure `json:"contamination"`

	quantiles [][2]float64 // of δ/(δ+ν): expected and found
}

// Good reports whether the unit has a template above the noise, and few of its spikes seem to be
// wrong or missing.
func (u *Unit) Good() bool {
	return u.Size > 0 && !(u.SNR < 1) && u.FalsePositives <= 0.1 && u.FalseNegatives <= 0.1 && !(u.LRatio > 0.1) &&
		float64(u.Violations) <= 0.01*float64(u.Size)
}

// measure is a number that may be unknown, NaN, which is null in JSON.
type measure float64

var unknown = measure(math.NaN())

// MarshalJSON implements json.Marshaler.
func (m measure) MarshalJSON() ([]byte, error) { return app.Number(m).MarshalJSON() }

// ratio returns a/b, which is unknown if b is 0.
func ratio(a, b float64) measure {
	if b == 0 {
		return unknown
	}
	return measure(a / b)
}
