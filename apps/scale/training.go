package scale

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/skelgo/skelgo/devices"
)

// trained is the best scale for a training set.
type trained struct {
	*Result
	data  *Data // all objects, with the medians of the set in the place of missing values
	order []int // the groups of the model, as indices of those of the data; nil means 0, 1, ...
}

// findEach finds a scale for each training set: how often each object is in it. Sets with the same medians
// are searched at once. It returns ErrTimeLimit if the searches do not end within the time limit.
func findEach(
	ctx context.Context, d *Data, o Options, sets [][]int32, devs []*devices.Device,
) ([]trained, error) {
	timed, stop := o.limit(ctx)
	defer stop()
	o.TimeLimit, o.Found = 0, nil
	all := [][]int{nil}
	if o.Unordered {
		if err := checkOrders(d); err != nil {
			return nil, err
		}
		all = orders(len(d.Groups))
	}
	var keys []string
	alike := map[string][]int{} // the sets with the same medians
	for s, times := range sets {
		key := fmt.Sprint(d.medians(times))
		if alike[key] == nil {
			keys = append(keys, key)
		}
		alike[key] = append(alike[key], s)
	}
	best, journal := make([]trained, len(sets)), o.checkpoint
	for number, key := range keys {
		data := d.fill(d.medians(sets[alike[key][0]]))
		var problems []problem
		for _, s := range alike[key] {
			for n, order := range all {
				problems = append(problems, problem{Times: sets[s], Order: order, Number: s*len(all) + n})
			}
		}
		o.checkpoint = journal.part(strconv.Itoa(number))
		results, err := findAll(timed, data, &o, problems, devs)
		if outOfTime(ctx, err) {
			return nil, ErrTimeLimit
		}
		if err != nil {
			return nil, err
		}
		for i, r := range results {
			if s := alike[key][i/len(all)]; best[s].Result == nil || r.Cost < best[s].Cost {
				best[s] = trained{r, data, all[i%len(all)]}
			}
		}
	}
	return best, nil
}

// outcome assigns all objects, of which those that are chosen count.
func (t *trained) outcome(chosen func(i int) bool) *outcome {
	o := t.Model.outcome(t.data, chosen)
	if t.order == nil {
		return o
	}
	for i, a := range o.assigned {
		if a != Undecided {
			o.assigned[i] = t.order[a]
		}
	}
	likely := make([][]ranked, len(t.order))
	for s, g := range t.order {
		likely[g] = o.likely[s]
	}
	o.likely = likely
	return o
}

// medians returns the median of each feature that has missing values, among the objects of a training set,
// and NaN for the others. It returns nil if no value is missing.
func (d *Data) medians(times []int32) []float64 {
	if !slices.Contains(d.Missing, true) {
		return nil
	}
	list := slices.Repeat([]float64{math.NaN()}, len(d.Features))
	for at, missing := range d.Missing {
		if j := at % len(d.Features); missing && !defined(list[j]) {
			list[j] = d.median(j, times)
		}
	}
	return list
}

// median returns the median of the known values of feature j among the objects of a training set; nil means
// all. It is NaN if none is known.
func (d *Data) median(j int, times []int32) float64 {
	var known []float64
	for i := range d.N() {
		at := i*len(d.Features) + j
		switch {
		case d.Missing[at]:
		case times == nil:
			known = append(known, d.X[at])
		default:
			known = append(known, slices.Repeat([]float64{d.X[at]}, int(times[i]))...)
		}
	}
	if len(known) == 0 {
		return math.NaN()
	}
	slices.Sort(known)
	m := len(known) / 2
	if len(known)%2 == 0 {
		return middle(known[m-1], known[m])
	}
	return known[m]
}

// fill returns the data with medians in the place of missing values. Values for which there is no median
// stay as they are.
func (d *Data) fill(medians []float64) *Data {
	if medians == nil {
		return d
	}
	filled := *d
	filled.X = slices.Clone(d.X)
	for at := range filled.X {
		if m := medians[at%len(d.Features)]; d.Missing[at] && defined(m) {
			filled.X[at] = m
		}
	}
	return &filled
}
