package benchmark

import (
	"time"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Scaled is a computation that is measured on one device and on several.
type Scaled struct {
	Name  string
	Weak  bool            // the work grows with the number of devices; otherwise they share it
	Each  int             // how often a call repeats the computation
	Goals map[int]float64 // the least speedup for a number of GPUs

	// Open prepares the computation for a distribution over devs devices. It
	// returns a function that enqueues it and one that frees its memory.
	Open func(on vector.Distribution, devs int) (call func() error, free func(), err error)
	// Sample measures the time itself; Open is then nil.
	Sample func(on vector.Distribution, devs int) (time.Duration, error)
	// Steps runs the given number of repetitions of what Sample measures, for a test that
	// counts what one of them costs. It is nil if Sample is.
	Steps func(on vector.Distribution, devs, steps int) error
}

// InRows distributes v so that each row of unit elements is on one device. It frees v
// if it returns another vector.
func InRows(v *vector.Vector[float32], unit int) *vector.Vector[float32] {
	x := matrix.Of(v, v.Len()/unit, unit).To(v.Distribution()).Vector()
	if x != v {
		v.Free()
	}
	return x
}
