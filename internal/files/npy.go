package files

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/devices/driver"
)

const npyMagic = "\x93NUMPY"

// The entries of the header of a .npy, a dictionary of Python.
var (
	npyType    = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*True`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// openNPY opens a .npy of rank 1 or 2.
func openNPY(f *os.File, name string, size int64, t reflect.Type, cols int) (*File, error) {
	header, at, err := npyHeader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: unreadable .npy header: %w", name, err)
	}
	kind, dims := npyType.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if kind == nil || dims == nil {
		return nil, fmt.Errorf("%s: unreadable .npy header: %q", name, header)
	}
	if err := numeric(name, t); err != nil {
		return nil, err
	}
	other := littleEndian == strings.HasPrefix(kind[1], ">") // the other order of bytes
	if npyName := nameOf(t); strings.TrimLeft(kind[1], "<>|=") != npyName {
		return nil, fmt.Errorf("%s: its elements are %q, and %v is %q: choose that type, or convert the file, "+
			"in NumPy by a.astype('%s')", name, kind[1], t, npyName, npyName)
	}
	shape, n := []int{}, 1
	for _, d := range strings.FieldsFunc(dims[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		k, err := strconv.Atoi(d)
		if err != nil || k > 0 && n > math.MaxInt/16/k {
			return nil, fmt.Errorf("%s: unreadable .npy header: shape (%s)", name, dims[1])
		}
		shape = append(shape, k)
		n *= k
	}
	switch {
	case len(shape) == 1:
		shape = append(shape, 1)
	case len(shape) != 2:
		return nil, fmt.Errorf("%s: an array of rank %d, shape (%s); it must have rank 1 or 2",
			name, len(shape), dims[1])
	case npyFortran.MatchString(header) && shape[0] > 1 && shape[1] > 1:
		return nil, fmt.Errorf("%s: its elements are in Fortran order; in NumPy, save np.ascontiguousarray(a)", name)
	}
	if err := needCols(name, shape[1], cols); err != nil {
		return nil, err
	}
	if bytes := int64(n) * int64(t.Size()); size-at != bytes {
		return nil, fmt.Errorf("%s: shape (%s) of %s needs %d bytes of data, and the file has %d: "+
			"it is damaged, or cut off", name, dims[1], kind[1], bytes, size-at)
	}
	r := io.ReaderAt(io.NewSectionReader(f, at, size-at))
	if other && t.Size() > 1 {
		r = swapped{r, int64(t.Size())}
	}
	return &File{r, f, shape[0], shape[1]}, nil
}

// npyHeader returns the header of a .npy, and where its data begin.
func npyHeader(f io.ReaderAt) (header string, at int64, err error) {
	fixed := make([]byte, 12)
	if err := driver.ReadAt(f, fixed, 0); err != nil {
		return "", 0, err
	}
	n := int64(binary.LittleEndian.Uint16(fixed[8:]))
	if at = 10; fixed[6] > 1 {
		n, at = int64(binary.LittleEndian.Uint32(fixed[8:])), 12
	}
	if n > 1<<20 {
		return "", 0, fmt.Errorf("it has %d bytes", n)
	}
	text := make([]byte, n)
	err = driver.ReadAt(f, text, at)
	return string(text), at + n, err
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// nameOf returns the name of a type in NumPy, without the order of bytes.
func nameOf(t reflect.Type) string {
	var kind string
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		kind = "f"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		kind = "u"
	default:
		kind = "i"
	}
	return kind + strconv.Itoa(int(t.Size()))
}

// swapped reads elements of a size whose bytes are in the other order.
type swapped struct {
	io.ReaderAt
	size int64
}

// ReadAt reads whole elements and returns those of their bytes that are asked for.
func (s swapped) ReadAt(p []byte, off int64) (int, error) {
	first := off - off%s.size
	whole := make([]byte, (off+int64(len(p))+s.size-1)/s.size*s.size-first)
	n, err := s.ReaderAt.ReadAt(whole, first)
	n -= n % int(s.size)
	for i := 0; i+int(s.size) <= n; i += int(s.size) {
		for lo, hi := i, i+int(s.size)-1; lo < hi; lo, hi = lo+1, hi-1 {
			whole[lo], whole[hi] = whole[hi], whole[lo]
		}
	}
	if n -= int(off - first); n < 0 {
		n = 0
	}
	n = copy(p, whole[off-first:][:n])
	if n == len(p) {
		err = nil
	}
	return n, err
}
