package pca

import (
	"errors"
	"math"

	"github.com/skelgo/skelgo/skel"
)

// errScale says that squares of the data may overflow, or underflow to zero, and that
// the data have not been scaled.
var errScale = errors.New("pca: the data must be scaled")

// The variances whose sum the methods compute without scaling. NIPALS squares sums of
// squares, so these numbers are far from the limits of float64.
const smallTotal, largeTotal = 0x1p-300, 0x1p300

// setTotal sets the sum of the variances of the scaled columns. It returns errScale if the
// data must be scaled first.
func (f *fitting[T]) setTotal(m *Model, total float64) error {
	m.Total = total
	if !f.scaled && !(total >= smallTotal && total <= largeTotal) {
		return errScale
	}
	return nil
}

func magnitude(x float64) float64 { return math.Abs(x) }

func larger(a, b float64) float64 { return max(a, b) }

var (
	magnitudes = skel.NewMap(magnitude)
	largest    = skel.NewReduce(larger, 0)
)

// rescale chooses the power of two that makes the largest magnitude of the centred data
// about 1. All columns have the same scale, because the components depend on their sizes.
func (f *fitting[T]) rescale() error {
	centred := f.centred()
	defer centred.Free()
	sizes := magnitudes.ApplyMatrix(centred)
	defer sizes.Free()
	ofColumns := largest.Cols(sizes)
	defer ofColumns.Free()
	columns, err := ofColumns.Host()
	if err != nil {
		return err
	}
	size := 0.0
	for _, v := range columns {
		size = max(size, v)
	}
	if size-size != 0 {
		return f.tooLarge()
	}
	f.scaled = true
	if size > 0 {
		_, f.scale = math.Frexp(size)
		f.scale = max(f.scale, -1000) // the factor is a float64
	}
	return nil
}

// scaleBack makes the variances those of the data, which may not fit float64.
func (f *fitting[T]) scaleBack(m *Model) error {
	negligible := m.rounding() * m.Total
	back := func(scaled float64) (float64, error) {
		v := math.Ldexp(scaled, 2*f.scale)
		switch {
		case v-v != 0:
			return v, f.tooLarge()
		case scaled > negligible && v < 0x1p-1022:
			return v, f.tooSmall()
		}
		return v, nil
	}
	var err error
	for k, v := range m.Variances {
		if m.Variances[k], err = back(v); err != nil {
			return err
		}
	}
	m.Total, err = back(m.Total)
	return err
}

func (f *fitting[T]) tooLarge() error {
	return inputErrorf("variances of such large numbers do not fit float64: " +
		"divide the columns by a unit of their size")
}

func (f *fitting[T]) tooSmall() error {
	return inputErrorf("variances of such small numbers do not fit float64: " +
		"divide the columns by a unit of their size")
}
