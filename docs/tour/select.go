package tour

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show shrinking

// A walk is a number on its way to 1, and the steps that it has taken.
type walk struct {
	At    vector.OutView[int]
	Steps vector.OutView[int]
}

func underway(i int, at vector.View[int]) bool { return at.At(i) != 1 }

func step(i int, w walk) {
	x := w.At.At(i)
	if x%2 == 0 {
		w.At.Set(i, x/2)
	} else {
		w.At.Set(i, 3*x+1)
	}
	w.Steps.Set(i, w.Steps.At(i)+1)
}

var (
	walking = skel.NewFilterWith(underway)
	steps   = skel.NewMapVoidWith(step)
)

// CollatzSteps returns how many steps each number takes to 1. The loop works only on the
// numbers that are still underway: fewer from run to run, and no run waits for the host,
// which looks at the count after every 16. Such a loop runs on one device.
func CollatzSteps(numbers []int) ([]int, error) {
	d, err := devices.Default()
	if err != nil {
		return nil, err
	}
	on := vector.Single(d)
	at, taken := vector.From(numbers, on), vector.New[int](len(numbers), on)
	var left *vector.Vector[int]
	loop, err := skel.Record(func() error {
		left = walking.With(at.View()).Indices(vector.Indices(len(numbers), on))
		return steps.With(walk{at.OutView(), taken.OutView()}).Apply(left)
	})
	if err != nil {
		return nil, err
	}
	defer loop.Close()
	for {
		if err := loop.Run(16); err != nil {
			return nil, err
		}
		if left.Len() == 0 {
			return taken.Host()
		}
	}
}

// end
