package scale

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/scale/baseline"
	"github.com/skelgo/skelgo/devices"
)

// The comparison's numbers of features and groups, and its step.
const (
	comparedFeatures = 9
	comparedGroups   = 3
	comparedStep     = 0.1
)

// comparison describes the versions that skelgo compare measures. The hand-written one tries every
// set of boundaries, as the paper does.
var comparison = &baseline.Comparison{
	N: 683,
	Size: func(n int) string {
		return fmt.Sprintf("%d objects of %d features in %d groups, descent in steps of %v", max(n, comparedGroups),
			comparedFeatures, comparedGroups, comparedStep)
	},
	Bytes: func(n float64) float64 { return 1<<24 + 8*comparedFeatures*n },
	Versions: []baseline.Version{
		{
			Name: "skelgo", Generated: []string{"zkernels.go"},
			Host: []string{
				"scale.go", "options.go", "data.go", "problem.go", "evaluator.go", "evaluate.go", "evaluate_long.go",
				"evaluate_counts.go", "evaluate_small.go", "counting.go", "search.go", "search_descent.go", "place.go",
				"model.go",
			},
		},
		{
			Name: "raw-paper", Host: []string{"baseline/scale.go", "baseline/descent.go"},
			Kernel: []string{"baseline/scale.cl"},
		},
	},
	Programs: programs,
}

// found is the result of a version.
type found struct {
	weights []float64
	errors  int
}

// programs returns the version of skelgo and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	n = max(n, comparedGroups)
	x, groups := raw.Patients(n, comparedFeatures, comparedGroups)
	objects := &Data{X: x}
	for j := range comparedFeatures {
		objects.Features = append(objects.Features, "x"+strconv.Itoa(j+1))
	}
	for k := range comparedGroups {
		objects.Groups = append(objects.Groups, "group "+strconv.Itoa(k))
	}
	for _, g := range groups {
		objects.Group = append(objects.Group, int(g))
	}
	var first, last *found
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Run: func() error {
			r, err := Find(context.Background(), objects, Options{Search: Descent, Step: comparedStep}, d)
			if err == nil {
				last = &found{r.Model.Weights, int(r.Cost)}
			}
			return err
		},
		Close: func() error { return nil },
	})
	number, id := baseline.Device(d)
	var program *raw.Program
	all = append(all, baseline.Program{
		Version: "raw-paper", Device: id,
		Open:   func() (err error) { program, err = raw.Open(number); return err },
		Build:  func() error { return program.Build() },
		Upload: func() error { return program.Allocate(n, comparedGroups) },
		Run: func() error {
			weights, errors, err := program.Descend(x, comparedFeatures, groups, comparedStep)
			last = &found{weights, errors}
			return err
		},
		Close: func() error { return program.Close() },
	})
	return all, func() error {
		if first == nil {
			first = last
		}
		if !slices.Equal(first.weights, last.weights) || first.errors != last.errors {
			return fmt.Errorf("weights %v with %d errors, and skelgo's are %v with %d", last.weights, last.errors,
				first.weights, first.errors)
		}
		return nil
	}
}
