package input

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

func inUTF16(order binary.AppendByteOrder, text string) []byte {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// readText returns the text that stdin holds, read with a small buffer.
func readText(stdin io.Reader) (string, error) {
	f, err := Open(context.Background(), "-", stdin, 16)
	if err != nil {
		return "", err
	}
	if err := f.Text(); err != nil {
		return "", f.Wrap(err)
	}
	text, err := io.ReadAll(f)
	return string(text), f.Wrap(err)
}

func TestText(t *testing.T) {
	long := strings.Repeat("1.5,größe,\U0001f34e\n", 20)
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, ""},
		{"one letter", []byte("a"), "a"},
		{"UTF-8 with a mark", []byte("\xef\xbb\xbfabc\n"), "abc\n"},
		{"UTF-16, little-endian", inUTF16(binary.LittleEndian, long), long},
		{"UTF-16, big-endian", inUTF16(binary.BigEndian, long), long},
		{"only a mark", inUTF16(binary.LittleEndian, ""), ""},
		{"half a pair", append(inUTF16(binary.LittleEndian, "a"), 0x00, 0xd8), "a\ufffd"},
		{"carriage returns", []byte("1,2\r3,4\r" + strings.Repeat("5,6\r", 50)),
			"1,2\n3,4\n" + strings.Repeat("5,6\n", 50)},
		{"carriage returns in UTF-16", inUTF16(binary.BigEndian, "1,2\r3,4\r"), "1,2\n3,4\n"},
		{"one carriage return", []byte("1,2\r"), "1,2\n"},
		{"both", []byte("1,2\r\n3,4\r\n"), "1,2\r\n3,4\r\n"},
		{"both, and the buffer ends between them", []byte("123456789012345\r\n1\r\n"), "123456789012345\r\n1\r\n"},
	} {
		for _, r := range []io.Reader{bytes.NewReader(test.file), iotest.OneByteReader(bytes.NewReader(test.file))} {
			if got, err := readText(r); got != test.want || err != nil {
				t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
			}
		}
	}
}

func TestNotText(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"1\x00,\x002\x00",
			"standard input: its text seems to be in UTF-16 without a byte order mark; " +
				"convert it with: iconv -f UTF-16LE -t UTF-8"},
		{"\x001\x00,\x002", "iconv -f UTF-16BE -t UTF-8"},
		{"\xff\xfe\x00\x001\x00\x00\x00", "iconv -f UTF-32 -t UTF-8"},
		{"a\x00b", "it is not a text file: byte 2 is zero"},
		{"PK\x03\x04...", "it is a zip archive, such as an .xlsx or .npz file; save the table as .csv or .npy"},
		{"\xfd7zXZ\x00...", "xz -dc FILE | skelgo ... -"},
		{"BZh11AY&SY...", "bzip2 -dc FILE | skelgo ... -"},
		{"BZh91AY&SY...", "bzip2 -dc FILE | skelgo ... -"},
		{"PAR1\x15\x04", "it is a Parquet file; save the table as .csv or .npy"},
		{"MATLAB 5.0 MAT-file, ", "it is a MATLAB file; save the table as .csv or .npy"},
		{"RIFF\x24\x08\x00\x00WAVEfmt ", "it is a .wav file; save the samples as .csv or .npy"},
		{"fLaC\x00\x00\x00\x22", "it is a FLAC file; save the samples as .csv or .npy"},
		{"ARROW1\x00\x00", "it is an Arrow file; save the table as .csv or .npy"},
		{"SQLite format 3\x00", "it is an SQLite database; save the table as .csv or .npy"},
		{"\x93NUMPY\x01\x00", "it is a NumPy file; text is needed here"},
		{"\xff\xfe1\x00,", "standard input: its text in UTF-16 is cut off in the middle of a character"},
	} {
		if _, err := readText(strings.NewReader(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.file, err, test.want)
		}
	}
}

// The names of columns may begin as other kinds of files do.
func TestTextLikeOtherFiles(t *testing.T) {
	for _, text := range []string{"PAR1,PAR2\n1,2\n", "BZh_mean,BZh9\n1,2\n", "%PDF,x\n1,2\n", "RIFF,WAVE\n1,2\n",
		"RIFF\n1\n", "ARROW1,ARROW2\n1,2\n", "fLaC,x\n1,2\n", "MATLAB 5.0,x\n1,2\n"} {
		if _, err := readText(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
