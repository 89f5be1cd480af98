package kmeans

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// state is what a checkpoint has of a clustering in progress: centres, but neither points nor
// labels, which follow from them.
type state[T number] struct {
	Ended   []stage[T] // of the starts that have ended
	Current *stage[T]  // of the one that has not; nil if it has not begun
}

// stage is where a start is after an iteration.
type stage[T number] struct {
	Iterations, Moved int
	Before            []T // the centres that the labels are of, row by row
	Centers           []T
}

// due reports whether the iterations should stop for a checkpoint.
func (m *model[T]) due() bool {
	m.pausing = m.pausing || m.o.checkpoint.Due()
	return m.pausing
}

// save saves the state after one more iteration, unless that is the last one. The labels follow
// from the centres before it.
func (m *model[T]) save() error {
	before, err := m.rows(m.centers)
	if err != nil {
		return err
	}
	counted, sums, err := m.step()
	if sums != nil {
		defer sums.Free()
	}
	if counted == nil {
		return err
	}
	moved, counting := value(counted)
	if err := cmp.Or(err, counting); err != nil {
		return err
	}
	if err := m.settle(moved, sums); err != nil || m.done() {
		return err
	}
	centers, err := m.rows(m.centers)
	if err != nil {
		return err
	}
	m.state.Current = &stage[T]{m.iterations, m.moved, before, centers}
	m.o.checkpoint.Save(&m.state)
	m.state.Current = nil
	return nil
}

// restore takes the start to where it was.
func (m *model[T]) restore(p *stage[T]) error {
	if err := m.center(p.Before); err != nil {
		return err
	}
	moved, sums, err := m.step() // labels, and sums as integers
	if moved != nil {
		moved.Free()
	}
	if sums != nil {
		sums.Free()
	}
	if err != nil {
		return err
	}
	m.iterations, m.moved = p.Iterations, p.Moved
	return m.center(p.Centers)
}

// saveEnd adds the start that has just ended to the state.
func (m *model[T]) saveEnd() error {
	if m.o.checkpoint == nil || m.o.NInit == 1 {
		return nil
	}
	centers, err := m.rows(m.centers)
	if err != nil {
		return err
	}
	before := centers
	if m.earlier != nil && m.moved == 0 {
		if before, err = m.rows(m.earlier); err != nil {
			return err
		}
	}
	m.state.Ended = append(m.state.Ended, stage[T]{m.iterations, m.moved, before, centers})
	if m.o.checkpoint.Due() {
		m.o.checkpoint.Save(&m.state)
	}
	return nil
}

// restoreEnd takes the start to its end.
func (m *model[T]) restoreEnd(p stage[T]) error {
	m.iterations, m.moved = p.Iterations, p.Moved
	if err := m.center(p.Before); err != nil {
		return err
	}
	m.assignAll()
	return m.center(p.Centers)
}

// rows returns a copy of centres, row by row.
func (m *model[T]) rows(centers *matrix.Matrix[T]) ([]T, error) {
	all := vector.From(upTo(m.k), m.home)
	defer all.Free()
	rows := m.transpose.With(chosen[T]{centers.View(), all.View()}).ApplyMatrix(matrix.Indices(m.k, m.dim, m.home))
	defer rows.Free()
	x, err := rows.Host()
	return slices.Clone(x), err
}

// center sets the centres to rows.
func (m *model[T]) center(rows []T) error {
	from := matrix.From(m.k, m.dim, rows, m.home)
	defer from.Free()
	return m.setCenters(from, upTo(m.k))
}

// facts returns what the result depends on.
func (f *objects[T]) facts(j *job) (facts []checkpoint.Fact, err error) {
	memory := devices.Bytes(f.table.Data)
	from, size := io.ReaderAt(bytes.NewReader(memory)), int64(len(memory))
	if f.source != nil {
		from, size = data.Elements[T](f.source), data.Bytes[T](f.source)
	}
	points, err := checkpoint.DigestAt(from, size)
	if err != nil {
		return nil, err
	}
	o := &j.cluster
	return checkpoint.Facts(
		"the command", "kmeans",
		"the data", fmt.Sprintf("%d x %d of %T: %s", f.table.Rows, f.table.Cols, T(0), points),
		"--weights", checkpoint.Digest(o.Weights), "--init", string(o.Init)+checkpoint.Digest(o.Start...),
		"-k", o.K, "--n-init", o.NInit, "--seed", o.Seed, "--max-iter", o.MaxIter, "--threshold", o.Threshold,
		"--empty", o.Empty,
	), nil
}
