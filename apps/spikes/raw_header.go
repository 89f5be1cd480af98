package spikes

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	inputs "github.com/skelgo/skelgo/apps/internal/data/input" // input is a type of this package
	"github.com/skelgo/skelgo/apps/spikes/recording"
)

// recorderFormats are formats of recordings by their first bytes. Their headers have any length.
var recorderFormats = []struct{ magic, what string }{
	{"\x1f\x8b\x08", "it is compressed with gzip; unpack it first"},
	{"\x02\x27\x91\xc6", "it is a file of an Intan recorder (.rhd)"},
	{"\xac\x27\x91\xd6", "it is a file of an Intan recorder (.rhs)"},
	{"NEURALCD", "it is a Blackrock file (.ns1 to .ns6)"},
	{"NEURALSG", "it is a Blackrock file (.ns1 to .ns6)"},
	{"BRSMPGRP", "it is a Blackrock file (.ns1 to .ns6)"},
	{"######## Neuraly", "it is a Neuralynx file (.ncs)"},
	{"MCSSTRM ", "it is a file of Multi Channel Systems (.mcd)"},
	{"\xffBIOSEMI", "it is a BDF file"},
	{"0       ", "it is an EDF file"},
	{"RIFF", "it is a .wav or another RIFF file"},
}

// formatOf says what a file with a header is that begins with start, or returns "". A .npy is none, because its
// header is read.
func formatOf(start []byte) string {
	for _, f := range recorderFormats {
		if bytes.HasPrefix(start, []byte(f.magic)) {
			return f.what
		}
	}
	if bytes.HasPrefix(start, []byte("\x93NUMPY")) {
		return ""
	}
	what, _ := inputs.Kind(start)
	return what
}

// sampleTypes are the types of samples by their names in the header of a .npy.
var sampleTypes = map[string]recording.Type{
	"<i2": recording.Int16, "<u2": recording.Uint16, "<i4": recording.Int32, "<f4": recording.Float32,
	"<f8": recording.Float64,
}

// readHeader takes the type, the channels and the offset from the header of a .npy, whose bytes would
// otherwise be read as samples. It returns an error if the file is of another format with a header.
func (c *SortCommand) readHeader(f *os.File) error {
	if c.Offset != 0 {
		return nil // the user knows the header
	}
	start := make([]byte, 16)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("cannot read %s: %w", c.Raw, err)
	}
	if what := formatOf(start[:n]); what != "" {
		return fmt.Errorf("%s: %s; a recording is samples without a header, or a .npy. --offset says how long "+
			"the header of another format is", c.Raw, what)
	}
	h, err := data.ReadArrayHeader(f, c.Raw)
	if h == nil || err != nil {
		return err
	}
	t, known := sampleTypes[h.Type]
	switch {
	case !known:
		return fmt.Errorf("%s: its elements have type %q; they must be int16, uint16, int32, float32 or float64, "+
			"in little-endian order", c.Raw, h.Type)
	case h.Fortran || len(h.Shape) < 1 || len(h.Shape) > 2:
		order := "C"
		if h.Fortran {
			order = "Fortran"
		}
		return fmt.Errorf("%s: it has shape %v in %s order; it must have a row for each sample and a column for each "+
			"channel in C order (in NumPy: np.ascontiguousarray)", c.Raw, h.Shape, order)
	}
	channels, samples := 1, h.Shape[0]
	if len(h.Shape) == 2 {
		channels = h.Shape[1]
	}
	switch {
	case len(h.Shape) == 2 && samples < channels:
		return fmt.Errorf("%s: it has shape %v, more channels than samples; transpose it, because it must have a row "+
			"for each sample", c.Raw, h.Shape)
	case len(h.Shape) == 2 && c.Channels != 1 && c.Channels != channels:
		return fmt.Errorf("%s: it has %s, and --channels is %d", c.Raw, app.Count(channels, "channel"), c.Channels)
	case c.Dtype != string(recording.Int16) && c.Dtype != string(t):
		return fmt.Errorf("%s: it has samples of type %s, and --dtype is %s", c.Raw, t, c.Dtype)
	}
	if len(h.Shape) == 2 {
		c.Channels = channels
	}
	c.Dtype, c.Offset = string(t), h.Offset
	return nil
}
