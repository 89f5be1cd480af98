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
	*bufio.Reader        // of what the file holds, unpacked
	Label         string // for messages: the file's name, or "standard input"
	Bytes         int64  // how many will come; 0 when not known, as of a pipe or of packed data
	ctx           context.Context
	close         func() error
}

// Open opens the file called name, or stdin when name is "-". The buffer of
// the reader holds size bytes. Data that start as gzip does are unpacked.
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
	f.Reader = bufio.NewReaderSize(cancelled{ctx, stdin}, size)
	if f.Starts(gzipMagic) {
		z, err := gzip.NewReader(f.Reader)
		if err != nil {
			_ = f.close() // what was found wrong says more
			return nil, f.Wrap(err)
		}
		f.Reader, f.Bytes = bufio.NewReaderSize(z, size), 0
	}
	return f, nil
}

// Close closes the file. Standard input stays open.
func (f *File) Close() error { return f.close() }

// Starts reports whether the next bytes are these. It takes none.
func (f *File) Starts(magic []byte) bool {
	b, _ := f.Peek(len(magic))
	return bytes.Equal(b, magic)
}

// Errorf makes an error about the file.
func (f *File) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", f.Label, fmt.Errorf(format, args...))
}

// Wrap makes an error that says what could not be read and why. Errors that
// start with the file's name stay as they are, and after the context has
// ended every error is the context's.
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
		err = e.Err // the name that it holds is in the message already
	}
	return fmt.Errorf("cannot read %s: %w", f.Label, plain(err))
}

// plain says what is the matter with packed data.
func plain(err error) error {
	damaged := new(flate.CorruptInputError)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is cut off: its gzip data end too early (%w)", err)
	case errors.Is(err, gzip.ErrChecksum), errors.As(err, damaged):
		return fmt.Errorf("its gzip data are damaged (%w)", err)
	case errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("it starts as gzip data do, but then they break off (%w)", err)
	}
	return err
}

// cancelled is a reader that stops when its context does, even while nothing
// comes from the terminal or pipe that it reads.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
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
		got, failed = c.r.Read(buf) // not p, n and err: they may be gone by then
		close(done)
	}()
	select {
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	case <-done:
		return copy(p, buf[:got]), failed
	}
}
