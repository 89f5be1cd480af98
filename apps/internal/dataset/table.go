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
	Columns        []string // names, numbers from 1 or ranges such as 2-5 of the columns to keep, in this order; all when empty
	Ignore         []string // columns to leave out, likewise
	AllowNonFinite bool     // let NaN and infinities pass
	Stdin          io.Reader
	vector         bool // a .npy may have rank 1
}

// Read reads the table in the file called name, or in o.Stdin when name is
// "-". Every error names the file, and the place when there is one.
func Read[T Number](ctx context.Context, name string, o Options) (*Table[T], error) {
	var r io.Reader = o.Stdin
	label := "standard input"
	if name != "-" {
		label = name
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, plain(err))
		}
		defer f.Close()
		r = f
	}
	t, err := read[T](label, bufio.NewReaderSize(cancelled{ctx, r}, 1<<18), o)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !strings.HasPrefix(err.Error(), label+":"):
		return nil, fmt.Errorf("cannot read %s: %w", label, plain(err))
	}
	return t, err
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

func read[T Number](label string, r *bufio.Reader, o Options) (*Table[T], error) {
	if starts(r, gzipMagic) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(z, 1<<18)
	}
	format := o.Format
	if format == "" || format == Auto {
		format = CSV
		if starts(r, npyMagic) || strings.EqualFold(filepath.Ext(label), ".npy") {
			format = NPY
		}
	}
	if _, err := r.Peek(1); err == io.EOF {
		return nil, fmt.Errorf("%s: it is empty", label)
	}
	switch format {
	case NPY:
		return readNPY[T](label, r, o)
	case CSV, Rodinia:
		if starts(r, npyMagic) {
			return nil, fmt.Errorf("%s: it is a NumPy file, not %s", label, format)
		}
		if starts(r, utf8Mark) {
			r.Discard(len(utf8Mark))
		}
		return readText[T](label, r, format, o)
	}
	return nil, fmt.Errorf("%s: unknown format %q; there are auto, csv, npy and rodinia", label, format)
}

func starts(r *bufio.Reader, magic []byte) bool {
	b, _ := r.Peek(len(magic))
	return bytes.Equal(b, magic)
}

// cancelled is a reader that stops when its context does.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// plain drops the file name, which the message already has, from an error.
func plain(err error) error {
	if e := new(fs.PathError); errors.As(err, &e) {
		return e.Err
	}
	return err
}
