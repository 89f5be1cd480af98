package mixtures

import (
	"context"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Demo is skelgo demo mixtures: mixtures fitted to data sets that are drawn from one.
type Demo struct {
	Sets int `default:"20" placeholder:"N" help:"Number of data sets; the default is ${default}."`
	N    int `default:"1000" placeholder:"N" help:"Number of values in each; the default is ${default}."`
	options
}

// Help returns what skelgo demo mixtures --help shows besides the flags.
func (*Demo) Help() string {
	return `The values are drawn from a mixture of two distributions of the family.

` + optionsHelp
}

// Run fits mixtures to the demo's data sets.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, d.Flags, &job{options: &d.options, source: d})
}

func (d *Demo) files() []string { return nil }

// read generates the data sets.
func (d *Demo) read(_ context.Context, _ *app.Runner, j *job) error {
	if d.Sets < 1 || d.N < 1 {
		return app.InputErrorf("--sets %d --n %d: at least 1 data set of 1 value is needed", d.Sets, d.N)
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	if need, memory := 32*float64(d.Sets)*float64(d.N), host.Info().Memory; need > float64(memory) {
		return app.InputErrorf("--sets %d --n %d: out of memory: the data and their copies need %.4g GiB; "+
			"this machine has %s", d.Sets, d.N, need/(1<<30), app.Bytes(memory))
	}
	j.sets, j.rows = make([]Set, d.Sets), make([][]int, d.Sets)
	inParallel(d.Sets, func(i int) {
		values := Sample(j.fit.Family, demoComponents[j.fit.Family.Name], d.N, d.Seed+uint64(i))
		j.sets[i] = Set{"generated " + strconv.Itoa(i+1), values}
	})
	return nil
}

// demoComponents are the mixtures of the demo.
var demoComponents = map[string][]Component{
	"invgauss":    {{0.4, 1, 5}, {0.6, 3, 40}},
	"normal":      {{0.4, -2, 1}, {0.6, 2, 0.7}},
	"gamma":       {{0.4, 4, 4}, {0.6, 30, 8}},
	"lognormal":   {{0.4, 0, 0.4}, {0.6, 1.5, 0.3}},
	"weibull":     {{0.4, 2, 1}, {0.6, 6, 4}},
	"exponential": {{0.4, 10, 0}, {0.6, 0.5, 0}},
	"poisson":     {{0.4, 2, 0}, {0.6, 11, 0}},
}
