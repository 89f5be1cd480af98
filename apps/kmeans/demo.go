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

// Demo is skelgo demo kmeans: k-means on the iris data, or on any number of
// generated objects.
type Demo struct {
	N   *int `placeholder:"N" help:"Generate N objects around -k places instead of using the iris data."`
	Dim *int `placeholder:"N" help:"Number of columns of generated objects; the default is 2."`
	options
}

// Help returns what skelgo demo kmeans --help shows besides the flags.
func (*Demo) Help() string {
	return `-k is 3 by default, and --init is first for the iris data.

` + optionsHelp
}

// Run clusters the demo's data.
func (d *Demo) Run(ctx context.Context, env *app.Env) error {
	if d.K == nil && d.startFile() == "" {
		d.K = new(int)
		*d.K = 3
	}
	return app.Run(ctx, env, d.Flags, &job{options: &d.options, source: d})
}

func (d *Demo) file() string { return "" }

// read reads the iris data or generates objects.
func (d *Demo) read(ctx context.Context, _ *app.Runner, j *job) error {
	switch {
	case d.N != nil && d.bits(32) == 32:
		return generated[float32](j, d)
	case d.N != nil:
		return generated[float64](j, d)
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
	j.name, j.preface = "iris", irisSource+"\n"
	j.objects = &objects[float64]{table: table}
	if d.bits(64) == 32 {
		j.objects = &objects[float32]{table: convert[float32](table)}
	}
	return nil
}

// generated generates the objects.
func generated[T number](j *job, d *Demo) error {
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
		return app.InputErrorf("-k %d: there are only %s", *d.K, app.Count(n, "object"))
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	// The objects are held here and on the device, mostly in the same memory.
	need, memory := 2*float64(n)*float64(dim)*float64(d.bits(32)/8), host.Info().Memory
	if need > float64(memory) {
		return app.InputErrorf(
			"--n %d --dim %d: out of memory: the objects and their copy on the device need %.4g GiB; "+
				"this machine has %s",
			n, dim, need/(1<<30), app.Bytes(memory))
	}
	j.name, j.objects = "generated", &objects[T]{table: generate[T](n, dim, *d.K, d.Seed)}
	return nil
}

// generate returns n objects around k places in a cube of side 20, with standard
// deviation 1 in each of dim columns.
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

// convert returns a table with coordinates of another type.
func convert[T number](t *data.Table[float64]) *data.Table[T] {
	c := &data.Table[T]{Rows: t.Rows, Cols: t.Cols, Names: t.Names, Notes: t.Notes}
	for _, v := range t.Data {
		c.Data = append(c.Data, T(v))
	}
	return c
}
