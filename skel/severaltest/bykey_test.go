package severaltest

import (
	"testing"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// moments are those of some numbers, which are combined as in Chan, Golub and LeVeque, Updating formulae
// and a pairwise algorithm for computing sample variances (1979).
type moments struct{ N, Mean, Squares float64 }

func momentsOf(i int) moments { return moments{1, float64(i%1013) / 7, 0} }

func together(x, y moments) moments {
	n, delta := x.N+y.N, y.Mean-x.Mean
	if n == 0 {
		return moments{}
	}
	return moments{n, x.Mean + delta*y.N/n, x.Squares + y.Squares + delta*delta*x.N*y.N/n}
}

func lastDigit(i int) int32 { return int32(i % 10) }

var (
	momentsAt = skel.NewMap(momentsOf)
	combined  = skel.NewReduce(together, moments{})
	digits    = skel.NewMap(lastDigit)
)

// TestByKeyStruct reduces structs by key. The kernels that combine the partial results of the devices
// are launched with large groups, for which they must be compiled: registers limit the groups of others.
func TestByKeyStruct(t *testing.T) {
	const n = 9000
	var want []moments
	for count := 1; count <= 3; count++ {
		over(t, count, func(t *testing.T, on vector.Distribution) {
			at := vector.Indices(n, on)
			got := host(t, combined.ByKey(momentsAt.Apply(at), digits.Apply(at), 10))
			if count == 1 {
				want = got
				return
			}
			for k := range got {
				if got[k] != want[k] || got[k].N != n/10 {
					t.Errorf("%d devices, key %d: %v, want %v", count, k, got[k], want[k])
				}
			}
		})
	}
}
