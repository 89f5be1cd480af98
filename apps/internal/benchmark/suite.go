package benchmark

import (
	"context"
	"errors"
	"math/bits"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Suite holds what the rows of one run share.
type Suite struct {
	Context context.Context
	Device  *devices.Device
	MaxLog2 int                              // the longest vectors have 2^MaxLog2 elements; all sizes scale with it
	Rounds  int                              // the number of samples of each row
	Note    func(format string, args ...any) // tells the user

	Yardstick *Program        // the program with CUB and cuBLAS; nil if there is none
	Torch     *Program        // PyTorch; nil if there is none
	JAX       *Program        // nil if there is none
	Python    string          // an interpreter with scikit-learn; "" if there is none
	OpenCL    *devices.Device // the same card through OpenCL; nil if there is none

	copyBytes int64
	copied    [2]*vector.Vector[float32] // the source and the target of the device copy
}

// Distribution returns the distribution of the rows' containers.
func (s *Suite) Distribution() vector.Distribution { return vector.Single(s.Device) }

// GPU reports whether the device is a GPU, so that the goals and sizes for GPUs apply.
func (s *Suite) GPU() bool { return s.Device.Info().Kind == devices.GPU }

// GPUGoals returns a goal that applies on GPUs only.
func (s *Suite) GPUGoals(yardstick string, ratio float64) []Goal {
	if s.GPU() {
		return []Goal{{yardstick, ratio}}
	}
	return nil
}

// Size returns the number of elements of a row that has n elements in the largest run,
// where the longest vectors have 2^30.
func (s *Suite) Size(n int) int {
	if s.MaxLog2 >= Largest {
		return n << (s.MaxLog2 - Largest)
	}
	return max(1, n>>(Largest-s.MaxLog2))
}

// Side returns the side of a square that has side n in the largest run.
func (s *Suite) Side(n int) int {
	for log2 := s.MaxLog2; log2 < Largest; log2 += 2 {
		n /= 2
	}
	return max(n, 16)
}

// The range of MaxLog2.
const (
	Largest  = 30 // sizes in the code are those of this run
	Smallest = 12 // less would leave nothing to measure
)

// UsualLog2 returns the default of MaxLog2 for a device: Largest on a GPU, less where
// memory is short, and 24 on a CPU.
func UsualLog2(d *devices.Device) int { return usualLog2(d.Info()) }

func usualLog2(info devices.Info) int {
	usual := 24
	if info.Kind == devices.GPU {
		usual = Largest
	}
	if info.Memory > 0 { // a scan of float64 is the largest row, and its yardstick needs as much
		usual = min(usual, bits.Len64(uint64(info.Memory/5*4/40))-1)
	}
	return max(usual, Smallest)
}

// OpenCopy prepares the device copy, which has 1 GiB in the largest run.
func (s *Suite) OpenCopy() error {
	n := s.Size(1 << 28)
	s.copyBytes = int64(n) * 4
	for i := range s.copied {
		v, err := Float32s.Fill(s, n, 0)
		if err != nil {
			return err
		}
		s.copied[i] = v
	}
	return nil
}

// Close frees the device copy and ends the programs.
func (s *Suite) Close() (err error) {
	for _, v := range s.copied {
		if v != nil {
			v.Free()
		}
	}
	return errors.Join(s.Yardstick.Close(), s.Torch.Close(), s.JAX.Close())
}

// copyCall enqueues the device copy.
func (s *Suite) copyCall() error { return s.copied[1].CopyFrom(s.copied[0]) }
