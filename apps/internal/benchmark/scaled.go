package benchmark

import (
	"time"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Scaled is something to measure on one device and on several.
type Scaled struct {
	Name  string
	Weak  bool            // the work grows with the number of devices; else they share it
	Each  int             // how often a call does it
	Goals map[int]float64 // the least speedup for a number of GPUs

	// Open prepares it for a distribution over devs devices. It returns a call
	// of it and a function that frees its memory.
	Open func(on vector.Distribution, devs int) (call func() error, free func(), err error)
	// Sample returns the time itself; Open is then nil.
	Sample func(on vector.Distribution, devs int) (time.Duration, error)
}

// InRows returns v distributed so that no row of unit elements is on two
// devices. It frees v if it returns another vector.
func InRows(v *vector.Vector[float32], unit int) *vector.Vector[float32] {
	x := matrix.Of(v, v.Len()/unit, unit).To(v.Distribution()).Vector()
	if x != v {
		v.Free()
	}
	return x
}
