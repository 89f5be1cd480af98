package mixtures

import (
	"context"
	"fmt"
	"math"

	compare "github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/mixtures/baseline"
	"github.com/skelgo/skelgo/devices"
)

// The fits that skelgo compare measures, as in the bulkem paper.
const (
	comparedSets       = 100
	comparedIterations = 100
)

// comparison describes the versions that skelgo compare measures.
var comparison = &compare.Comparison{
	N: 2000,
	Size: func(n int) string {
		return fmt.Sprintf("%d sets of %d values, %d iterations", comparedSets, n, comparedIterations)
	},
	Bytes: func(n float64) float64 { return 8 * 3 * n * comparedSets },
	Versions: []compare.Version{
		{
			Name: "skelgo",
			Host: []string{
				"mixtures.go", "batch.go", "kernels.go", "expect.go", "maximize.go", "family.go", "family_invgauss.go",
			},
			Generated: []string{"zkernels.go"},
		},
		{Name: "raw", Host: []string{"baseline/mixtures.go"}, Kernel: []string{"baseline/mixtures.cl"}},
	},
	Programs: programs,
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []compare.Program, agree func() error) {
	sets, values := make([]Set, comparedSets), make([][]float64, comparedSets)
	inParallel(len(sets), func(i int) {
		values[i] = Sample(InverseGaussian, benchComponents, n, uint64(i))
		sets[i] = Set{"generated", values[i]}
	})
	given := []Component{{0.5, 0.8, 3}, {0.5, 2.5, 10}}
	var first, last []float64 // log-likelihoods
	all = append(all, compare.Program{
		Version: "skelgo", Device: d.ID(),
		Run: func() error {
			r, err := FitSets(context.Background(), sets, Options{
				Given: given, MaxIter: comparedIterations, Epsilon: never, OldMean: true,
				Devices: []*devices.Device{d},
			})
			if err != nil {
				return err
			}
			last = nil
			for _, fits := range r.Sets {
				last = append(last, fits[0].LogLik)
			}
			return nil
		},
		Close: func() error { return nil },
	})
	number, id := compare.Device(d)
	var p *baseline.Program
	all = append(all, compare.Program{
		Version: "raw", Device: id,
		Open:   func() (err error) { p, err = baseline.Open(number); return err },
		Build:  func() error { return p.Build() },
		Upload: func() error { return p.Upload(values, len(given)) },
		Run: func() (err error) {
			var begin []baseline.Component
			for _, c := range given {
				begin = append(begin, baseline.Component{Alpha: c.Weight, Mu: c.P, Lambda: c.Q})
			}
			_, last, err = p.Run(begin, comparedIterations)
			return err
		},
		Close: func() error { return p.Close() },
	})
	return all, func() error {
		if first == nil {
			first = last
		}
		for i, want := range first {
			if !(math.Abs(last[i]-want) <= 1e-6*math.Abs(want)) {
				return fmt.Errorf("the log-likelihood of data set %d is %v, and skelgo's is %v", i, last[i], want)
			}
		}
		return nil
	}
}
