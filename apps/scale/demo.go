package scale

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Demo is skelgo demo scale: a scale for generated patients.
type Demo struct {
	N      int `default:"300" placeholder:"N" help:"Number of patients; the default is ${default}."`
	Groups int `default:"3" placeholder:"K" help:"Number of groups, from 2 to 5; the default is ${default}."`
	options
}

// Help returns what skelgo demo scale --help shows besides the flags.
func (*Demo) Help() string {
	return `The patients are healthy, or ill in up to four degrees. Their age, pulse, temperature, pain and two more
findings, of which one says nothing, depend on the degree with much noise.

` + optionsHelp
}

// Run finds a scale for the demo's data.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, d.Flags, &job{options: &d.options, source: d})
}

func (d *Demo) file() string { return "" }

// read generates the data.
func (d *Demo) read(_ context.Context, _ *app.Runner, j *job) error {
	if d.Groups < 2 || d.Groups > len(degrees) || d.N < 10*d.Groups || d.N > 10_000_000 {
		return app.InputErrorf("--n %d --groups %d: there are 2 to %d groups, and from 10 patients of each to "+
			"10 million in all", d.N, d.Groups, len(degrees))
	}
	j.name, j.data = "generated", &chosen{Data: generate(d.N, d.Groups, d.Seed), column: "group"}
	return nil
}

var degrees = []string{"healthy", "mild", "moderate", "severe", "critical"}

// generate returns patients whose findings depend on their group.
func generate(n, groups int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 0))
	findings := []struct {
		name                       string
		mean, slope, noise, digits float64
	}{
		{"age", 50, 6, 12, 0}, {"pulse", 72, 8, 9, 0}, {"temperature", 36.6, 0.5, 0.4, 1}, {"pain", 2, 1.5, 1.5, 0},
		{"leukocytes", 7, 2, 2, 1}, {"height", 170, 0, 9, 0},
	}
	d := &Data{Groups: degrees[:groups]}
	for _, f := range findings {
		d.Features = append(d.Features, f.name)
	}
	for i := range n {
		g := i % groups
		d.Group = append(d.Group, g)
		for _, f := range findings {
			scale := math.Pow(10, f.digits)
			d.X = append(d.X, math.Round((f.mean+f.slope*float64(g)+f.noise*r.NormFloat64())*scale)/scale)
		}
	}
	return d
}
