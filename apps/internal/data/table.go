package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// Number is the type of a table's elements.
type Number interface{ float32 | float64 }

// Table is a rectangle of numbers.
type Table[T Number] struct {
	Rows, Cols int
	Data       []T      // row after row
	Names      []string // of the columns; nil if the file has none
	Kept       []int    // the positions of the columns in the file, from 0; nil if it has no others
	Notes      []string // messages for the user about the reading, such as a column that was left out
}

// Row returns row i, which shares the table's memory.
func (t *Table[T]) Row(i int) []T { return t.Data[i*t.Cols : (i+1)*t.Cols] }

// Column returns the position of column j in the file, from 0.
func (t *Table[T]) Column(j int) int {
	if t.Kept != nil {
		return t.Kept[j]
	}
	return j
}

// Name returns the name of column j, or for example "column 3" if it has none.
func (t *Table[T]) Name(j int) string {
	if t.Names != nil && t.Names[j] != "" {
		return t.Names[j]
	}
	return fmt.Sprintf("column %d", t.Column(j)+1)
}

// Format is a file format for tables.
type Format string

// The formats. Auto means that the file's content decides.
const (
	Auto    Format = "auto"
	CSV     Format = "csv"     // see the package's description
	NPY     Format = "npy"     // NumPy: numbers of any kind, rank 2, either order
	Rodinia Format = "rodinia" // an id, which is dropped, and numbers; blanks, tabs and commas between them
)

// Options are options for reading. The zero value reads all columns of a file of any
// format.
type Options struct {
	Format Format
	// Columns are the columns to keep, in this order: names, numbers from 1, or
	// ranges such as 2-5. All are kept if it is empty. Ignore are columns to
	// leave out, likewise.
	Columns, Ignore []string
	AllowNonFinite  bool      // accept NaN and infinities
	Advice          string    // is added to an error about them, such as the flag that accepts them
	Stdin           io.Reader // is read for the name "-"; nil means os.Stdin

	vector bool // a .npy may have rank 1
}

// nonFinite returns the error about a number that is NaN or infinite.
func (o Options) nonFinite(what string) error {
	if o.Advice != "" {
		what += "; " + o.Advice
	}
	return errors.New(what)
}

// Read reads the table in the file called name, or in o.Stdin if name is "-". Errors
// contain the name of the file and the position, if there is one.
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
		return nil, fmt.Errorf("%s: the number of columns is %d; it must be 1", name, t.Cols)
	}
	return t.Data, nil
}

var npyMagic = []byte("\x93NUMPY")

// File is an open table that has not been read yet.
type File struct {
	*input.File // positioned at the data
	options     Options
	npy         *npyHeader // nil if the file is not a .npy
}

// Open opens a table, as Read does, and finds its format.
func Open(ctx context.Context, name string, o Options) (*File, error) {
	in := o.Stdin
	if in == nil {
		in = os.Stdin
	}
	file, err := input.Open(ctx, name, in, 1<<18)
	if err != nil {
		return nil, err
	}
	f := &File{File: file, options: o}
	if err := f.detect(); err != nil {
		_ = f.Close() // the first error says more
		return nil, f.Wrap(err)
	}
	return f, nil
}

// detect finds the format and reads up to the data.
func (f *File) detect() error {
	if _, err := f.Peek(1); err == io.EOF {
		return f.Errorf("it is empty")
	} else if err != nil {
		return err
	}
	isNPY := f.Starts(npyMagic)
	if f.options.Format == "" || f.options.Format == Auto {
		f.options.Format = CSV
		if isNPY || strings.EqualFold(filepath.Ext(f.Label), ".npy") {
			f.options.Format = NPY
		}
	}
	switch f.options.Format {
	case NPY:
		if start, _ := f.Peek(16); !isNPY && input.Known(start) != "" {
			return f.Errorf("%s", input.Known(start))
		}
		return f.readHeader()
	case CSV, Rodinia:
		if isNPY {
			return f.Errorf("it is a NumPy file, not %s", f.options.Format)
		}
		return f.Text()
	default:
		return f.Errorf("unknown format %q; available: auto, csv, npy, rodinia", f.options.Format)
	}
}

// Bits returns 32 if the file is a .npy of float32, otherwise 64.
func (f *File) Bits() int {
	if f.npy != nil && f.npy.size == 4 && f.npy.float {
		return 32
	}
	return 64
}

// Decode reads the whole table.
func Decode[T Number](f *File) (t *Table[T], err error) {
	if f.npy != nil {
		t, err = readNPY[T](f)
	} else {
		t, err = readText[T](f)
	}
	return t, f.Wrap(err)
}
