package kit

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// TestRanks runs the subjects with all containers spread over the devices of all ranks, if mpirun
// has started the test: the results must be bit-identical to those of one process. Of devices that
// compile it leaves out what TestSeveral leaves out.
func (s Subjects) TestRanks(t *testing.T) {
	ranks, err := devices.Ranks()
	if err != nil {
		t.Fatal(err)
	}
	if ranks == 1 {
		t.Skip("not started by mpirun")
	}
	devs, err := devices.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, len(devs)) // 1, 2, 3, ...
	for k := range weights {
		weights[k] = float64(k + 1)
	}
	chosen := s.chosen(t).Over()
	if !devs[0].Native() {
		chosen = chosen.Over("Order", "ArgMin")
	}
	chosen.RunOver(t, vector.Block(devs...).Weighted(weights...))
}
