package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
)

// Case is one way to compute one thing. The first of the cases of a Task is
// skelgo's.
type Case struct {
	Impl string
	Run  func() error // the call, and the wait for its end

	// Result gives the elements, or the one number, that Run computed last.
	Result func() ([]float32, error)
}

// Task is something to compute, in all the ways that there are on a device.
type Task struct {
	Name  string // "Map"
	Bytes int64  // read and written by one run, at least
	Cases []Case
}

// Tasks prepares all tasks on vectors of n elements. free gives the memory
// back.
func Tasks(d *devices.Device, n int) (tasks []Task, free func(), err error) {
	x, y := data(n)
	tasks, freeVectors := skeletons(d, x, y)
	if d.Native() {
		byHand(tasks, x, y)
		return tasks, freeVectors, nil
	}
	var index int
	if _, err := fmt.Sscanf(d.ID(), "opencl:%d", &index); err != nil {
		return tasks, freeVectors, nil // nothing is written by hand for other devices
	}
	r, err := openRaw(index, x, y)
	if err != nil {
		freeVectors()
		return nil, nil, err
	}
	free = func() { freeVectors(); _ = r.close() }
	if err := r.cases(tasks); err != nil {
		free()
		return nil, nil, err
	}
	return tasks, free, nil
}

// data gives numbers that a float32 adds up exactly in any order, so that all
// cases of a task have the same result.
func data(n int) (x, y []float32) {
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%5-2), float32(i%7-3)
	}
	return x, y
}

// Check runs every case of a task once, and compares the results with those
// of the first.
func (t Task) Check() error {
	var want []float32
	for i, c := range t.Cases {
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s, %s: %w", t.Name, c.Impl, err)
		}
		got, err := c.Result()
		if err != nil {
			return fmt.Errorf("%s, %s: %w", t.Name, c.Impl, err)
		}
		if i == 0 {
			want = append(want, got...)
		}
		if err := same(got, want); err != nil {
			return fmt.Errorf("%s: %s differs from %s: %w", t.Name, c.Impl, t.Cases[0].Impl, err)
		}
	}
	return nil
}

func same(got, want []float32) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d elements, not %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i] != w {
			return fmt.Errorf("element %d is %v, not %v", i, got[i], w)
		}
	}
	return nil
}
