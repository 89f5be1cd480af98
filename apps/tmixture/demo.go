package tmixture

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// Demo is skelgo demo tmixture: a mixture fitted to rows drawn from one.
type Demo struct {
	N      int `default:"2000" placeholder:"N" help:"Number of rows; the default is ${default}."`
	Dim    int `default:"2" placeholder:"N" help:"Number of columns; the default is ${default}."`
	Groups int `default:"3" placeholder:"N" help:"Number of t distributions; the default is ${default}."`
	options
}

// Help returns what skelgo demo tmixture --help shows besides the flags.
func (*Demo) Help() string {
	return `The rows are drawn from t distributions of 7 degrees of freedom at random places. Without --components,
--max-components is 6.

` + optionsHelp
}

// Run fits a mixture to the demo's data.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	if d.Components == 0 && d.MaxComponents == 0 && d.initFile() == "" {
		d.MaxComponents = 6
	}
	return app.Run(ctx, env, d.Flags, &job{options: &d.options, source: d})
}

func (d *Demo) file() string { return "" }

// read generates the data.
func (d *Demo) read(_ context.Context, _ *app.Runner, j *job) error {
	if d.N < 2 || d.Dim < 1 || d.Groups < 1 {
		return app.InputErrorf("--n %d --dim %d --groups %d: at least 2 rows, 1 column and 1 distribution are needed",
			d.N, d.Dim, d.Groups)
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	need, memory := 8*3*float64(d.N)*float64(d.Dim), host.Info().Memory
	if need > float64(memory) {
		return app.InputErrorf("--n %d --dim %d: out of memory: the data and their copies on the device need "+
			"%.4g GiB; this machine has %s", d.N, d.Dim, need/(1<<30), app.Bytes(memory))
	}
	j.name, j.table, j.rows = "generated", generate(d.N, d.Dim, d.Groups, d.Seed), d.N
	return nil
}

// generatedDF are the degrees of freedom of generated distributions.
const generatedDF = 7

// generate draws n rows from t distributions at random places. Each has correlated columns.
func generate(n, dim, groups int, seed uint64) *data.Table[float64] {
	r := rand.New(rand.NewPCG(seed, 1))
	draw := func(k int, scale float64) []float64 {
		x := make([]float64, k)
		for i := range x {
			x[i] = scale * r.NormFloat64()
		}
		return x
	}
	places, shapes := draw(groups*dim, 8), draw(groups*dim*dim, 0.4)
	t := &data.Table[float64]{Rows: n, Cols: dim, Data: make([]float64, 0, n*dim)}
	for range n {
		g := r.IntN(groups)
		chi2 := 0.0
		for range generatedDF {
			v := r.NormFloat64()
			chi2 += v * v
		}
		x, scale := draw(dim, 1), math.Sqrt(generatedDF/chi2)
		for c := range dim {
			v := x[c]
			for k, w := range shapes[(g*dim+c)*dim : (g*dim+c+1)*dim] {
				v += w * x[k]
			}
			t.Data = append(t.Data, places[g*dim+c]+scale*v)
		}
	}
	return t
}
