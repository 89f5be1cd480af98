package cpu_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
)

// TestMergedGroups checks that every group is in one call, whether groups take longer than the
// start of goroutines, or less, or the first ones less and the others longer.
func TestMergedGroups(t *testing.T) {
	for _, groups := range []int64{0, 1, 2, 3, 17, 64, 1000} {
		for name, slow := range map[string]int64{"slow": 0, "fast": groups, "both": groups / 2} {
			ran := make([]atomic.Int32, groups)
			var calls, at, most atomic.Int64
			err := cpu.RunMerged(groups, func(g driver.Group) {
				calls.Add(1)
				most.Store(max(most.Load(), at.Add(1)))
				defer at.Add(-1)
				for id := g.ID; id <= g.ID+g.More; id++ {
					ran[id].Add(1)
					if id >= slow {
						time.Sleep(100 * time.Microsecond)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range ran {
				if n := ran[i].Load(); n != 1 {
					t.Fatalf("%s: of %d groups, group %d ran %d times", name, groups, i, n)
				}
			}
			if name == "slow" && groups > 2 && runtime.GOMAXPROCS(0) > 1 && most.Load() < 2 {
				t.Errorf("%d slow groups run one after the other", groups)
			}
			if name == "slow" && groups > 2 && runtime.GOMAXPROCS(0) > 1 && calls.Load() != groups {
				t.Errorf("%d slow groups run in %d calls", groups, calls.Load())
			}
		}
	}
	if err := cpu.RunMerged(-1, nil); err == nil {
		t.Error("launching -1 groups succeeded")
	}
}
