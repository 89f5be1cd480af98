package kmeans

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// descend moves the centres until no more than Threshold labels move, and stops for checkpoints.
func (m *model[T]) descend(ctx context.Context) error {
	for {
		m.pausing = false
		if err := m.iterate(ctx); err != nil || m.done() {
			return err
		}
		if err := m.save(); err != nil || m.done() {
			return err
		}
	}
}

// iterate moves the centres until they stay or it is time for a checkpoint, by the algorithm of
// the options. All of them find the same labels in every iteration.
func (m *model[T]) iterate(ctx context.Context) error {
	switch {
	case m.o.Algorithm == Lloyd || !m.finite:
		return m.lloyd(ctx, nil)
	case m.o.Algorithm == Bounds:
		return m.bounded(ctx, never)
	}
	return m.auto(ctx)
}

// errNoBounds is the error if there is no memory for bounds.
var errNoBounds = errors.New("bounds on distances cannot be stored; use --algorithm lloyd")

func never(time.Duration) bool { return false }

// auto alternates between the algorithms. It begins with lloyd. When few labels move and
// iterations are not short, it tries bounds, and it returns to lloyd if an iteration with
// bounds takes longer. Then it waits twice as long before the next try, so that points
// without clusters, for which bounds do not help, cost little. Without enough memory for
// bounds it stays with lloyd.
func (m *model[T]) auto(ctx context.Context) error {
	share := 200 // try bounds when a label in so many moves
	if m.k >= groupFrom {
		share = 40
	}
	for patience := 2; ; patience *= 2 {
		var plain time.Duration // of an iteration without bounds
		begun, iterations := time.Now(), 0
		err := m.lloyd(ctx, func() bool {
			if iterations++; iterations > 1 {
				plain = time.Since(begun) / time.Duration(iterations-1)
			} else {
				begun = time.Now() // the first one may build kernels
			}
			return iterations >= patience && m.moved < m.n/share && devices.Agree(plain > shortIteration)
		})
		if err != nil || m.ended() {
			return err
		}
		slow := 0
		err = m.bounded(ctx, func(step time.Duration) bool {
			if slow++; devices.Agree(step < plain) {
				slow = 0
			}
			return slow > 2 // the first step has no bounds yet
		})
		if errors.Is(err, errNoBounds) {
			return m.lloyd(ctx, nil)
		}
		if err != nil || m.ended() {
			return err
		}
	}
}

// done reports whether the iteration is over.
func (m *model[T]) done() bool {
	return m.iterations > 0 && m.moved <= m.o.Threshold || m.iterations >= m.o.MaxIter
}

// ended reports whether the iteration is over or stops for a checkpoint.
func (m *model[T]) ended() bool { return m.pausing || m.done() }

// recordAfter is the number of steps with bounds after which steps are recorded. On an H200,
// recording takes as much time as a few hundred replayed steps save.
var recordAfter = 200

// bounded is lloyd with bounds. It returns early if stop reports true.
func (m *model[T]) bounded(ctx context.Context, stop func(step time.Duration) bool) error {
	if m.paged() { // they would be moved in each iteration, as the points are
		return errNoBounds
	}
	b, err := newBounds(m)
	defer b.free()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoBounds, err)
	}
	recordable := m.o.Empty == Keep && m.o.Threshold == 0 && !m.severalDevices()
	begun, steps, left := time.Now(), 0, false
	m.bounds = b
	err = m.lloyd(ctx, func() bool {
		step := time.Since(begun)
		begun = time.Now()
		steps++
		left = left || stop(step)
		return left || recordable && steps >= recordAfter
	})
	m.bounds = nil
	if err != nil || left || m.ended() || !recordable {
		return err
	}
	return b.replayed(ctx, m, stop)
}

// paged reports whether the points are on pages of a device, because they do not fit in its memory.
func (m *model[T]) paged() bool {
	devs := m.where.Devices()
	return len(devs) > 0 && devs[0] != devs[0].Base()
}

// roomy reports whether the table takes at most half of the memory of the devices, so that it should stay there.
func (m *model[T]) roomy() bool {
	table, seen := int64(len(devices.Bytes([]T{0}))*m.cols)*int64(m.n), map[*devices.Device]bool{}
	for _, d := range m.where.Devices() {
		if base := d.Base(); !seen[base] {
			seen[base] = true
			table -= base.Budget() / 2
		}
	}
	return table <= 0
}

func (m *model[T]) severalDevices() bool { return len(m.where.Devices()) > 1 }
