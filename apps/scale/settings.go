package scale

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// maxStarts limits the numbers of starts, samples and repeats, for which memory is allocated at once.
const maxStarts = 1_000_000

// check returns an error if options are wrong that do not depend on the data.
func (f *options) check(file string) error {
	switch {
	case f.Integer != "" && f.Bounds != "":
		return app.InputErrorf("--integer and --bounds cannot be combined; --integer has the bounds")
	case f.Starts > maxStarts || f.CVStarts > maxStarts:
		return app.InputErrorf("--starts %d --cv-starts %d: there can be at most %d starts", f.Starts,
			f.CVStarts, maxStarts)
	case f.Bootstrap > maxStarts || f.Repeats > maxStarts:
		return app.InputErrorf("--bootstrap %d --repeats %d: there can be at most %d", f.Bootstrap,
			f.Repeats, maxStarts)
	case f.Starts < 0 || f.CVStarts < 1:
		return app.InputErrorf("--starts %d --cv-starts %d: there must be at least 1 start", f.Starts, f.CVStarts)
	case f.Step < 0 || f.Step != f.Step || math.IsInf(f.Step, 1):
		return app.InputErrorf("--step %v: it must be positive", f.Step)
	case f.MaxFeatures < 0 || f.Beam < 0 || f.Kicks < 0:
		return app.InputErrorf("--max-features, --beam and --kicks cannot be negative")
	case f.TimeLimit < 0:
		return app.InputErrorf("--time-limit %v: it must be positive", f.TimeLimit)
	case f.Kicks > 0 && f.Integer == "":
		return app.InputErrorf("--kicks needs --integer")
	case f.Beam > 0 && f.Search == string(Descent):
		return app.InputErrorf("--beam cannot be combined with --search descent")
	case f.CV < 0 || f.CV == 1 || f.Repeats < 1:
		return app.InputErrorf("--cv %d --repeats %d: there must be at least 2 folds and 1 repeat", f.CV, f.Repeats)
	case f.Bootstrap < 0 || f.Bootstrap == 1:
		return app.InputErrorf("--bootstrap %d: at least 2 samples are needed", f.Bootstrap)
	case f.Evaluate != nil && (f.Unordered || f.Start != nil || f.Integer != ""):
		return app.InputErrorf("--evaluate cannot be combined with --start, --integer and --unordered")
	case f.Uncertain != nil && !(*f.Uncertain >= 0 && *f.Uncertain < math.Inf(1)):
		return app.InputErrorf("--uncertain %v: it must be finite and not negative", *f.Uncertain)
	}
	for _, list := range [][]float64{f.Evaluate, f.Start} {
		for _, a := range list {
			if math.IsNaN(a) || math.IsInf(a, 0) {
				return app.InputErrorf("a weight is %v; weights must be finite", a)
			}
		}
	}
	if err := plot.Check(f.Plot); err != nil {
		return app.InputError(err)
	}
	return f.CheckFiles([]output.Named{{Name: file}}, []output.Named{
		{Option: "--save", Name: f.Save}, {Option: "--html", Name: f.HTML}, {Option: "--csv", Name: f.CSV},
		{Option: "--roc", Name: f.ROC}, {Option: "--assigned", Name: f.Assigned}, {Option: "--plot", Name: f.Plot},
	})
}

// settings returns the options of Find for data.
func (f *options) settings(d *Data) (o Options, err error) {
	o = Options{
		Search: Search(f.Search), Integer: f.Integer != "", Step: f.Step, MaxFeatures: f.MaxFeatures, Beam: f.Beam,
		Start: f.Start, Starts: f.Starts, Seed: f.Seed, Kicks: f.Kicks, Empty: f.AllowEmpty,
	}
	if o.Starts == 0 {
		switch {
		case o.Search == Descent:
			o.Starts = 1
		case o.Integer:
			o.Starts = 16
		default:
			o.Starts = 8
		}
	}
	if f.Uncertain != nil {
		o.Costs.Zones, o.Costs.Uncertain = true, *f.Uncertain
	}
	if o.Bounds, err = f.bounds(d.Features); err != nil {
		return o, err
	}
	if err := f.costs(&o.Costs, d.Groups); err != nil {
		return o, err
	}
	for option, list := range map[string][]float64{"--evaluate": f.Evaluate, "--start": f.Start} {
		if list != nil && len(list) != len(d.Features) {
			return o, app.InputErrorf("%s has %s for %s: %s", option, app.Count(len(list), "weight"),
				app.Count(len(d.Features), "feature"), strings.Join(d.Features, ", "))
		}
	}
	return o, nil
}

// bounds returns the bounds of the weights.
func (f *options) bounds(features []string) ([]Bound, error) {
	all := Bound{-1, 1}
	option, text := "--integer", f.Integer
	if text == "" {
		option, text = "--bounds", f.Bounds
	}
	if text != "" {
		var err error
		if all, err = parseBound(text); err != nil {
			return nil, app.InputErrorf("%s %s: %w", option, text, err)
		}
	}
	list := slices.Repeat([]Bound{all}, len(features))
	for _, one := range f.Bound {
		i := strings.LastIndexByte(one, '=')
		if i < 0 {
			return nil, app.InputErrorf("--bound %s: it must be like age=0..5", one)
		}
		j := slices.Index(features, one[:i])
		if j < 0 {
			return nil, app.InputErrorf("--bound %s: no such feature; available: %s", one, strings.Join(features, ", "))
		}
		var err error
		if list[j], err = parseBound(one[i+1:]); err != nil {
			return nil, app.InputErrorf("--bound %s: %w", one, err)
		}
	}
	return list, nil
}

// parseBound reads two numbers with two dots between them.
func parseBound(s string) (Bound, error) {
	low, high, found := strings.Cut(s, "..")
	a, err1 := strconv.ParseFloat(low, 64)
	b, err2 := strconv.ParseFloat(high, 64)
	if !found || cmp.Or(err1, err2) != nil {
		return Bound{}, fmt.Errorf("it must be two numbers, such as -5..5")
	}
	if !(a <= b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return Bound{}, fmt.Errorf("the first number must not be larger than the second")
	}
	return Bound{a, b}, nil
}

// costs reads the costs of mistakes: of a couple of groups, or of all mistakes of a group. Later ones
// replace earlier ones.
func (f *options) costs(c *Costs, groups []string) error {
	if f.Cost == nil {
		return nil
	}
	for t := range groups {
		row := slices.Repeat([]float64{1}, len(groups))
		row[t] = 0
		c.Matrix = append(c.Matrix, row)
	}
	for _, one := range f.Cost {
		names, value, found := strings.Cut(one, "=")
		truth, assigned, both := strings.Cut(names, ":")
		cost, err := strconv.ParseFloat(value, 64)
		if !found || err != nil || !(cost >= 0) || math.IsInf(cost, 1) {
			return app.InputErrorf("--cost %s: it must be like severe:healthy=5, or severe=5 for all "+
				"mistakes of a group", one)
		}
		t, a := slices.Index(groups, truth), slices.Index(groups, assigned)
		if t < 0 || both && a < 0 {
			return app.InputErrorf("--cost %s: no such group; available: %s", one, strings.Join(groups, ", "))
		}
		for g := range groups {
			if g == a || !both && g != t {
				c.Matrix[t][g] = cost
			}
		}
	}
	return nil
}
