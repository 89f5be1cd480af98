package input

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func pack(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// read gives what an input holds, or its error as people see it.
func read(name string, stdin io.Reader) (string, error) {
	f, err := Open(context.Background(), name, stdin, 1<<16)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := f.Text(); err != nil {
		return "", f.Wrap(err)
	}
	text, err := io.ReadAll(f)
	return string(text), f.Wrap(err)
}

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for text, packed := range map[string][]byte{
		"":       {},
		"abc":    []byte("abc"),
		"abc\n":  []byte("\xef\xbb\xbfabc\n"),
		"packed": pack("packed"),
		"twice":  append(pack("tw"), pack("ice")...),
		"marked": pack("\xef\xbb\xbfmarked"),
	} {
		os.WriteFile(name, packed, 0o666)
		if got, err := read(name, nil); got != text || err != nil {
			t.Errorf("file of %q: %q, %v", packed, got, err)
		}
		if got, err := read("-", bytes.NewReader(packed)); got != text || err != nil {
			t.Errorf("standard input of %q: %q, %v", packed, got, err)
		}
	}
}

func TestBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for want, text := range map[int64][]byte{5: []byte("12345"), 0: pack("12345")} {
		os.WriteFile(name, text, 0o666)
		f, err := Open(context.Background(), name, nil, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		if f.Bytes != want {
			t.Errorf("%q: %d bytes, want %d", text, f.Bytes, want)
		}
		f.Close()
	}
}

func TestErrors(t *testing.T) {
	whole := pack(strings.Repeat("some text, ", 1000) + time.Now().String())
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-8] ^= 1 // in the checksum
	for _, test := range []struct {
		what string
		text []byte
		want string
	}{
		{"cut in the header", whole[:6], "cut off"},
		{"cut in the middle", whole[:len(whole)/2],
			"cannot read standard input: the file is cut off: its gzip data end too early"},
		{"cut in the checksum", whole[:len(whole)-1], "cut off"},
		{"wrong checksum", wrong, "damaged"},
		{"text behind", append(bytes.Clone(whole), "text that is not packed"...), "is damaged"},
		{"no gzip", []byte("\x1f\x8b and other things"), "is damaged"},
	} {
		if _, err := read("-", bytes.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
	}
	dir := t.TempDir()
	if _, err := read(dir, nil); err == nil || err.Error() != "cannot read "+dir+": is a directory" {
		t.Errorf("folder: %v", err)
	}
	none := filepath.Join(dir, "none")
	if _, err := read(none, nil); !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), none) != 1 {
		t.Errorf("missing: %v", err)
	}
}

// TestCancelled reads from a pipe into which nobody writes.
func TestCancelled(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	f, err := Open(ctx, "-", r, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.ReadByte()
	if err := f.Wrap(err); err != context.DeadlineExceeded {
		t.Error(err)
	}
}
