package scale

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
)

// journal has the state of a job for its checkpoint: where the searches of each call of findAll are.
// The methods of a nil *journal do nothing.
type journal struct {
	file   *checkpoint.File
	name   string            // of the searches at hand
	stages map[string]*stage // of all searches of the job, by name
}

// stage is where searches were after a round.
type stage struct {
	Beaming   bool // as in progress, like Idle
	Idle      int
	Evaluated int64
	Searches  []*saved

	states []*state // from which Searches follow when they are saved; nil if they are those of the file
}

// saved is what the next round of a search needs. It has no line, but what was learned along it: the gaps
// are found again.
type saved struct {
	Problem, Start       int
	Weights, Best        []float64
	Cost, BestCost       float64
	Feature, Idle, Kicks int
	Pairs, Done          bool
	Path                 []Step
	Random               *rand.PCG
	Learned              *learned

	line *line
}

// learned is what is known of the gaps of a line.
type learned struct {
	Evaluated []int     // gaps
	Costs     []float64 // of them
	Guessed   []int     // gaps whose costs are their bounds
}

// newJournal returns the journal of a job, with what its checkpoint has.
func newJournal(f *checkpoint.File) (*journal, error) {
	if f == nil {
		return nil, nil
	}
	j := &journal{file: f}
	if _, err := f.Load(&j.stages); err != nil {
		return nil, err
	}
	if j.stages == nil {
		j.stages = map[string]*stage{}
	}
	return j, nil
}

// part returns the journal for some searches of the job.
func (j *journal) part(name string) *journal {
	if j == nil {
		return nil
	}
	return &journal{j.file, j.name + "/" + name, j.stages}
}

// begin keeps where searches are before a round, in which they change.
func (j *journal) begin(active []*state) {
	if j == nil {
		return
	}
	for _, s := range active {
		s.before = s.saved()
	}
}

// end keeps where searches are after a round of some of them, and saves it if it is time.
func (j *journal) end(e *evaluator, p *progress, active []*state) {
	if j == nil {
		return
	}
	for _, s := range active {
		s.before = nil
	}
	j.stages[j.name] = &stage{Beaming: p.beaming, Idle: p.idle, Evaluated: e.evaluated, states: p.states}
	if j.file.Due() {
		j.save()
	}
}

// save saves where searches were when end was called last, also in the middle of a round.
func (j *journal) save() {
	if j == nil {
		return
	}
	for _, at := range j.stages {
		at.encode()
	}
	j.file.Save(&j.stages)
}

// encode sets Searches.
func (at *stage) encode() {
	if at.states == nil {
		return
	}
	at.Searches = nil
	random := map[*rand.PCG]*rand.PCG{} // before the round; the searches of a beam share those of their starts
	for _, s := range at.states {
		if s.before != nil {
			random[s.random] = s.before.Random
		}
	}
	for _, s := range at.states {
		k := s.before
		if k == nil {
			k = s.saved()
		}
		k.Random = cmp.Or(random[s.random], s.random)
		if k.line != nil {
			k.Learned = k.line.learned()
		}
		at.Searches = append(at.Searches, k)
	}
}

// restore takes searches to where they were, and reports whether the journal has them.
func (j *journal) restore(e *evaluator, p *progress) bool {
	if j == nil || j.stages[j.name] == nil {
		return false
	}
	at := j.stages[j.name]
	*p = progress{beaming: at.Beaming, idle: at.Idle}
	e.evaluated = at.Evaluated
	type start struct{ problem, number int }
	random := map[start]*rand.PCG{} // one for the searches from each start
	for _, k := range at.Searches {
		from := start{k.Problem, k.Start}
		if random[from] == nil {
			r := *k.Random
			random[from] = &r
		}
		p.states = append(p.states, &state{
			problem: k.Problem, start: k.Start, weights: slices.Clone(k.Weights), best: k.Best, cost: k.Cost,
			bestCost: k.BestCost, feature: k.Feature, idle: k.Idle, kicks: k.Kicks, pairs: k.Pairs, done: k.Done,
			path: k.Path, random: random[from], learned: k.Learned,
		})
	}
	return true
}

// saved copies what later rounds change in place.
func (s *state) saved() *saved {
	random := *s.random
	return &saved{
		Problem: s.problem, Start: s.start, Weights: slices.Clone(s.weights), Best: s.best, Cost: s.cost,
		BestCost: s.bestCost, Feature: s.feature, Idle: s.idle, Kicks: s.kicks, Pairs: s.pairs, Done: s.done,
		Path: s.path, Random: &random, Learned: s.learned, line: s.line,
	}
}

// learned returns what is known of the gaps. In a round that does not end, the search may have guessed
// more costs: it guesses them again in the same round.
func (l *line) learned() *learned {
	k := new(learned)
	for g, c := range l.costs {
		switch {
		case math.IsNaN(c):
		case l.guessed(g):
			k.Guessed = append(k.Guessed, g)
		default:
			k.Evaluated, k.Costs = append(k.Evaluated, g), append(k.Costs, c)
		}
	}
	return k
}

// learn is the inverse of learned.
func (l *line) learn(k *learned) {
	if k == nil {
		return
	}
	for i, g := range k.Evaluated {
		l.know(g, k.Costs[i])
	}
	l.guess(k.Guessed)
}

// complete reports whether the time limit ended nothing.
func (j *job) complete() bool {
	return j.result.Finished && (j.CV == 0 || j.validation != nil) && (j.Bootstrap == 0 || j.resampling != nil)
}

// facts returns what the result depends on. The time limit is none of it.
func (j *job) facts() ([]checkpoint.Fact, error) {
	d, uncertain := j.data.Data, ""
	if j.Uncertain != nil {
		uncertain = fmt.Sprint(*j.Uncertain)
	}
	return checkpoint.Facts(
		"the command", "scale",
		"the data", fmt.Sprintf("%d objects of %d features: %s", d.N(), len(d.Features), checkpoint.Digest(d.X)),
		"--features", strings.Join(d.Features, ","), "--order", strings.Join(d.Groups, ","),
		"--group", checkpoint.Digest(d.Group), "--weights", checkpoint.Digest(d.Weights),
		"--missing", checkpoint.Digest(d.Missing), "--evaluate", j.Evaluate, "--search", j.Search,
		"--integer", j.Integer, "--bounds", j.Bounds, "--bound", strings.Join(j.Bound, " "), "--step", j.Step,
		"--start", j.Start, "--starts", j.settings.Starts, "--seed", j.Seed, "--kicks", j.Kicks,
		"--max-features", j.MaxFeatures, "--beam", j.Beam, "--cost", strings.Join(j.Cost, " "),
		"--uncertain", uncertain, "--allow-empty", j.AllowEmpty, "--unordered", j.Unordered, "--cv", j.CV,
		"--repeats", j.Repeats, "--bootstrap", j.Bootstrap, "--cv-starts", j.CVStarts,
	), nil
}
