package tmixture

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/tmixture/baseline"
	"github.com/skelgo/skelgo/apps/tmixture/plain"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// compared is the number of iterations of the comparison. Later ones may be extrapolated, which
// the hand-written version does not do.
const compared = 4

// comparison describes the versions that skelgo compare measures.
var comparison = &baseline.Comparison{
	N: 8_000,
	Size: func(n int) string {
		n, p, g := comparedShape(n)
		return fmt.Sprintf("%d rows of %d float64, g = %d, %d iterations", n, p, g, compared)
	},
	Bytes: func(n float64) float64 { return 8 * n * (6*thesisColumns + 5*thesisComponents) },
	Versions: []baseline.Version{
		{Name: "skelgo-plain", Host: []string{"plain/plain.go"}, Generated: []string{"plain/zkernels.go"}},
		{
			Name: "skelgo", Generated: []string{"zkernels.go"},
			Host: []string{
				"tmixture.go", "precision.go", "parameters.go", "prepare.go", "iteration.go", "estep.go", "mstep.go",
				"maximize.go", "update.go", "df.go", "start.go", "mml.go", "extrapolation.go", "model.go", "options.go",
			},
		},
		{
			Name: "raw-thesis", Host: []string{"baseline/tmixture.go", "baseline/em.go"},
			Kernel: []string{"baseline/tmixture.cl"},
		},
	},
	Programs:   programs,
	KernelNote: kernelNote,
}

// The shape of the measurements in the thesis, which have a million rows.
const (
	thesisColumns    = 64
	thesisComponents = 8
)

// comparedShape returns the shape of the data for n rows: that of the thesis, unless they are
// too few for its covariances.
func comparedShape(n int) (rows, p, g int) {
	if n >= 2*thesisColumns*thesisComponents {
		return n, thesisColumns, thesisComponents
	}
	return max(n, 20), 2, 2
}

// Spikes returns n rows of p columns, one after the other, from g overlapping components with
// long tails, and labels of which every tenth is wrong. It returns the same ones every time.
func Spikes(n, p, g int) (rows []float64, labels []int32) {
	r := rand.New(rand.NewPCG(2011, uint64(p)))
	places := make([]float64, g*p)
	for v := range places {
		places[v] = r.NormFloat64()
	}
	rows, labels = make([]float64, 0, n*p), make([]int32, n)
	for i := range n {
		j := i % g
		labels[i] = int32(j)
		if i/g%10 == 9 {
			labels[i] = int32((j + 1) % g)
		}
		chi2 := r.ExpFloat64() + r.ExpFloat64() + r.ExpFloat64() // of six degrees of freedom, halved
		scale, common := math.Sqrt(3/chi2), r.NormFloat64()
		for c := range p {
			rows = append(rows, places[j*p+c]+scale*(r.NormFloat64()+common*places[(j*p+c+1)%len(places)]/2))
		}
	}
	return rows, labels
}

// programs returns the version of skelgo and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	n, p, g := comparedShape(n)
	host, labels := Spikes(n, p, g)
	var x *matrix.Matrix[float64]
	var plainly *plain.Model
	var ours *Model
	var theirs *raw.Model
	upload := func() error {
		x = matrix.From(n, p, host, vector.Single(d))
		return x.Wait()
	}
	all = append(all, baseline.Program{
		Version: "skelgo-plain", Device: d.ID(), Upload: upload,
		Run: func() (err error) {
			plainly, err = plain.Fit(x, labels, g, compared)
			return err
		},
		Close: func() error { x.Free(); return nil },
	}, baseline.Program{
		Version: "skelgo", Device: d.ID(), Upload: upload,
		Run: func() (err error) {
			ours, err = Fit(context.Background(), x, Options{Labels: labels, MaxIter: compared})
			return err
		},
		Close: func() error { x.Free(); return nil },
	})
	number, id := baseline.Device(d)
	var program *raw.Program
	var lap time.Time
	parts := map[string]time.Duration{}
	all = append(all, baseline.Program{
		Version: "raw-thesis", Device: id,
		Open: func() (err error) { program, err = raw.Open(number); return err },
		Build: func() error {
			program.Lap = func(part string) {
				parts[part] += time.Since(lap)
				lap = time.Now()
			}
			return program.Build()
		},
		Upload: func() error { return program.Upload(host, n, p, g) },
		Run: func() (err error) {
			clear(parts)
			lap = time.Now()
			theirs, err = program.Run(labels, compared)
			return err
		},
		HostTime:     func() time.Duration { return parts["host"] },
		TransferTime: func() time.Duration { return parts["transfer"] },
		Kernels:      func() ([]baseline.Kernel, error) { return profile(program, labels) },
		Close:        func() error { return program.Close() },
	})
	return all, func() error {
		switch {
		case theirs != nil:
			return Agree(ours, theirs, 1e-8)
		case ours != nil:
			return Agree(ours, (*raw.Model)(plainly), 1e-8)
		}
		return nil // the first
	}
}

// Agree returns an error if the model of another version differs from ours by more than a
// tolerance, relative to the size of the numbers.
func Agree(ours *Model, theirs *raw.Model, tolerance float64) error {
	equal := func(what string, got, want, size float64) error {
		if !(math.Abs(got-want) <= tolerance*size) {
			return fmt.Errorf("%s is %v, and skelgo's is %v", what, got, want)
		}
		return nil
	}
	if err := equal("the log-likelihood", theirs.LogLik, ours.LogLik, math.Abs(ours.LogLik)); err != nil {
		return err
	}
	if err := equal("the number of degrees of freedom", theirs.DF, ours.DF[0], ours.DF[0]); err != nil {
		return err
	}
	for j, mean := range theirs.Means {
		if err := equal(fmt.Sprintf("weight %d", j), theirs.Weights[j], ours.Weights[j], 1); err != nil {
			return err
		}
		size := mat.Trace(theirs.Covariances[j])
		for c, v := range mean {
			err := equal(fmt.Sprintf("element %d of mean %d", c, j), v, ours.Means[j][c], 1+math.Sqrt(size))
			if err != nil {
				return err
			}
			for k := range c + 1 {
				err := equal(fmt.Sprintf("element %d, %d of covariance matrix %d", c, k, j),
					theirs.Covariances[j].At(c, k), ours.Covariances[j][c][k], size)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
