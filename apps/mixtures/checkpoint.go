package mixtures

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
)

// state is what a checkpoint has of a call of FitSets. It does not depend on batches, whose cut depends
// on the devices.
type state struct {
	Sets    []Fits               // the results for the numbers of components that have ended
	Numbers int                  // how many numbers of components have ended
	Groups  int                  // how many groups of the bootstrap have ended
	Sums    map[int][]deviations // over the samples of these groups, by data set
	Count   int                  // of the fits that have ended
	Round   round
}

// round is what a checkpoint has of a call of run.
type round struct {
	Best    map[int]*Fit  // of the fits that have ended, by data set
	Ended   []bool        // whether a fit has ended
	Running map[int]stage // where a fit is that has not
}

// stage is where a fit is after an iteration.
type stage struct {
	Next, Kept []Component
	Progress   []progress
}

// store holds the state, which all batches change. When it is to be saved, a turn begins: each batch
// that runs adds the stages of its fits or, if it ends first, their results. The last one saves.
type store struct {
	checkpoint *checkpoint.File
	late       func() bool  // over several ranks: whether the batches of this rank are to pause; nil otherwise
	done       atomic.Int64 // fits that have ended, also in batches that have not

	lock    sync.Mutex
	state   state
	turn    int
	running int // batches
	waiting int // those of them that have added nothing in this turn
}

// restore takes the state from the checkpoint.
func (f *fitting) restore() error {
	s := &f.store.state
	found, err := f.store.checkpoint.Load(s)
	if err != nil {
		return err
	}
	if s.Sets == nil {
		s.Sets = make([]Fits, len(f.sets))
	}
	if s.Sums == nil {
		s.Sums = map[int][]deviations{}
	}
	f.store.done.Store(int64(s.Count))
	if found && f.o.restored != nil {
		f.o.restored(s.Count)
	}
	return nil
}

// beginRound begins a round, or goes on with it. It returns the jobs that have not ended.
func (f *fitting) beginRound(jobs []start) []start {
	r := &f.store.state.Round
	if r.Ended == nil {
		r.Ended = make([]bool, len(f.sets)*f.o.Starts)
	}
	if r.Best == nil {
		r.Best = map[int]*Fit{}
	}
	if r.Running == nil {
		r.Running = map[int]stage{}
	}
	return slices.DeleteFunc(jobs, func(j start) bool { return r.Ended[f.index(j)] })
}

// index returns the number of a job among all starts of all data sets.
func (f *fitting) index(j start) int { return j.set*f.o.Starts + j.number }

// endRound ends a round and returns its best fits.
func (f *fitting) endRound() map[int]*Fit {
	best := f.store.state.Round.Best
	f.store.state.Round = round{}
	return best
}

// beginBatch takes the fits of a batch to where they were.
func (f *fitting) beginBatch(b *batch) {
	s := f.store
	s.lock.Lock()
	defer s.lock.Unlock()
	s.running++
	b.turn = s.turn
	for i, j := range b.jobs {
		if from, ok := s.state.Round.Running[f.index(j)]; ok {
			b.resume(i, from)
		}
	}
}

// resume takes a fit to where it was.
func (b *batch) resume(fit int, from stage) {
	if b.progress == nil {
		b.kept, b.progress = slices.Clone(b.components), make([]progress, len(b.components))
	}
	at := fit * b.m
	copy(b.components[at:], from.Next)
	copy(b.kept[at:], from.Kept)
	copy(b.progress[at:], from.Progress)
}

// errPaused ends a batch whose stages are in the state, because all ranks save.
var errPaused = errors.New("paused")

// pause adds the stages of the fits of a batch to the state, once in each turn. Over several ranks,
// it ends the batch when the state is to be saved.
func (f *fitting) pause(b *batch, now session) error {
	s := f.store
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.late == nil {
		s.beginTurn()
	}
	if s.late == nil && b.turn == s.turn || s.late != nil && !s.late() {
		return nil
	}
	if err := now.read(b); err != nil {
		return err
	}
	if err := now.readNext(b); err != nil {
		return err
	}
	for i, j := range b.jobs {
		from, to := i*b.m, (i+1)*b.m
		s.state.Round.Running[f.index(j)] = stage{b.components[from:to], b.kept[from:to], b.progress[from:to]}
	}
	if s.late != nil {
		return errPaused
	}
	s.added(b)
	return nil
}

// endBatch adds the results of a batch to the state.
func (f *fitting) endBatch(b *batch, fits []*Fit) {
	s := f.store
	s.lock.Lock()
	defer s.lock.Unlock()
	s.beginTurn()
	r := &s.state.Round
	for i, j := range b.jobs {
		r.add(j.set, fits[i])
		r.Ended[f.index(j)] = true
		delete(r.Running, f.index(j))
	}
	s.state.Count += len(fits)
	s.added(b)
	s.running--
}

// add adds a fit that has ended. Of equal ones the first start is the best, whichever ends first.
func (r *round) add(set int, x *Fit) {
	b := r.Best[set]
	if b == nil || x.better(b, x.LogLik > b.LogLik || x.LogLik == b.LogLik && x.Start < b.Start) {
		r.Best[set] = x
	}
}

// beginTurn begins a turn if one is due and the last one has ended.
func (s *store) beginTurn() {
	if s.waiting == 0 && s.checkpoint.Due() {
		s.turn++
		s.waiting = s.running
	}
}

// added notes that a batch has added its part, and saves the state if it is the last one of the turn.
func (s *store) added(b *batch) {
	if b.turn == s.turn {
		return
	}
	b.turn = s.turn
	if s.waiting--; s.waiting == 0 {
		s.checkpoint.Save(&s.state)
	}
}

// GobEncode implements gob.GobEncoder. Without it, gob makes 0 of a field that is -0.
func (c Component) GobEncode() ([]byte, error) { return binary.Append(nil, binary.LittleEndian, c) }

// GobDecode implements gob.GobDecoder.
func (c *Component) GobDecode(p []byte) error {
	_, err := binary.Decode(p, binary.LittleEndian, c)
	return err
}

// facts returns what the result depends on.
func (j *job) facts() ([]checkpoint.Fact, error) {
	values, lengths := make([][]float64, len(j.sets)), make([]int64, len(j.sets))
	for i, s := range j.sets {
		values[i], lengths[i] = s.Values, int64(len(s.Values))
	}
	components, starts, maxIter := "--components", "--starts", "--max-iter"
	if j.Bulkem {
		components, starts, maxIter = "--num.components", "--random.inits", "--max.iters"
	}
	o := &j.fit
	init := string(o.Init)
	if o.Given != nil {
		init = "a file of " + checkpoint.Digest(o.Given)
	}
	return checkpoint.Facts(
		"the command", "mixtures", "--bulkem", j.Bulkem, "--family", o.Family, "--init", init,
		components, fmt.Sprintf("%d-%d", o.MinComponents, o.MaxComponents), starts, o.Starts, "--seed", o.Seed,
		"--tol", valueOr(j.Tol, DefaultTolerance), "--epsilon", o.Epsilon, maxIter, o.MaxIter,
		"--old-mean", o.OldMean, "--bootstrap", o.Bootstrap,
		"the data", checkpoint.Digest(values...)+", lengths: "+checkpoint.Digest(lengths),
	), nil
}
