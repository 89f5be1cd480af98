package kmeans

import (
	"bytes"
	"context"
	_ "embed" // the data
	"math/rand/v2"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// iris is Fisher's data as scikit-learn ships it. Two rows differ from the
// published ones in some copies; these are the published ones.
//
//go:embed iris.csv
var iris []byte

const irisSource = `Iris: 50 flowers each of three species, measured by Edgar Anderson.
E. Anderson, The irises of the Gaspe Peninsula, Bulletin of the American Iris Society 59, 2-5, 1935.
R. A. Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics 7, 179-188, 1936.
`

// Demo is skelgo demo kmeans: k-means on the iris data, or on as many
// generated objects as one likes.
type Demo struct {
	N   *int `placeholder:"N" help:"Generate N objects around -k places instead of using the iris data."`
	Dim *int `placeholder:"N" help:"Number of columns of generated objects; the default is 2."`
	flags
}

// Run clusters the demo's data.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	j := &job{flags: &d.flags, env: env, name: "iris"}
	if d.K == nil && d.startFile() == "" {
		d.K = new(int)
		*d.K = 3
	}
	if err := d.check(""); err != nil {
		return err
	}
	j.phases.Start("read")
	switch {
	case d.N != nil && d.bits(32) == 32:
		return generated[float32](ctx, j, d)
	case d.N != nil:
		return generated[float64](ctx, j, d)
	case d.Dim != nil:
		return app.InputErrorf("--dim %d needs --n N, the number of generated objects", *d.Dim)
	}
	if d.Init == "" {
		d.Init = string(First)
	}
	table, err := data.Read[float64](ctx, "-", data.Options{Stdin: bytes.NewReader(iris)})
	if err != nil {
		return err
	}
	for _, line := range strings.Split(strings.TrimSpace(string(iris)), "\n")[1:] {
		j.classes = append(j.classes, line[strings.LastIndexByte(line, ',')+1:])
	}
	j.preface = irisSource + "\n"
	if d.bits(64) == 32 {
		return run(ctx, j, convert[float32](table))
	}
	return run(ctx, j, table)
}

// generated clusters objects made for it.
func generated[T number](ctx context.Context, j *job, d *Demo) error {
	n, dim := *d.N, 2
	if d.Dim != nil {
		dim = *d.Dim
	}
	switch {
	case n < 1 || dim < 1:
		return app.InputErrorf("--n %d --dim %d: both must be at least 1", n, dim)
	case d.K == nil:
		return app.InputErrorf("-k N is required, the number of places around which objects are generated")
	case *d.K > n:
		return app.InputErrorf("-k %d: there are only %s", *d.K, quantity(n, "object"))
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	// The objects are held here and on the device, mostly in the same memory.
	if need, memory := 2*float64(n)*float64(dim)*float64(d.bits(32)/8), host.Info().Memory; need > float64(memory) {
		return app.InputErrorf("--n %d --dim %d: out of memory: the objects and their copy on the device need %.4g GiB, and this machine has %s", n, dim, need/(1<<30), app.Bytes(memory))
	}
	j.name = "generated"
	return run(ctx, j, generate[T](n, dim, *d.K, d.Seed))
}

// generate makes n objects, around k places in a cube of side 20, that
// scatter by 1 in each of dim columns.
func generate[T number](n, dim, k int, seed uint64) *data.Table[T] {
	r := rand.New(rand.NewPCG(seed, 0))
	places := make([]float64, k*dim)
	for i := range places {
		places[i] = 20 * (r.Float64() - 0.5)
	}
	t := &data.Table[T]{Rows: n, Cols: dim, Data: make([]T, 0, n*dim)}
	for range n {
		p := r.IntN(k)
		for _, center := range places[p*dim : (p+1)*dim] {
			t.Data = append(t.Data, T(center+r.NormFloat64()))
		}
	}
	return t
}

// convert changes the type of a table.
func convert[T number](t *data.Table[float64]) *data.Table[T] {
	c := &data.Table[T]{Rows: t.Rows, Cols: t.Cols, Names: t.Names, Notes: t.Notes}
	for _, v := range t.Data {
		c.Data = append(c.Data, T(v))
	}
	return c
}
