package cpu_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// busy counts how many calls of slow are being executed, and the most that ever were.
var busy, busiest atomic.Int64

// slow is an expensive function, as a simulation for each element would be.
func slow(i int) int {
	busiest.Store(max(busiest.Load(), busy.Add(1)))
	time.Sleep(300 * time.Microsecond)
	busy.Add(-1)
	return i
}

func slowAt(at matrix.Index) int { return slow(at.Row) }

type sink struct{ Out vector.OutView[int] }

func slowVoid(i int, s sink) { s.Out.Set(i, slow(i)) }

func slowSum(a, b int) int { return slow(a) + b }

// TestFewExpensiveElements checks that the CPU computes a few expensive elements on all cores,
// although as many cheap ones are not worth it.
func TestFewExpensiveElements(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("there is only one processor")
	}
	d := devices.Wrap("cpu:test", cpu.New())
	on := vector.Single(d)
	const n = 40
	each, sum, void := skel.NewMap(slow), skel.NewReduce(addInt, 0), skel.NewMapVoidWith(slowVoid)
	for name, call := range map[string]func() error{
		"Map": func() error { return hostError(each.Apply(vector.Indices(n, on))) },
		"MapVoid": func() error {
			out := vector.New[int](n, on)
			return void.With(sink{out.OutView()}).Apply(vector.Indices(n, on))
		},
		"Reduce of Map": func() error {
			v, err := sum.Apply(each.Apply(vector.Indices(n, on))).Value()
			if err == nil && v != n*(n-1)/2 {
				t.Errorf("the sum is %d", v)
			}
			return err
		},
		"Rows of Map": func() error {
			return hostError(sum.Rows(skel.NewMap(slowAt).ApplyMatrix(matrix.Indices(n, 1, on))))
		},
		"Scan": func() error {
			return hostError(skel.NewScan(slowSum, 0).InclusiveRows(matrix.New[int](n, 2, on)).Vector())
		},
		"Columns of Map": func() error {
			return hostError(sum.Cols(skel.NewMap(slowAt).ApplyMatrix(matrix.Indices(2, 130, on))))
		},
	} {
		busiest.Store(0)
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if busiest.Load() < 2 {
			t.Errorf("%s: never more than %d call at a time", name, busiest.Load())
		}
	}
}

func addInt(a, b int) int { return a + b }

func hostError(v *vector.Vector[int]) error {
	_, err := v.Host()
	return err
}
