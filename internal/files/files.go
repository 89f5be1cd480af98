package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// File holds the elements of a container in a file, which stays open until it is closed or no longer used.
type File struct {
	io.ReaderAt // of the elements, in this machine's order
	io.Closer
	Rows, Cols int // a vector has one column
}

// Open opens the file called name, which holds elements of type t in rows: a .npy, text (.csv, .tsv,
// .txt), or else elements one after the other in this machine's order. cols is the number of
// elements of a row, or 0 if the file says it; only a file without a header does not.
func Open(name string, t reflect.Type, cols int) (_ *File, err error) {
	info, err := os.Stat(name) // before it is opened, which waits for the writer of a pipe
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: it is a directory", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: only a regular file can be read in any order, not a pipe or a device", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	magic := make([]byte, len(npyMagic))
	n, err := f.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case string(magic[:n]) == npyMagic:
		return openNPY(f, name, info.Size(), t, cols)
	case slices.Contains([]string{".csv", ".tsv", ".txt"}, strings.ToLower(filepath.Ext(name))):
		return openText(f, name, t, cols)
	case strings.EqualFold(filepath.Ext(name), ".npy"):
		return nil, fmt.Errorf("%s: it does not begin like a .npy", name)
	}
	if cols == 0 {
		return nil, fmt.Errorf("%s: it has no header that says how many columns there are: give their number", name)
	}
	row := int64(t.Size()) * int64(cols)
	if row == 0 || info.Size()%row != 0 {
		return nil, fmt.Errorf("%s: its %d bytes are not a multiple of the %d bytes of a row: %d of %v",
			name, info.Size(), row, cols, t)
	}
	return &File{f, f, int(info.Size() / row), cols}, nil
}

// numeric returns an error if elements of type t are not numbers.
func numeric(name string, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return nil
	default:
		return fmt.Errorf("%s: it holds numbers, which cannot become elements of type %v; "+
			"files of other types have no header", name, t)
	}
}

// needCols returns an error if the file has another number of columns than the caller wants.
func needCols(name string, cols, want int) error {
	if want > 0 && cols != want {
		return fmt.Errorf("%s: its rows have %d numbers, not %d; matrix.FromFile with 0 columns reads any",
			name, cols, want)
	}
	return nil
}
