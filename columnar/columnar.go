package columnar

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Column describes a column of a file.
type Column struct {
	Name string // fields of structs in Parquet have the names of the structs before theirs: "position.x"
	Type string // a Go type if the column holds numbers, otherwise a name of the format

	// Numeric reports whether the column holds numbers, so that Matrix reads it if no columns are named.
	// Dates and times do not count as numbers.
	Numeric bool

	number  number // what can be read from the column, including dates and times
	storage number // the type of the values that tables return
}

// String returns the name and the type of the column.
func (c Column) String() string { return fmt.Sprintf("%q (%s)", c.Name, c.Type) }

// Option changes how Vector and Matrix read a file.
type Option func(*options)

type options struct {
	where       []vector.Distribution
	nan, rounds bool
}

// On chooses the devices that hold the container. By default, the library chooses, see [vector.Distribution].
func On(where vector.Distribution) Option {
	return func(o *options) { o.where = []vector.Distribution{where} }
}

// NullsAsNaN reads nulls as NaN, which only a float type can hold. By default, a null is an error.
func NullsAsNaN() Option { return func(o *options) { o.nan = true } }

// Rounded allows numbers that the element type, a float, cannot hold exactly, and reads the nearest that it
// can: float64 as float32, or int64 as float64. By default, this is an error.
func Rounded() Option { return func(o *options) { o.rounds = true } }

// Columns returns the columns of an Arrow or Parquet file.
func Columns(name string) ([]Column, error) {
	f, t, err := open(name)
	if err != nil {
		return nil, err
	}
	return t.columns(), f.Close()
}

// Vector returns a vector of the numbers in one column of an Arrow or Parquet file. If it is larger than a
// quarter of the device's memory, its parts are read when they are needed, and again if they have left the
// memory in between, so the file must not change.
//
// An error says why the file or the column cannot be read. Errors of later reads are those of the vector.
func Vector[T Number](name, column string, opts ...Option) (*vector.Vector[T], error) {
	s, o, err := newSource[T](name, []string{column}, opts)
	if err != nil {
		return nil, err
	}
	return vector.FromFunc(s.rows(), s.fill, o.where...), nil
}

// Matrix returns a matrix whose columns are columns of an Arrow or Parquet file, in the given order, or
// without names all columns that hold numbers, in the order of the file. [Vector] says when they are read.
func Matrix[T Number](name string, columns []string, opts ...Option) (*matrix.Matrix[T], error) {
	s, o, err := newSource[T](name, columns, opts)
	if err != nil {
		return nil, err
	}
	return matrix.FromFunc(s.rows(), len(s.columns), s.fill, o.where...), nil
}

// table is an open file.
type table interface {
	columns() []Column
	// use prepares reading some columns, and returns the number of rows in each chunk: a row group or
	// record batch.
	use(columns []int) (rows []int, err error)
	// nulls returns how many values of a chunk are null, or 0 if the file does not say it.
	nulls(column, chunk int) int
	// read sets dst to values of a chunk, from a row on, and returns which of them are null. Those are
	// arbitrary.
	read(column, chunk, first int, dst []byte) (nulls []int, err error)
}

const (
	arrowMagic   = "ARROW1"
	parquetMagic = "PAR1"
	cipherMagic  = "PARE" // Parquet with an encrypted footer
	featherMagic = "FEA1"
)

// open opens a file and reads what it says about its columns. The table keeps the file open as long as it is used.
func open(name string) (_ *os.File, _ table, err error) {
	info, err := os.Stat(name) // before it is opened, which waits for the writer of a pipe
	switch {
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, fmt.Errorf("%s: it is a directory; open one of its files", name)
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s: only a regular file can be read in any order, not a pipe or a device", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	first, last := make([]byte, len(arrowMagic)), make([]byte, len(arrowMagic))
	n, err := f.ReadAt(first, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if info.Size() >= int64(len(last)) {
		if _, err := f.ReadAt(last, info.Size()-int64(len(last))); err != nil {
			return nil, nil, err
		}
	}
	begins := func(magic string) bool { return strings.HasPrefix(string(first[:n]), magic) }
	ends := func(magic string) bool { return strings.HasSuffix(string(last), magic) }
	var t table
	switch {
	case begins(arrowMagic) && !ends(arrowMagic):
		err = errors.New("it begins like an Arrow file but does not end like one: it is cut off, or not complete yet")
	case begins(arrowMagic):
		t, err = openArrow(f, info.Size())
	case begins(cipherMagic) || ends(cipherMagic):
		err = errors.New("it is an encrypted Parquet file, which cannot be read")
	case begins(parquetMagic) && !ends(parquetMagic):
		err = errors.New("it begins like a Parquet file but does not end like one: it is cut off, or not complete yet")
	case begins(parquetMagic):
		t, err = openParquet(f, info.Size())
	case begins(featherMagic):
		err = errors.New("it is a Feather file of version 1; save it again, in pyarrow by feather.write_feather")
	case begins("\xff\xff\xff\xff"):
		err = errors.New("it may be an Arrow stream, which can only be read from the beginning on; " +
			"write the file format, in pyarrow by ipc.new_file")
	default:
		err = errors.New("it is neither an Arrow file nor a Parquet file; " +
			"vector.FromFile reads .npy, text, and elements without a header")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, t, nil
}

// choose returns the indexes of the named columns, or without names of all that hold numbers.
func choose(all []Column, names []string) ([]int, error) {
	if len(names) == 0 {
		var chosen []int
		for i, c := range all {
			if c.Numeric {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) == 0 {
			return nil, fmt.Errorf("no column holds numbers; %s", listed(all))
		}
		return chosen, nil
	}
	chosen := make([]int, len(names))
	for i, name := range names {
		named := func(c Column) bool { return c.Name == name }
		at := slices.IndexFunc(all, named)
		if at < 0 {
			return nil, fmt.Errorf("there is no column %q; %s", name, listed(all))
		}
		if slices.ContainsFunc(all[at+1:], named) {
			return nil, fmt.Errorf("several columns are named %q; rename all but one", name)
		}
		chosen[i] = at
	}
	return chosen, nil
}

// listed returns a list of columns for errors.
func listed(all []Column) string {
	const most = 20
	if len(all) == 0 {
		return "the file has no columns"
	}
	names := make([]string, 0, most)
	for _, c := range all[:min(len(all), most)] {
		names = append(names, c.String())
	}
	if len(all) > most {
		names = append(names, fmt.Sprintf("and %d more", len(all)-most))
	}
	return "the columns are " + strings.Join(names, ", ")
}

// check returns an error if a column cannot be read as elements of type t, which is called typeName.
func (o *options) check(c Column, t number, typeName string) error {
	switch {
	case c.number == notANumber:
		return fmt.Errorf("column %q is of type %s and holds no numbers", c.Name, c.Type)
	case c.number.exactIn(t):
		return nil
	case numbers[t].float && o.rounds:
		return nil
	}
	is := c.Type
	if is != c.number.String() {
		is = fmt.Sprintf("%s, stored as %v", c.Type, c.number)
	}
	suggested := c.number.String()
	if c.number == float16s {
		suggested = "float32"
	}
	advice := fmt.Sprintf("read it as %s", suggested)
	if numbers[t].float {
		advice += ", or round it with the option columnar.Rounded()"
	}
	return fmt.Errorf("column %q is %s, which %s cannot hold exactly: %s", c.Name, is, typeName, advice)
}
