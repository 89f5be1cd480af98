package scale_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/scale"
)

// patients are five healthy and five ill people: temperature and pulse.
var patients = &scale.Data{
	Features: []string{"temperature", "pulse"},
	Groups:   []string{"healthy", "ill"},
	X: []float64{
		36.6, 70, 36.8, 62, 37.1, 75, 36.4, 80, 37.4, 64,
		38.2, 78, 37.9, 95, 37.2, 98, 38.9, 81, 37.5, 85,
	},
	Group: []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
}

func ExampleFind() {
	r, err := scale.Find(context.Background(), patients, scale.Options{
		Integer: true, Bounds: []scale.Bound{{Low: 0, High: 20}, {Low: 0, High: 5}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Model.Weights, r.Cost)
	// Output:
	// [2 1] 0
}

func ExampleEvaluate() {
	r, err := scale.Evaluate(context.Background(), patients, []float64{0, 1}, scale.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Model.Cuts, r.Cost)
	// Output:
	// [76.5] 1
}

func ExampleModel() {
	m, err := scale.Load(strings.NewReader(
		`{"features": ["pulse"], "groups": ["healthy", "ill"], "weights": [1], "cuts": [76.5]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, pulse := range []float64{70, 80} {
		fmt.Println(m.Groups[m.Assign(m.Score([]float64{pulse}))])
	}
	// Output:
	// healthy
	// ill
}

func ExampleCrossValidate() {
	v, err := scale.CrossValidate(context.Background(), patients, scale.Options{}, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Folds, len(v.Errors))
	// Output:
	// 5 1
}
