package kmeans

import (
	"context"
	"time"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// groupFrom is the number of centres from which there are several groups of them: with
// fewer, one lower bound for each point is enough.
const groupFrom = 32

// newBounds returns bounds with which every point is unsure. The lower bounds of the groups
// take no more memory than the points.
func newBounds[T number](m *model[T]) (*bounds[T], error) {
	columns := m.centers.Cols()
	size := columns
	if m.k >= groupFrom {
		size = lanes
		for (columns+size-1)/size > min(m.cols, 64) { // reassign has a bit for each group
			size += lanes
		}
	}
	groups := (columns + size - 1) / size
	b := &bounds[T]{
		upper:   vector.Uninitialized[T](m.n, m.where),
		lower:   vector.Uninitialized[T](m.n, m.where),
		before:  m.turned.With(m.centers.View()).ApplyMatrix(matrix.Indices(columns, m.centers.Rows(), m.home)),
		drift:   vector.New[float64](columns, m.home),
		path:    vector.New[float64](columns, m.home),
		others:  vector.New[float64](columns, m.home),
		groups:  vector.New[float64](groups, m.home),
		counted: m.labels.Clone(),
		size:    size, margins: marginsOf[T](m.centers.Rows()),
		boundSkeletons: boundSkeletonsOf[T](),
	}
	if m.severalDevices() { // a row for each point can be where the point is
		b.near = matrix.Uninitialized[T](m.n, groups, m.where)
	} else { // lanes read neighbours
		b.near = matrix.Uninitialized[T](groups, m.n, m.where)
	}
	// The first step overwrites lower and near. They are written here to allocate them.
	for _, v := range []*vector.Vector[T]{b.upper, b.lower, b.near.Vector()} {
		if err := b.unknown.ApplyTo(v, vector.Indices(v.Len(), m.where)); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (b *bounds[T]) free() {
	b.upper.Free()
	b.lower.Free()
	b.near.Free()
	b.before.Free()
	b.counted.Free()
	for _, v := range []*vector.Vector[float64]{b.drift, b.path, b.others, b.groups} {
		v.Free()
	}
}

// step assigns the points and moves the centres. It returns the number of labels that
// moved and the sums of the clusters.
func (b *bounds[T]) step(m *model[T]) (moved *vector.Scalar[int], sums *matrix.Matrix[float64], err error) {
	columns, all := vector.Indices(m.centers.Cols(), m.home), vector.Indices(m.n, m.where)
	moves := drifts[T]{m.centers.View(), b.before.OutView(), b.drift.OutView()}
	if err := b.measure.With(moves).Apply(columns); err != nil {
		return nil, nil, err
	}
	paths := advances{b.drift.View(), b.path.OutView(), b.others.OutView(), b.groups.OutView(), b.size}
	if err := advanceAll.With(paths).Apply(columns); err != nil {
		return nil, nil, err
	}
	state := bounded[T]{
		m.table.View(), m.centers.View(), b.before.View(), b.path.View(), b.others.View(), b.groups.View(),
		m.labels.OutView(), b.upper.OutView(), b.lower.OutView(), b.near.OutView(), m.severalDevices(),
		b.size, b.margins,
	}
	if m.severalDevices() {
		changed := b.either.With(state).Apply(all)
		defer changed.Free()
		moved = count.Apply(changed)
		again, sums, err := m.move(b.counted, m.labels)
		if again != nil {
			again.Free()
		}
		if err != nil || m.totals == nil {
			return moved, sums, err
		}
		return moved, sums, b.counted.CopyFrom(m.labels)
	}
	k := kept[T]{
		b.path.View(), b.others.View(), m.labels.View(), b.upper.View(), b.lower.View(), b.margins,
	}
	unsure := b.unsure.With(k).Apply(all)
	defer unsure.Free()
	changed := b.reassign.With(state).Apply(unsure)
	defer changed.Free()
	moved = count.Apply(changed)
	again, sums, err := m.move(b.counted, m.labels)
	if again != nil {
		again.Free()
	}
	if err != nil || m.totals == nil {
		return moved, sums, err
	}
	return moved, sums, settleLabels.With(settles{m.labels.View(), b.counted.OutView()}).Apply(unsure)
}

// batchMost is the largest number of steps between two looks at how many labels moved.
const batchMost = 8

// logbook counts steps, and has the number of labels that moved in each of the last.
type logbook struct {
	Steps int
	Moved [batchMost]int
}

// entry is what a step enters into the logbook.
type entry struct {
	Moved vector.View[int]
	Log   vector.OutView[logbook]
}

func enter(_ int, e entry) {
	l := e.Log.At(0)
	l.Moved[l.Steps%batchMost] = e.Moved.At(0)
	l.Steps++
	e.Log.Set(0, l)
}

// replay is a step, recorded.
type replay struct {
	loop *skel.Loop
	log  *vector.Scalar[logbook]
}

// record records a step.
func (b *bounds[T]) record(m *model[T]) (*replay, error) {
	r := &replay{log: vector.NewScalar(logbook{}, m.home)}
	var err error
	r.loop, err = skel.Record(func() error {
		moved, sums, err := b.step(m)
		if err != nil {
			return err
		}
		defer moved.Free()
		if sums != nil {
			defer sums.Free()
		}
		return enterStep.With(entry{moved.View(), r.log.Vector().OutView()}).Apply(vector.Indices(1, m.home))
	})
	return r, err
}

func (r *replay) free() error {
	defer r.log.Free()
	if r.loop == nil {
		return nil
	}
	return r.loop.Close()
}

// start starts a batch of n steps, and returns a function that waits for the numbers of
// labels that moved. from is the number of steps before.
func (r *replay) start(from, n int) (func() ([]int, error), error) {
	if err := r.loop.Run(n); err != nil {
		return nil, err
	}
	known := r.log.Later()
	return func() ([]int, error) {
		l, err := known()
		moved := make([]int, n)
		for i := range moved {
			moved[i] = l.Moved[(from+i)%batchMost]
		}
		return moved, err
	}, nil
}

// replayed takes steps until no label moves, the limit is reached, it is time for a checkpoint, or
// stop reports true after a batch, whose mean time per step it is told. Steps after one in which no label
// moved change nothing. So the steps of a batch, and the batch that starts before the
// numbers of the last one are known, may be more than are needed.
func (b *bounds[T]) replayed(ctx context.Context, m *model[T], stop func(step time.Duration) bool) (err error) {
	r, err := b.record(m)
	defer func() {
		if e := r.free(); err == nil {
			err = e
		}
	}()
	if err != nil {
		return err
	}
	// Short steps go in batches, so that the devices do not wait for the host.
	size := min(max(1, (64<<20)/max(1, m.n*m.cols*4)), batchMost/2)
	begun := 0
	begin := func() (func() ([]int, error), error) {
		n := min(size, m.o.MaxIter-m.iterations-begun)
		if n <= 0 {
			return nil, nil
		}
		known, err := r.start(m.steps, n)
		m.steps, begun = m.steps+n, begun+n
		return known, err
	}
	m.steps = 0
	ahead, err := begin()
	for last, leave := time.Now(), false; err == nil && ahead != nil; {
		now := ahead
		if ahead = nil; !leave {
			if ahead, err = begin(); err != nil {
				return err
			}
		}
		moved, err := now()
		if err != nil {
			return err
		}
		for _, n := range moved {
			begun--
			m.iterations, m.moved = m.iterations+1, n
			m.report(m.iterations)
			if n == 0 {
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		leave = leave || stop(time.Since(last)/time.Duration(len(moved))) || m.due()
		last = time.Now()
	}
	return err
}
