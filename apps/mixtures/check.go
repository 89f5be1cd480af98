package mixtures

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
)

// never is a tolerance that is not 0, which would mean the default.
const never = 1e-300

// check returns an error if options are wrong, and sets j.fit.
func (j *job) check() error {
	c := j.options
	family, err := FindFamily(c.Family)
	if err != nil {
		return app.InputErrorf("--family %s: it must be %s", c.Family, familyNames())
	}
	j.fit = Options{
		Family: family, Starts: valueOr(c.Starts, DefaultStarts), Init: Init(c.Init), Seed: c.Seed,
		Tolerance: valueOr(c.Tol, DefaultTolerance), MaxIter: valueOr(c.MaxIter, DefaultMaxIter), OldMean: c.OldMean,
		Bootstrap: valueOr(c.Bootstrap, 0),
	}
	if j.fit.MinComponents, j.fit.MaxComponents, err = parseRange(valueOr(c.Components, "1-4")); err != nil {
		return err
	}
	err = cmp.Or(within("--starts", j.fit.Starts, maxStarts), within("--max-iter", j.fit.MaxIter, maxIterations))
	if err != nil {
		return err
	}
	switch {
	case !(j.fit.Tolerance >= 0):
		return app.InputErrorf("--tol %v: it cannot be negative", j.fit.Tolerance)
	case c.Bootstrap != nil && *c.Bootstrap < 2:
		return app.InputErrorf("--bootstrap %d: it must be at least 2", *c.Bootstrap)
	case c.OldMean && !family.aroundMean():
		return app.InputErrorf("--old-mean: %s distributions have no lambda or sigma that is computed around the mean",
			family.Title)
	case c.Summary && c.All:
		return app.InputErrorf("--summary cannot be combined with --all")
	}
	if j.fit.Tolerance == 0 {
		j.fit.Tolerance = never
	}
	if err := j.checkBulkem(); err != nil {
		return err
	}
	if c.initFile() != "" {
		if j.fit.Init = ""; c.Components != nil || c.Starts != nil {
			return app.InputErrorf("--components and --starts cannot be combined with --init %s: the number of "+
				"components is that of the file's lines, and there is one start (methods: random, quantiles, kmeans)",
				c.Init)
		}
	}
	if err := plot.Check(c.Plot); err != nil {
		return app.InputError(err)
	}
	inputs := []output.Named{{Option: "--init", Name: c.initFile()}}
	files := append([]string{c.initFile()}, j.source.files()...)
	for i, name := range files[1:] {
		inputs = append(inputs, output.Named{Name: name})
		if name == "-" && slices.Contains(files[:i+1], "-") {
			return app.InputErrorf("standard input (-) can be read only once, as one table or as the file of --init")
		}
	}
	return c.CheckFiles(inputs, []output.Named{
		{Option: "--output", Name: c.Output}, {Option: "--posteriors", Name: c.Posteriors},
		{Option: "--plot", Name: c.Plot},
	})
}

// familyNames lists the names of the families.
func familyNames() string {
	var names []string
	for _, f := range Families {
		names = append(names, f.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// checkBulkem returns an error if options of bulkem are wrong, and sets j.fit with --bulkem.
func (j *job) checkBulkem() error {
	c := j.options
	if !c.Bulkem {
		if c.NumComponents != nil || c.MaxIters != nil || c.RandomInits != nil || c.Epsilon != nil {
			return app.InputErrorf("--num.components, --max.iters, --random.inits and --epsilon need --bulkem; " +
				"without it, use --components, --max-iter, --starts and --tol")
		}
		return nil
	}
	if c.Family != InverseGaussian.Name || c.Components != nil || c.Starts != nil || c.Init != string(RandomValues) ||
		c.Tol != nil || c.MaxIter != nil || c.OldMean || c.Bootstrap != nil || c.All || c.Summary {
		return app.InputErrorf("--bulkem can be combined only with its own options, --seed, and the names of files")
	}
	j.fit = Options{
		Family: InverseGaussian, MaxComponents: valueOr(c.NumComponents, 2), Starts: valueOr(c.RandomInits, 1),
		Init: RandomValues, Seed: c.Seed, Epsilon: valueOr(c.Epsilon, 1e-6), MaxIter: valueOr(c.MaxIters, 100),
		OldMean: true,
	}
	j.fit.MinComponents = j.fit.MaxComponents
	if !(j.fit.Epsilon > 0) {
		return app.InputErrorf("--epsilon %v: it must be positive", j.fit.Epsilon)
	}
	return cmp.Or(
		within("--num.components", j.fit.MaxComponents, maxComponents),
		within("--max.iters", j.fit.MaxIter, maxIterations), within("--random.inits", j.fit.Starts, maxStarts))
}

// within returns an error if the value of an option is not from 1 to most.
func within(option string, value, most int) error {
	if value < 1 || value > most {
		return app.InputErrorf("%s %d: it must be from 1 to %d", option, value, most)
	}
	return nil
}

// parseRange parses numbers of components, such as 3 or 1-4.
func parseRange(s string) (low, high int, err error) {
	first, last, isRange := strings.Cut(s, "-")
	low, err = strconv.Atoi(first)
	high = low
	if isRange && err == nil {
		high, err = strconv.Atoi(last)
	}
	if err != nil || low < 1 || high < low || high > maxComponents {
		return 0, 0, app.InputErrorf("--components %s: it must be a number from 1 to %d, or a range such as 1-4", s,
			maxComponents)
	}
	return low, high, nil
}

// initFile returns the file that --init names, or "" if it names a method.
func (c *options) initFile() string {
	if slices.Contains([]Init{RandomValues, Quantiles, KMeans}, Init(c.Init)) {
		return ""
	}
	return c.Init
}

// readInit reads the components that the file of --init holds.
func (j *job) readInit(ctx context.Context, env *app.Env) error {
	name := j.initFile()
	if name == "" {
		return nil
	}
	t, err := data.Read[float64](ctx, name, data.Options{Stdin: env.Stdin})
	if err != nil {
		return app.InputErrorf("--init: %w (methods: random, quantiles, kmeans)", err)
	}
	parameters := j.fit.Family.Parameters
	if t.Cols != 1+len(parameters) {
		return app.InputErrorf("--init %s: it has %s; %s distributions need weight, %s", name,
			app.Count(t.Cols, "column"), j.fit.Family.Title, strings.Join(parameters, ", "))
	}
	for i := range t.Rows {
		row := t.Row(i)
		c := Component{Weight: row[0], P: row[1]}
		if len(row) > 2 {
			c.Q = row[2]
		}
		if !(c.Weight > 0) || !finite(c) || j.fit.Family.invalid(c) {
			return app.InputErrorf("--init %s: row %d: %v is not a valid component: %s must be positive", name, i+1,
				row, j.fit.Family.positiveNames())
		}
		j.fit.Given = append(j.fit.Given, c)
	}
	if n := len(j.fit.Given); n > maxComponents {
		return app.InputErrorf("--init %s: it has %d components; at most %d are possible", name, n, maxComponents)
	}
	j.fit.MinComponents, j.fit.MaxComponents, j.fit.Starts = len(j.fit.Given), len(j.fit.Given), 1
	return nil
}
