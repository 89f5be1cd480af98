package pca

import (
	"context"
	"math/rand/v2"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// Demo is skelgo demo pca: the components of generated data.
type Demo struct {
	N    int    `default:"1000" placeholder:"N" help:"Number of rows; the default is ${default}."`
	Dim  int    `default:"8" placeholder:"N" help:"Number of columns; the default is ${default}."`
	Seed uint64 `default:"1" help:"Seed of the random numbers."`
	options
}

// Help returns what skelgo demo pca --help shows besides the flags.
func (*Demo) Help() string {
	return `The rows vary along three random directions, with standard deviations 8, 4 and 2, and have noise of standard
deviation 1 in each column.

` + optionsHelp
}

// Run computes the components of the demo's data.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, d.Flags, &job{options: &d.options, source: d})
}

func (d *Demo) file() string { return "" }

// read generates the data.
func (d *Demo) read(_ context.Context, _ *app.Runner, j *job) error {
	if d.N < 2 || d.Dim < 1 {
		return app.InputErrorf("--n %d --dim %d: at least 2 rows and 1 column are needed", d.N, d.Dim)
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	// The data are held here and on the device, mostly in the same memory.
	need, memory := 2*float64(d.N)*float64(d.Dim)*float64(d.bits(64)/8), host.Info().Memory
	if need > float64(memory) {
		return app.InputErrorf("--n %d --dim %d: out of memory: the data and their copy on the device need "+
			"%.4g GiB; this machine has %s", d.N, d.Dim, need/(1<<30), app.Bytes(memory))
	}
	j.name = "generated"
	if d.bits(64) == 32 {
		j.objects = objects[float32]{Table: generate[float32](d.N, d.Dim, d.Seed)}
	} else {
		j.objects = objects[float64]{Table: generate[float64](d.N, d.Dim, d.Seed)}
	}
	return nil
}

// generate returns n rows of dim columns that vary along three random directions.
func generate[T number](n, dim int, seed uint64) *data.Table[T] {
	r := rand.New(rand.NewPCG(seed, 0))
	deviations := []float64{8, 4, 2}
	directions := make([][]float64, len(deviations))
	for d := range directions {
		directions[d] = make([]float64, dim)
		for j := range dim {
			directions[d][j] = r.NormFloat64()
		}
		length := norm(directions[d])
		for j := range dim {
			directions[d][j] *= deviations[d] / length
		}
	}
	t := &data.Table[T]{Rows: n, Cols: dim, Data: make([]T, 0, n*dim)}
	for range n {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		for j := range dim {
			v := 10 + a*directions[0][j] + b*directions[1][j] + c*directions[2][j] + r.NormFloat64()
			t.Data = append(t.Data, T(v))
		}
	}
	return t
}
