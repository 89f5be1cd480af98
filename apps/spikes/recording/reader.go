package recording

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Type is the type of the samples in a file.
type Type string

// The types. Their byte order is that of the machine, which is little-endian nearly always.
const (
	Int16   Type = "int16"
	Uint16  Type = "uint16"
	Int32   Type = "int32"
	Float32 Type = "float32"
	Float64 Type = "float64"
)

// sample is a type of samples.
type sample interface {
	int16 | uint16 | int32 | float32 | float64
}

// File is a recording in a file without a header, or in memory. The samples that are taken
// at the same time, one for each channel, are next to each other: they are a row.
type File struct {
	Rows, Channels int
	name           string
	format         format
}

// format reads rows of samples of some type.
type format interface {
	read(f *File, lo, hi int) (part, error)
	size() int
}

// part is some rows of a recording in the memory of the host.
type part interface {
	// upload returns the rows as a pending expression of its input, which is to be freed
	// after the rows are used.
	upload(where vector.Distribution) (rows *matrix.Matrix[float64], free func())
	greatest() float64
}

// NewFile returns a recording that r holds in the given number of bytes. Errors contain its
// name.
func NewFile(r io.ReaderAt, name string, bytes int64, t Type, channels int) (*File, error) {
	f := &File{name: name, Channels: channels}
	switch t {
	case Int16:
		f.format = formatOf[int16]{r, int16s}
	case Uint16:
		f.format = formatOf[uint16]{r, uint16s}
	case Int32:
		f.format = formatOf[int32]{r, int32s}
	case Float32:
		f.format = formatOf[float32]{r, float32s}
	case Float64:
		f.format = formatOf[float64]{r, float64s}
	default:
		return nil, fmt.Errorf("%s: samples of type %q: the types are int16, uint16, int32, float32 and float64",
			name, t)
	}
	if channels < 1 {
		return nil, fmt.Errorf("%s: %d channels: there must be at least 1", name, channels)
	}
	row := int64(channels) * int64(f.format.size())
	if bytes == 0 || bytes%row != 0 {
		return nil, fmt.Errorf("%s: %d bytes are not rows of %d bytes (channels: %d, type: %s); "+
			"check the number of channels and the type", name, bytes, row, channels, t)
	}
	f.Rows = int(bytes / row)
	return f, nil
}

// formatOf is the format for samples of type T.
type formatOf[T sample] struct {
	r      io.ReaderAt
	toReal *skel.Map[T, float64]
}

func real[T sample](x T) float64 { return float64(x) }

var (
	int16s   = skel.NewMap(real[int16])
	uint16s  = skel.NewMap(real[uint16])
	int32s   = skel.NewMap(real[int32])
	float32s = skel.NewMap(real[float32])
	float64s = skel.NewMap(real[float64])
)

func (f formatOf[T]) size() int { return len(devices.Bytes(make([]T, 1))) }

// read reads rows lo to hi-1. Before the first row and after the last one, these are repeated.
func (f formatOf[T]) read(file *File, lo, hi int) (part, error) {
	p := partOf[T]{rows: hi - lo, cols: file.Channels, data: make([]T, (hi-lo)*file.Channels), toReal: f.toReal}
	from, to := max(lo, 0), min(hi, file.Rows)
	middle := p.data[(from-lo)*p.cols : (to-lo)*p.cols]
	offset := int64(from) * int64(p.cols) * int64(f.size())
	if n, err := f.r.ReadAt(devices.Bytes(middle), offset); n < len(middle)*f.size() {
		return nil, fmt.Errorf("%s: row %d: %w", file.name, from+n/f.size()/p.cols, err)
	}
	if i := notFinite(middle); i >= 0 {
		return nil, &BadSampleError{file.name, from + i/p.cols, i % p.cols, float64(middle[i])}
	}
	for i := lo; i < from; i++ {
		copy(p.data[(i-lo)*p.cols:], middle[:p.cols])
	}
	for i := to; i < hi; i++ {
		copy(p.data[(i-lo)*p.cols:(i-lo+1)*p.cols], middle[len(middle)-p.cols:])
	}
	return p, nil
}

// notFinite returns the index of the first sample that is NaN or infinite, or -1.
func notFinite[T sample](all []T) int {
	switch any(all).(type) {
	case []float32, []float64:
		return slices.IndexFunc(all, func(x T) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) })
	}
	return -1
}

// BadSampleError reports a sample that is NaN or infinite.
type BadSampleError struct {
	Name         string
	Row, Channel int
	Value        float64
}

// Error implements error.
func (e *BadSampleError) Error() string {
	return fmt.Sprintf("%s: row %d, channel %d: %v is not a finite number; is the type of the samples right?",
		e.Name, e.Row, e.Channel, e.Value)
}

// partOf is a part whose samples have type T.
type partOf[T sample] struct {
	rows, cols int
	data       []T
	toReal     *skel.Map[T, float64]
}

func (p partOf[T]) upload(where vector.Distribution) (*matrix.Matrix[float64], func()) {
	raw := matrix.From(p.rows, p.cols, p.data, where)
	return p.toReal.ApplyMatrix(raw), raw.Free
}

// greatest returns the greatest magnitude of the samples.
func (p partOf[T]) greatest() (most float64) {
	for _, x := range p.data {
		most = max(most, math.Abs(float64(x)))
	}
	return most
}

// join returns parts of the same file, one after the other.
func join(parts []part) part {
	switch parts[0].(type) {
	case partOf[int16]:
		return joined[int16](parts)
	case partOf[uint16]:
		return joined[uint16](parts)
	case partOf[int32]:
		return joined[int32](parts)
	case partOf[float32]:
		return joined[float32](parts)
	}
	return joined[float64](parts)
}

func joined[T sample](parts []part) part {
	all := parts[0].(partOf[T])
	all.data = slices.Clone(all.data)
	for _, p := range parts[1:] {
		q := p.(partOf[T])
		all.rows += q.rows
		all.data = append(all.data, q.data...)
	}
	return all
}
