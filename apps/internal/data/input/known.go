package input

import (
	"bytes"
	"strings"
)

// What to do with a file of another kind.
const (
	saveTable   = "save the table as .csv or .npy"
	saveSamples = "save the samples as .csv or .npy"
)

// known lists kinds of files by their first bytes. In magic, ? stands for any byte. Magic has bytes that no text
// has where it could begin as the name of a column does.
var known = []struct{ magic, what, advice string }{
	{"PK\x03\x04", "it is a zip archive, such as an .xlsx or .npz file", saveTable},
	{"\x89PNG", "it is a picture", ""},
	{"%PDF-", "it is a PDF document", ""},
	{"\x89HDF", "it is an HDF5 file", saveTable},
	{"PAR1\x15", "it is a Parquet file", saveTable},
	{"ARROW1\x00", "it is an Arrow file", saveTable},
	{"SQLite format 3\x00", "it is an SQLite database", saveTable},
	{"MATLAB 5.0 MAT-f", "it is a MATLAB file", saveTable},
	{"MATLAB 7.3 MAT-f", "it is a MATLAB file", saveTable},
	{"RIFF????WAVE", "it is a .wav file", saveSamples},
	{"RF64????WAVE", "it is a .wav file", saveSamples},
	{"fLaC\x00", "it is a FLAC file", saveSamples},
	{"\xfd7zXZ\x00", "it is compressed with xz", onlyGzip("xz")},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd", onlyGzip("zstd")},
	{"BZh?1AY&SY", "it is compressed with bzip2", onlyGzip("bzip2")},
	{"\x93NUMPY", "it is a NumPy file", "text is needed here"},
}

func onlyGzip(program string) string {
	return "only gzip is understood; use: " + program + " -dc FILE | skelgo ... -"
}

// Known says what a file is whose first bytes, 16 if it has as many, are start, if it is of a kind that
// holds no text, and what to do. Otherwise it returns "".
func Known(start []byte) string {
	what, advice := Kind(start)
	if advice != "" {
		what += "; " + advice
	}
	return what
}

// Kind returns the parts of what Known returns.
func Kind(start []byte) (what, advice string) {
	for _, k := range known {
		if begins(start, k.magic) {
			return k.what, k.advice
		}
	}
	return "", ""
}

// begins reports whether start begins with magic.
func begins(start []byte, magic string) bool {
	for {
		fixed, rest, wild := strings.Cut(magic, "?")
		if !bytes.HasPrefix(start, []byte(fixed)) {
			return false
		}
		if !wild {
			return true
		}
		if len(start) == len(fixed) {
			return false
		}
		start, magic = start[len(fixed)+1:], rest
	}
}
