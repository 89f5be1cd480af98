package kmeans_test

import (
	"context"
	"fmt"

	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/matrix"
)

func ExampleCluster() {
	points := matrix.From(6, 2, []float32{1, 1, 2, 1, 1, 2, 8, 8, 9, 8, 8, 9})
	defer points.Free()
	r, err := kmeans.Cluster(context.Background(), points, kmeans.Options{K: 2, Init: kmeans.First})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	labels, err := r.Labels.Host()
	fmt.Println(labels, r.Sizes, err)
	fmt.Printf("inertia %.3f after %d iterations\n", r.Inertia, r.Iterations)
	// Output:
	// [0 0 0 1 1 1] [3 3] <nil>
	// inertia 2.667 after 3 iterations
}

func ExamplePredict() {
	centers := matrix.From(2, 1, []float64{0, 10})
	defer centers.Free()
	points := matrix.From(4, 1, []float64{-1, 4, 5, 6})
	defer points.Free()
	labels, err := kmeans.Predict(points, centers)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer labels.Free()
	fmt.Println(labels.Host()) // of equally near centres the lower
	// Output: [0 0 0 1] <nil>
}
