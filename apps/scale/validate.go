package scale

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

// Validation is how well scales that are found for a part of the objects assign the others.
type Validation struct {
	Folds   int `json:"folds"`
	Repeats int `json:"repeats"`
	// Errors and Uncertain count the objects of each repeat, in which every object is assigned once by a
	// scale that was found without it.
	Errors    []int `json:"errors"`
	Uncertain []int `json:"uncertain"`
	// Mean is the mean of Errors, SD their standard deviation, and Rate the mean as a part of all
	// objects, with the interval of Wilson for as many objects as there are.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Rate float64 `json:"rate"`
	Interval
	// Training is the mean rate of errors among the objects that scales were found for.
	Training float64 `json:"training"`
	// Bootstrap is the interval of Rate by a bootstrap over the objects, with the same scales.
	Bootstrap Interval `json:"bootstrap"`
	// Measures are those of all repeats together, with intervals by the same bootstrap. The area under the
	// ROC curve is the mean over the folds that have objects of the group and others.
	Measures []GroupEstimate `json:"measures"`
}

// CrossValidate finds a scale for all objects but those of each fold, and assigns those of the fold.
// The folds have equal parts of each group. All folds of all repeats are searched at once. The medians of
// missing values and, if Unordered is set, the order of the groups are those of each training set.
func CrossValidate(
	ctx context.Context, d *Data, o Options, folds, repeats int, devs ...*devices.Device,
) (*Validation, error) {
	if folds < 2 || folds > d.N() || repeats < 1 {
		return nil, inputErrorf("%s and %s for %s; there must be at least 2 folds, and no more than objects",
			app.Count(folds, "fold"), app.Count(repeats, "repeat"), app.Count(d.N(), "object"))
	}
	var sets [][]int32
	var fold [][]int // of each object in each repeat
	for r := range repeats {
		fold = append(fold, foldsOf(d, folds, rand.New(rand.NewPCG(o.Seed, 1<<32+uint64(r)))))
		for f := range folds {
			times := make([]int32, d.N())
			for i := range times {
				if fold[r][i] != f {
					times[i] = 1
				}
			}
			sets = append(sets, times)
		}
	}
	o.checkpoint = o.checkpoint.part("cv")
	results, err := findEach(ctx, d, o, sets, devs)
	if err != nil {
		return nil, err
	}
	v := &Validation{Folds: folds, Repeats: repeats, Errors: make([]int, repeats), Uncertain: make([]int, repeats)}
	wrong, trained := 0, 0
	var held []*outcome // of the objects of each fold
	for number, result := range results {
		r, f := number/folds, number%folds
		out := result.outcome(func(i int) bool { return fold[r][i] == f })
		held = append(held, out)
		for i, a := range out.assigned {
			switch {
			case fold[r][i] != f:
				trained++
				if a != d.Group[i] && a != Undecided {
					wrong++
				}
			case a == Undecided:
				v.Uncertain[r]++
			case a != d.Group[i]:
				v.Errors[r]++
			}
		}
	}
	v.Training = float64(wrong) / float64(trained)
	v.summarize(d.N())
	return v, v.resample(ctx, d, held, o.Seed)
}

func (v *Validation) summarize(n int) {
	for _, e := range v.Errors {
		v.Mean += float64(e) / float64(v.Repeats)
	}
	for _, e := range v.Errors {
		v.SD += (float64(e) - v.Mean) * (float64(e) - v.Mean) / float64(max(1, v.Repeats-1))
	}
	v.SD = math.Sqrt(v.SD)
	v.Rate = v.Mean / float64(n)
	v.Interval = wilson(v.Mean, float64(n))
}

// maxDraws and minDraws are the numbers of bootstrap draws of objects, of which there are fewer if
// there are so many objects that they would take long.
const (
	maxDraws, minDraws = 1000, 200
	drawn              = 1 << 28 // objects in all draws
)

// resample finds the intervals of a bootstrap over the objects that scales were not found for.
func (v *Validation) resample(ctx context.Context, d *Data, held []*outcome, seed uint64) error {
	k := len(d.Groups)
	tableOf := func(times []int32) *crossTable {
		t := newCrossTable(k)
		for _, o := range held {
			t.add(o, times)
		}
		return t
	}
	var errors []float64
	var draws [][]rates
	for s := range min(maxDraws, max(minDraws, drawn/(d.N()*v.Repeats*(k+1)))) {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := tableOf(sample(d, rand.New(rand.NewPCG(seed, 3<<32+uint64(s)))))
		errors, draws = append(errors, t.errors()), append(draws, t.rates())
	}
	v.Bootstrap = middleShare(errors)
	value := tableOf(nil).rates()
	v.Measures = estimates(d.Groups, func(g, measure int) *Estimate {
		var list []float64
		for _, r := range draws {
			if defined(r[g][measure]) {
				list = append(list, r[g][measure])
			}
		}
		if len(list) < 2 || !defined(value[g][measure]) {
			return nil
		}
		return &Estimate{Value: value[g][measure], Interval: middleShare(list)}
	})
	return nil
}

// foldsOf returns the fold of each object. The objects of each group are dealt to the folds in a random
// order.
func foldsOf(d *Data, folds int, r *rand.Rand) []int {
	fold := make([]int, d.N())
	next := 0
	for g := range d.Groups {
		var list []int
		for i, t := range d.Group {
			if t == g {
				list = append(list, i)
			}
		}
		r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		for _, i := range list {
			fold[i] = next % folds
			next++
		}
	}
	return fold
}
