package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Number is the type of a table's elements.
type Number interface{ float32 | float64 }

// Table is a rectangle of numbers.
type Table[T Number] struct {
	Rows, Cols int
	Data       []T      // row after row
	Names      []string // of the columns; nil when the file does not say
	Notes      []string // what a user should know about how it was read, such as a column left out
}

// Row is row i, sharing the table's memory.
func (t *Table[T]) Row(i int) []T { return t.Data[i*t.Cols : (i+1)*t.Cols] }

// Name is the name of column j, or "column 3".
func (t *Table[T]) Name(j int) string {
	if t.Names != nil && t.Names[j] != "" {
		return t.Names[j]
	}
	return fmt.Sprintf("column %d", j+1)
}

// Format is how a table is written in a file.
type Format string

// The formats. Auto looks at the file's content.
const (
	Auto    Format = "auto"
	CSV     Format = "csv"     // see the package's description
	NPY     Format = "npy"     // NumPy: numbers of any kind, rank 2, either order
	Rodinia Format = "rodinia" // an id, which is dropped, and numbers; blanks, tabs and commas between them
)

// Options say how to read. The zero value reads every column of a file in
// whichever format.
type Options struct {
	Format         Format
	Columns        []string  // names, numbers from 1 or ranges such as 2-5 of the columns to keep, in this order; all when empty
	Ignore         []string  // columns to leave out, likewise
	AllowNonFinite bool      // let NaN and infinities pass
	Advice         string    // what an error about them adds, such as the flag that lets them pass
	Stdin          io.Reader // what "-" means; os.Stdin when nil
	vector         bool      // a .npy may have rank 1
}

// nonFinite is the error about a number that is no number.
func (o Options) nonFinite(what string) error {
	if o.Advice != "" {
		what += " (" + o.Advice + ")"
	}
	return errors.New(what)
}

// Read reads the table in the file called name, or in o.Stdin when name is
// "-". Every error names the file, and the place when there is one.
func Read[T Number](ctx context.Context, name string, o Options) (*Table[T], error) {
	f, err := Open(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode[T](f)
}

// ReadVector reads a table of one column, or a .npy of rank 1.
func ReadVector[T Number](ctx context.Context, name string, o Options) ([]T, error) {
	o.vector = true
	t, err := Read[T](ctx, name, o)
	if err != nil {
		return nil, err
	}
	if t.Cols != 1 {
		return nil, fmt.Errorf("%s: %d columns where one is expected", name, t.Cols)
	}
	return t.Data, nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	npyMagic  = []byte("\x93NUMPY")
	utf8Mark  = []byte("\xef\xbb\xbf")
)

// File is an open table that has not been read yet.
type File struct {
	ctx     context.Context
	label   string
	options Options
	close   func() error
	r       *bufio.Reader // at the data
	npy     *npyHeader    // of a .npy
}

// Open opens a table, as Read does, and finds its format.
func Open(ctx context.Context, name string, o Options) (*File, error) {
	f := &File{ctx: ctx, label: "standard input", options: o, close: func() error { return nil }}
	in := o.Stdin
	if in == nil {
		in = os.Stdin
	}
	if name != "-" {
		f.label = name
		file, err := os.Open(name)
		if err != nil {
			return nil, f.wrap(err)
		}
		in, f.close = file, file.Close
	}
	f.r = bufio.NewReaderSize(cancelled{ctx, in}, 1<<18)
	if err := f.detect(); err != nil {
		_ = f.close() // what was found wrong says more
		return nil, f.wrap(err)
	}
	return f, nil
}

// detect finds the format and reads up to the data.
func (f *File) detect() error {
	if starts(f.r, gzipMagic) {
		z, err := gzip.NewReader(f.r)
		if err != nil {
			return err
		}
		f.r = bufio.NewReaderSize(z, 1<<18)
	}
	if _, err := f.r.Peek(1); err == io.EOF {
		return f.errorf("it is empty")
	} else if err != nil {
		return err
	}
	isNPY := starts(f.r, npyMagic)
	if f.options.Format == "" || f.options.Format == Auto {
		f.options.Format = CSV
		if isNPY || strings.EqualFold(filepath.Ext(f.label), ".npy") {
			f.options.Format = NPY
		}
	}
	switch f.options.Format {
	case NPY:
		return f.readHeader()
	case CSV, Rodinia:
		if isNPY {
			return f.errorf("it is a NumPy file, not %s", f.options.Format)
		}
		if starts(f.r, utf8Mark) {
			f.r.Discard(len(utf8Mark))
		}
		return nil
	}
	return f.errorf("unknown format %q; there are auto, csv, npy and rodinia", f.options.Format)
}

// Bits is 32 when the file says that its numbers are float32, as a .npy does,
// else 64.
func (f *File) Bits() int {
	if f.npy != nil && f.npy.size == 4 && f.npy.float {
		return 32
	}
	return 64
}

// Close closes the file. Standard input stays open.
func (f *File) Close() error { return f.close() }

// Decode reads the whole table.
func Decode[T Number](f *File) (t *Table[T], err error) {
	if f.npy != nil {
		t, err = readNPY[T](f)
	} else {
		t, err = readText[T](f)
	}
	return t, f.wrap(err)
}

// errorf makes an error about the file.
func (f *File) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", f.label, fmt.Errorf(format, args...))
}

// wrap gives the errors of the operating system the file's name, as the
// others have it, and cancellation its plain form.
func (f *File) wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case strings.HasPrefix(err.Error(), f.label+":"):
		return err
	}
	if e := new(fs.PathError); errors.As(err, &e) {
		err = e.Err // the name that it holds is in the message already
	}
	return fmt.Errorf("cannot read %s: %w", f.label, err)
}

func starts(r *bufio.Reader, magic []byte) bool {
	b, _ := r.Peek(len(magic))
	return bytes.Equal(b, magic)
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
