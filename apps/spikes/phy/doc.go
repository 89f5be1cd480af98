// Package phy writes sorted spikes as a folder that Phy opens (phy template-gui params.py), and
// that SpikeInterface's extractors for Phy and KiloSort read. It also writes the files of
// KlustaKwik.
//
// Start with [Folder] in folder.go, which lists the files. tables.go writes the tables of
// units and params.py, subset.go the waveforms of some spikes, which Phy shows without a
// recording, and klusta.go the files of KlustaKwik. The formats are those of [phylib]'s
// TemplateModel; testdata/check.py checks a folder as it does.
//
// [phylib]: https://github.com/cortex-lab/phylib
package phy
