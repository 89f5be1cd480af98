package input

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

var gzipMagic = []byte{0x1f, 0x8b}

// File is an open input.
type File struct {
	*bufio.Reader        // reads the content, decompressed
	Label         string // for messages: the file's name, or "standard input"
	Bytes         int64  // the size of the content; 0 if unknown, as for a pipe or compressed data
	ctx           context.Context
	close         func() error
}

// Open opens the file called name, or stdin if name is "-". The reader has a buffer of
// size bytes. Open decompresses gzip data, which it recognizes by the first bytes.
func Open(ctx context.Context, name string, stdin io.Reader, size int) (*File, error) {
	f := &File{Label: "standard input", ctx: ctx, close: func() error { return nil }}
	if name != "-" {
		f.Label = name
		file, err := os.Open(name)
		if err != nil {
			return nil, f.Wrap(err)
		}
		stdin, f.close = file, file.Close
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.Bytes = info.Size()
		}
	}
	f.Reader = bufio.NewReaderSize(cancellable{ctx, stdin}, size)
	if f.Starts(gzipMagic) {
		z, err := gzip.NewReader(f.Reader)
		if err != nil {
			_ = f.close() // the first error says more
			return nil, f.Wrap(err)
		}
		f.Reader, f.Bytes = bufio.NewReaderSize(z, size), 0
	}
	return f, nil
}

// Close closes the file. Standard input stays open.
func (f *File) Close() error { return f.close() }

// Starts reports whether the next bytes are magic, without consuming them.
func (f *File) Starts(magic []byte) bool {
	b, _ := f.Peek(len(magic))
	return bytes.Equal(b, magic)
}

// Errorf returns an error that starts with the file's name.
func (f *File) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", f.Label, fmt.Errorf(format, args...))
}

// Wrap returns an error that says which file could not be read and why. It returns
// errors that start with the file's name unchanged, and the context's error once the
// context is cancelled.
func (f *File) Wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case strings.HasPrefix(err.Error(), f.Label+":"):
		return err
	}
	if e := new(fs.PathError); errors.As(err, &e) {
		err = e.Err // the message already has the name
	}
	return fmt.Errorf("cannot read %s: %w", f.Label, plain(err))
}

// plain explains errors of compressed data.
func plain(err error) error {
	damaged := new(flate.CorruptInputError)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is cut off: its gzip data end too early (%w)", err)
	case errors.Is(err, gzip.ErrChecksum), errors.As(err, damaged):
		return fmt.Errorf("its gzip data are damaged (%w)", err)
	case errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("it starts like gzip data but is damaged (%w)", err)
	}
	return err
}

// cancellable is a reader that stops when its context is cancelled, even while the
// terminal or pipe that it reads sends nothing.
type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if f, ok := c.r.(*os.File); !ok || f != os.Stdin {
		if err := c.ctx.Err(); err != nil {
			return 0, err
		}
		return c.r.Read(p)
	}
	buf, done := make([]byte, len(p)), make(chan struct{})
	var got int
	var failed error
	go func() {
		got, failed = c.r.Read(buf) // not into p, which the caller may reuse by then
		close(done)
	}()
	select {
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	case <-done:
		return copy(p, buf[:got]), failed
	}
}
