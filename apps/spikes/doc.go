// Package spikes sorts the spikes of neurons: it divides waveforms, cut from an extracellular
// recording, into units, by a mixture of t distributions of their principal components
// [Shoham et al. 2003]. The heavy tails keep outliers, such as spikes that overlap, from
// changing the units, and a message-length criterion finds the number of units.
//
// Start with [Sort] in spikes.go, which does one step after the other:
//
//   - align.go moves waveforms so that their extremes are at the same sample.
//   - Package pca computes principal components, and package tmixture the mixture.
//   - sample.go picks the spikes to which the mixture is fitted. merge.go merges units, and
//     modes.go finds whether two have one mode.
//   - templates.go computes the mean waveforms of units, and how much of its unit's template a
//     spike has.
//   - goodness.go compares the distances of spikes from their units with the distribution that
//     they should have. beta.go has the distribution functions.
//   - quality.go and refractory.go compute how well units are isolated. units.go has what is
//     known of a unit.
//
// cmd.go, read.go and job.go are the command. folder.go writes the results, with package phy,
// and the files plot*.go draw them. Package simulate generates waveforms, and generate.go is
// its command.
//
// Computation is in float64, from waveforms of float32, and results are bit-identical on all
// devices and for any number of them.
//
// [Shoham et al. 2003]: https://doi.org/10.1016/S0165-0270(03)00120-1
package spikes
