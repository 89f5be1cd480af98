package spikes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/data"
)

// headerOf returns the command after it has read the header of a file.
func headerOf(t *testing.T, name string, c SortCommand) (*SortCommand, error) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c.Raw = name
	return &c, c.readHeader(f)
}

// TestRawHeader checks that the header of a .npy is not read as samples: every spike would be late.
func TestRawHeader(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.npy")
	put := func(shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		if err := data.WriteArray(nil, name, make([]float32, n), shape...); err != nil {
			t.Fatal(err)
		}
	}
	usual := SortCommand{rawOptions: rawOptions{Channels: 1, Dtype: "int16"}}
	for _, shape := range [][]int{{100}, {100, 1}, {100, 4}} {
		put(shape...)
		c, err := headerOf(t, name, usual)
		info, _ := os.Stat(name)
		channels := 1
		if len(shape) == 2 {
			channels = shape[1]
		}
		if err != nil || c.Channels != channels || c.Dtype != "float32" || c.Offset != info.Size()-int64(400*channels) {
			t.Errorf("shape %v: %d channels of %s at %d, %v", shape, c.Channels, c.Dtype, c.Offset, err)
		}
	}
	with := func(channels int, dtype string, offset int64) SortCommand {
		return SortCommand{rawOptions: rawOptions{Channels: channels, Dtype: dtype, Offset: offset}}
	}
	if c, err := headerOf(t, name, with(4, "int16", 128)); err != nil || c.Offset != 128 || c.Dtype != "int16" {
		t.Errorf("with an offset: %+v, %v", c, err)
	}
	for _, test := range []struct {
		shape []int
		c     SortCommand
		want  string
	}{
		{[]int{100, 4}, with(3, "int16", 0), "it has 4 channels, and --channels is 3"},
		{[]int{100, 4}, with(1, "float64", 0), "it has samples of type float32, and --dtype is float64"},
		{[]int{4, 100}, usual, "more channels than samples"},
		{[]int{5, 5, 5}, usual, "it must have a row for each sample"},
	} {
		put(test.shape...)
		if _, err := headerOf(t, name, test.c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("shape %v: %v, want %s", test.shape, err, test.want)
		}
	}
	for start, want := range map[string]string{
		"\x93NUMPY\x01\x00\x80\x00{'descr': '>i2', 'fortran_order': False, 'shape': (100, 2), }": `type ">i2"`,
		"\x93NUMPY\x01\x00\x80\x00{'descr': '<i2', 'fortran_order': True, 'shape': (100, 2), }":  "Fortran order",
		"\x93NUMPY\x01\x00\x80":    "unreadable .npy header",
		"RIFF1234WAVE":             "a .wav",
		"RF64\xff\xff\xff\xffWAVE": "a .wav",
		"\x1f\x8b\x08\x00":         "gzip",
		"\x89HDF\r\n":              "HDF5",
		"PK\x03\x04":               "zip archive",
		"\xfd7zXZ\x00":             "compressed with xz; a recording is",
		"\x28\xb5\x2f\xfd":         "compressed with zstd; a recording is",
		"BZh91AY&SY":               "compressed with bzip2; a recording is",
		"MATLAB 5.0 MAT-file,":     "MATLAB",
		"fLaC\x00\x00\x00\x22":     "FLAC",
		"\x02\x27\x91\xc6":         "Intan",
		"NEURALCD\x02\x03":         "Blackrock",
		"######## Neuralynx D":     "Neuralynx",
		"\xffBIOSEMI":              "BDF",
	} {
		text := start
		if strings.Contains(start, "descr") {
			text = fmt.Sprintf("%-137s\n", start)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := headerOf(t, name, usual); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", start, err, want)
		}
	}
}
