// Package recording finds spikes in an extracellular recording, in which all channels are
// sampled at the same times: a band-pass filter, a common reference, whitening, detection by
// a threshold, and waveforms cut out around the spikes.
//
// Start with [Detect] in detect.go. fir.go has the filter, noise.go estimates the noise,
// signal.go whitens and finds peaks, waveforms.go cuts waveforms out, and reader.go reads parts
// of a file.
//
// A recording may be larger than the memory of a device: blocks of it are processed one after
// the other. They overlap such that the result does not depend on their length. It is
// bit-identical on all devices and for any number of them, too.
package recording
