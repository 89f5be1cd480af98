package scale

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// batchKeys is the number of keys that are sorted at a time. It bounds the memory.
const (
	batchKeys    = 1 << 25
	batchKeysCPU = 1 << 22 // so that the keys stay in the cache
)

// evaluator evaluates candidates. It holds the data on the devices.
type evaluator struct {
	*coding
	data     *Data
	problems []problem
	devices  []*devices.Device
	most     []float64 // the largest magnitude of each feature
	batch    int       // the maximum number of keys in a batch
	sorts    bool      // rows of keys are sorted in memory, and not by one function each
	packs    bool      // long rows are sorted all at once

	x       *matrix.Matrix[float64]
	largest *vector.Vector[float64]
	codes   *matrix.Matrix[int32]
	costs   *matrix.Matrix[float64]
	counts  *counting // nil if values of F are sorted

	evaluated  int64   // the number of candidates so far
	found      float64 // the cost of the best scale that was reported
	unfinished bool    // the time limit ended the searches
	used       string
	release    func() // of the method
}

// newEvaluator copies the data to the devices.
func newEvaluator(d *Data, c *coding, p []problem, devs []*devices.Device) *evaluator {
	e := &evaluator{
		coding: c, data: d, problems: p, devices: devs, most: d.largestOf(), batch: batchKeysCPU, found: math.Inf(1),
	}
	if info := devs[0].Info(); info.Kind == devices.GPU {
		e.batch = batchKeys
	}
	e.used = app.DeviceNames(app.Distribute(devs, 8*int64(d.N()))) // if a checkpoint leaves nothing to evaluate
	e.packs = e.batch == batchKeys && len(devs) == 1
	e.sorts = e.batch == batchKeys || !c.Whole || d.N() > smallRow
	n, features := d.N(), len(d.Features)
	columns := make([]float64, 0, n*features)
	for j := range features {
		for i := range n {
			columns = append(columns, d.X[i*features+j])
		}
	}
	where := vector.Copy(devs...)
	e.x = matrix.From(features, n, columns, where)
	e.largest = vector.From(e.most, where)
	e.codes = matrix.From(len(c.Codes), n, slices.Concat(c.Codes...), where)
	e.costs = matrix.From(len(c.Costs), c.Width, slices.Concat(c.Costs...), where)
	return e
}

func (e *evaluator) free() {
	e.x.Free()
	e.largest.Free()
	e.codes.Free()
	e.costs.Free()
	if e.counts != nil {
		e.counts.free()
	}
	if e.release != nil {
		e.release()
	}
}

// states is the weights of some states of a search on the devices, and their problems.
type stateSet struct {
	weights  *matrix.Matrix[float64]
	problems *vector.Vector[int32]
}

func (e *evaluator) upload(weights [][]float64, problems []int32) *stateSet {
	where := vector.Copy(e.devices...)
	return &stateSet{
		matrix.From(len(weights), len(e.data.Features), slices.Concat(weights...), where), vector.From(problems, where),
	}
}

func (s *stateSet) free() {
	s.weights.Free()
	s.problems.Free()
}

// run appends the least cost of each candidate to result.
func (e *evaluator) run(
	ctx context.Context, result []float64, s *stateSet, list []candidate,
) ([]float64, error) {
	result = slices.Grow(result, len(list))
	rows := max(1, e.batch/e.data.N())
	for part := range slices.Chunk(list, rows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if result, err = e.runBatch(result, s, part); err != nil {
			return nil, err
		}
	}
	e.evaluated += int64(len(list))
	return result, nil
}

// runBatch appends the least cost of each candidate of a batch to result.
func (e *evaluator) runBatch(result []float64, s *stateSet, list []candidate) ([]float64, error) {
	c, p := len(list), len(e.data.Features)
	where := app.Distribute(e.devices, 8*int64(c)*int64(e.data.N()))
	e.used = app.DeviceNames(where)
	all := vector.From(list, where)
	defer all.Free()
	w := weights.With(candidates{all.View(), s.weights.View()}).ApplyMatrix(matrix.Indices(c, p, where))
	defer w.Free()
	if e.counts != nil {
		costs := e.tally(tallied{
			w.View(), e.counts.x.View(), e.codes.View(), all.View(), s.problems.View(), e.counts.span.View(),
			e.costs.View(), e.Rule,
		}, c, where)
		defer costs.Free()
		found, err := costs.Host()
		return append(result, found...), err
	}
	b := bounds{w.View(), e.largest.View(), all.View(), s.problems.View()}
	scales := scalings.With(b).Apply(vector.Indices(c, where))
	defer scales.Free()
	v := valued{w.View(), scales.View(), e.x.View(), e.codes.View()}
	if e.sorts {
		return e.runSorted(result, v, c, where)
	}
	costs := smalls[e.Width].With(smallArgs{v, e.costs.View(), e.Rule}).Apply(vector.Indices(c, where))
	defer costs.Free()
	found, err := costs.Host()
	return append(result, found...), err
}

// runSorted appends the least costs of c candidates to result, from sorted rows of keys.
func (e *evaluator) runSorted(result []float64, v valued, c int, where vector.Distribution) ([]float64, error) {
	order, codeBits := e.sort(v, c, where)
	defer order.Free()
	costs := e.least(sorted{order.View(), e.costs.View(), e.Rule, int32(codeBits)}, c, where)
	defer costs.Free()
	found, err := costs.Host()
	return append(result, found...), err
}

// sort returns the sorted keys of c candidates, and the number of bits of their codes.
func (e *evaluator) sort(v valued, c int, where vector.Distribution) (*matrix.Matrix[int64], int) {
	at := matrix.Indices(c, e.data.N(), where)
	if few := bits.Len(uint(len(e.Costs) - 1)); e.packs && e.long() && bits.Len(uint(c-1))+valueBits+1+few < 64 {
		pending := packed.With(packing{v, int32(few)}).ApplyMatrix(at)
		defer pending.Free() // else it would be computed when its inputs are freed
		return matrix.Of(ordered.Apply(pending.Vector()), c, e.data.N()), few
	}
	pending := keys.With(v).ApplyMatrix(at)
	defer pending.Free()
	return ordered.Rows(pending), codeBits
}

// long reports whether rows are cut into pieces.
func (e *evaluator) long() bool { return e.data.N() >= longRow && e.Width <= 8 }

// least returns the least costs of sorted rows.
func (e *evaluator) least(s sorted, rows int, where vector.Distribution) *vector.Vector[float64] {
	if e.long() {
		at := matrix.Indices(rows, (e.data.N()+pieceLength-1)/pieceLength, where)
		switch e.Width {
		case 2:
			return long2.least(at, s)
		case 3:
			return long3.least(at, s)
		case 4:
			return long4.least(at, s)
		case 5:
			return long5.least(at, s)
		}
		return long8.least(at, s)
	}
	return leasts[e.Width].With(s).Apply(vector.Indices(rows, where))
}

func (l *long[Q]) least(at matrix.IndexMatrix, s sorted) *vector.Vector[float64] {
	pending := l.pieces.With(s).ApplyMatrix(at)
	rows := l.joined.With(s.Rule).Rows(pending)
	pending.Free() // else it would be computed when the sorted keys are freed
	defer rows.Free()
	costs := l.totals.With(s.Rule).Apply(rows)
	_ = costs.Wait() // before rows is freed; costs keeps the error
	return costs
}
