// Package simulate generates spikes whose units are known: waveforms, the times of the spikes,
// the recording that contains them, and draws from mixtures of t distributions.
//
// The three shapes of spikes are those of M. Ibrahim, Cuda-basiertes maschinelles Lernen,
// Göttingen 2011, section 3.1: the thesis, in this package.
//
// Start with [New] in simulate.go, which places the spikes in time. shape.go has the three
// forms of a spike, units.go the parameters of units, and waveforms.go computes waveforms.
// recording.go adds the spikes to noise, whose spectrum noise.go determines. mixture.go draws
// from mixtures.
//
// Every random number is a function of the seed and an index (package rng), and everything
// is computed on the devices by functions of package math64. So the same options have the
// same result, bit for bit, on every device and for any number of them.
package simulate
