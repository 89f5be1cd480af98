package grid

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Options are the options of Minimize. The zero value finds the minimum only.
type Options struct {
	Where vector.Distribution // the devices; the zero value means the default

	Top    int      // find the nodes with the least values, this many
	Local  bool     // find all local minima
	Level  *float64 // find the nodes whose values are below this
	Refine int      // search finer grids around the best nodes, so many times
	Polish Polish   // improve the minimum by an iteration on the host

	// Progress is called when a search begins and after each block, with the name of the search and
	// the number of its nodes that are done.
	Progress func(what string, done, nodes int)
	// Found is called after each block of the search for the minimum that has a node with a lesser
	// value than all blocks before it.
	Found func(n Node)

	state *state // nil: that of a run that begins
}

// searchMinimum is the name of the search for the minimum.
const searchMinimum = "minimum"

// Node is a node of a grid, or in a polished result any point.
type Node struct {
	Position int       `json:"position"`
	Argument []float64 `json:"argument"`
	Value    float64   `json:"value"`
}

// Result is the result of Minimize.
type Result struct {
	Nodes          int
	Minimum        *Node // nil if no value is finite
	NaNs, Infs     int
	Top, Minima    []Node
	Below          *Below   // with Level
	Refined        *Refined // with Refine
	Polished       *Node    // with Polish; its position is that of the minimum
	AllLocalMinima int      // the number of local minima, of which Minima has the best
}

// best is the least of some values, and how many were not finite.
type best struct {
	Value float64
	Node  uint32 // number in the block
	Lost  uint32
}

// candidate returns the value of node i as the best of one value.
func candidate(v float64, i int) best {
	if v-v != 0 {
		return best{math.Inf(1), uint32(i), 1}
	}
	return best{v, uint32(i), 0}
}

// better returns the better of a and b. If the values are equal, the lower node wins.
func better(a, b best) best {
	lost := a.Lost + b.Lost
	if b.Value < a.Value || b.Value == a.Value && b.Node < a.Node {
		a = b
	}
	a.Lost = lost
	return a
}

// kind counts a value that is not finite: NaNs in the upper half, infinities in the lower one.
func kind(v float64) int {
	switch {
	case v != v:
		return 1 << 32
	case v-v != 0:
		return 1
	}
	return 0
}

var (
	candidates = skel.NewZip(candidate)
	minimum    = skel.NewReduce(better, best{Value: math.Inf(1)})
	kinds      = skel.NewMap(kind)
	total      = skel.NewReduce(skel.Sum[int]())
)

// Blocks have at least firstBlock and at most lastBlock nodes. They become longer until a block takes more
// than half of blockTime, so that a command can show progress and be interrupted.
const blockTime = 200 * time.Millisecond

// They are variables for tests.
var (
	firstBlock = 1 << 20 // a multiple of pieceLen
	lastBlock  = 1 << 30
)

// search is a search of one grid.
type search struct {
	ctx     context.Context
	f       *Function
	axes    Axes
	nodes   int
	where   vector.Distribution
	options *Options
	state   *state
	lines   [MaxDim]line
	table   *vector.Vector[float64]
	tabled  bool // the table has all terms of the function
	strided bool // formulas are evaluated by strided runs, or node by node, and not by runs
}

// Minimize evaluates a function at every node of a grid and returns the least value. It returns an
// error if the axes are not those of a grid, or if there are not as many as the function has variables.
func Minimize(ctx context.Context, f *Function, axes Axes, o Options) (*Result, error) {
	s, err := newSearch(ctx, f, axes, &o)
	if err != nil {
		return nil, err
	}
	defer s.free()
	r := &Result{Nodes: s.nodes}
	least, err := s.minimize(&s.state.Minimum)
	r.NaNs, r.Infs = least.NaNs, least.Infs
	if err != nil || least.Best == nil {
		if o.Top > 0 {
			r.Top = []Node{}
		}
		if o.Local {
			r.Minima = []Node{}
		}
		if o.Level != nil {
			r.Below = &Below{Level: *o.Level}
		}
		return r, err
	}
	r.Minimum = new(axes.node(*least.Best))
	if o.Top > 0 {
		if r.Top, err = s.top(o.Top); err != nil {
			return nil, err
		}
	}
	if o.Local {
		if r.Minima, r.AllLocalMinima, err = s.minima(); err != nil {
			return nil, err
		}
	}
	if o.Level != nil {
		if r.Below, err = s.below(*o.Level, r.Minimum); err != nil {
			return nil, err
		}
	}
	if o.Refine > 0 {
		around := r.Top
		if o.Top == 0 {
			around = []Node{*r.Minimum}
		}
		if r.Refined, err = s.refine(around); err != nil {
			return nil, err
		}
	}
	if o.Polish != NoPolish {
		r.Polished = polish(f, axes, o.Polish, r)
	}
	return r, nil
}

// newSearch prepares a search: it copies the tables to the devices.
func newSearch(ctx context.Context, f *Function, axes Axes, o *Options) (*search, error) {
	if err := axes.check(); err != nil {
		return nil, err
	}
	if len(axes) != f.Dim {
		return nil, fmt.Errorf("%s has %d variables, but there %s", f.Name, f.Dim, axesText(len(axes)))
	}
	s := &search{ctx: ctx, f: f, axes: axes, nodes: axes.Nodes(), where: o.Where, options: o,
		state: cmp.Or(o.state, new(state)), tabled: f.usesTables(axes)}
	if len(s.where.Devices()) == 0 {
		if s.where = vector.Block(); s.nodes < firstBlock && s.where.Err() == nil {
			s.where = vector.Single(s.where.Device())
		}
	}
	if err := s.where.Err(); err != nil {
		return nil, err
	}
	s.strided = usesStridedRuns(s.where)
	var table []float64
	for k := range MaxDim {
		s.lines[k] = line{Count: 1, Inverse: 1, Table: -1}
		if k < len(axes) {
			a := axes[k]
			s.lines[k] = line{Begin: a.Begin, Step: a.Step, Inverse: 1 / float64(a.Count), Count: a.Count, Table: -1}
			if rows := f.tableRows(axes, k); rows > 0 {
				s.lines[k].Table = len(table)
				table = append(table, f.tableOf(a, k, rows)...)
			}
		}
	}
	if len(table) == 0 {
		table = []float64{0} // a view needs a container
	}
	s.table = vector.From(table, vector.Copy(s.where.Devices()...))
	return s, nil
}

func (s *search) free() { s.table.Free() }

// tabled is the largest number of nodes of all axes together for which functions use tables.
const tabled = 1 << 22

// usesTables reports whether a function uses tables on a grid.
func (f *Function) usesTables(axes Axes) bool {
	if f.tables == nil || len(axes) < 2 {
		return false
	}
	sum := 0
	for _, a := range axes {
		if sum += a.Count; sum > tabled {
			return false
		}
	}
	return true
}

// tableRows returns the number of rows of the table of axis k; 0 if it needs none.
func (f *Function) tableRows(axes Axes, k int) int {
	switch {
	case f.usesTables(axes):
		return f.tables.rows(k)
	case axes[k].Geometric:
		return 1
	}
	return 0
}

// tableOf computes the table of an axis.
func (f *Function) tableOf(a Axis, k, rows int) []float64 {
	n := a.Count
	table := make([]float64, rows*n)
	part := max(1024, (n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for lo := 0; lo < n; lo += part {
		all.Go(func() {
			hi := min(lo+part, n)
			for i := lo; i < hi; i++ {
				table[i] = a.At(i)
			}
			for r := 1; r < rows; r++ {
				f.tables.fill(k, r, table[r*n+lo:r*n+hi], table[lo:hi])
			}
		})
	}
	all.Wait()
	return table
}

// from returns the block that begins at a position.
func (s *search) from(position int) *block {
	b := &block{Lines: s.lines, Dim: len(s.axes), Table: s.table.View()}
	for k, i := range s.axes.Indices(position) {
		b.Lines[k].First = i
	}
	return b
}

// evaluate returns the values at some nodes of a block, as a pending expression.
func (s *search) evaluate(b *block, nodes vector.Source[int]) *vector.Vector[float64] {
	return s.f.values(b, s.tabled, nodes)
}

// indices returns the numbers of the nodes of a block.
func (s *search) indices(n int) vector.IndexVector { return vector.Indices(n, s.where) }

// values returns the values at n nodes from a position on, as a pending expression.
func (s *search) values(position, n int) *vector.Vector[float64] {
	return s.evaluate(s.from(position), s.indices(n))
}

// bests returns the best nodes of the runs of n nodes from a position on, or of single nodes. It also
// returns the length of a run.
func (s *search) bests(position, n int) (v *vector.Vector[best], run int) {
	if s.f.runs == nil || s.strided {
		return candidates.Apply(s.values(position, n), s.indices(n)), 1
	}
	b := s.from(position)
	b.Nodes = n
	return s.f.runs(s.tabled, false).With(*b).Apply(s.indices((n + runLen - 1) / runLen)), runLen
}

// bestsAnywhere returns the best nodes of parts of n nodes from a position on. Unlike those of bests, the
// parts need not be neighbouring nodes.
func (s *search) bestsAnywhere(position, n int) *vector.Vector[best] {
	if s.f.runs == nil || !s.strided {
		v, _ := s.bests(position, n)
		return v
	}
	b := s.from(position)
	b.Nodes, b.Run = n, stridedLen(n)
	return s.f.runs(s.tabled, true).With(*b).Apply(s.indices(stridedRuns(n, b.Run)))
}

// each calls do for every block of at most most nodes that the pass p has left, and shows progress. While
// the next block is computed, it passes the result of the last one to done, which adds it to p.Found. Then
// it saves the state, if that is due; the next block is not in it.
func each[T, A any](s *search, p *pass[A], what string, most int,
	do func(position, n int) (later func() (T, error)), done func(position, n int, result T) error,
) error {
	type running struct {
		position, n int
		later       func() (T, error)
	}
	report := func() {
		if s.options.Progress != nil {
			s.options.Progress(what, p.Done, s.nodes)
		}
	}
	var last *running
	finish := func() error {
		if last == nil {
			return nil
		}
		r, err := last.later()
		if err != nil {
			return err
		}
		if err := done(last.position, last.n, r); err != nil {
			return err
		}
		p.Done = last.position + last.n
		report()
		s.state.save()
		return nil
	}
	report()
	most = min(most, lastBlock)
	size, start := min(firstBlock, most), time.Now()
	for position := p.Done; position < s.nodes; {
		if err := s.ctx.Err(); err != nil {
			if last != nil {
				_, _ = last.later() // frees what the block holds; the search has ended
			}
			return err
		}
		n := min(size, s.nodes-position)
		next := &running{position, n, do(position, n)}
		if err := finish(); err != nil {
			return err
		}
		now := time.Now()
		if last != nil {
			size = min(longer(size, devices.Agree(now.Sub(start)), last.n), most)
		}
		last, start = next, now
		position += n
	}
	return finish()
}

// longer returns the length of the block that follows one of the given length. That one has just begun, and
// the nodes of the block before it took some time. The next block is at most 8 times as long, because a short
// block says little about a long one.
func longer(length int, took time.Duration, nodes int) int {
	expected := float64(took) / float64(nodes) * float64(length)
	for k := 0; k < 3 && 2*expected <= float64(blockTime); k++ {
		length, expected = 2*length, 2*expected
	}
	return length
}

// minimize finds the least value of all. It counts those that are not finite.
func (s *search) minimize(p *pass[lowest]) (lowest, error) {
	all := &p.Found
	found := func() {
		if all.Best != nil && s.options.Found != nil {
			s.options.Found(s.axes.node(*all.Best))
		}
	}
	found() // again, if the run goes on
	err := each(s, p, searchMinimum, lastBlock, func(at, n int) func() (best, error) {
		return minimum.Apply(s.bestsAnywhere(at, n)).Later()
	}, func(at, n int, b best) error {
		if b.Value < all.value() {
			all.Best = &spot{at + int(b.Node), exact{b.Value}}
			found()
		}
		if b.Lost == 0 {
			return nil
		}
		// Few functions have such values, so the first pass does not tell their kinds apart.
		c, err := total.Apply(kinds.Apply(s.values(at, n))).Value()
		all.NaNs += c >> 32
		all.Infs += c & (1<<32 - 1)
		return err
	})
	return *all, err
}
