package baseline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestSameAsKmeans compares the hand-written versions with package kmeans, with enough
// iterations and with few.
func TestSameAsKmeans(t *testing.T) {
	baseline.RequireOpenCL(t)
	const n, k = 5003, 5
	points := kmeans.KDD(n)
	for _, maxIter := range []int{1, 7, maxIter} {
		var want []result
		for name, run := range versions {
			r, err := run(points, n, kmeans.KDDDim, points[:k*kmeans.KDDDim], maxIter)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want = append(want, r)
		}
		devicestest.Each(t, func(t *testing.T, d *devices.Device) {
			m := matrix.From(n, kmeans.KDDDim, points, vector.Single(d))
			defer m.Free()
			r, err := kmeans.Cluster(context.Background(), m, kmeans.Options{K: k, Init: kmeans.First,
				MaxIter: maxIter})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Free()
			labels, err := r.Labels.Host()
			if err != nil {
				t.Fatal(err)
			}
			centres, err := r.Centers.Host()
			if err != nil {
				t.Fatal(err)
			}
			got := result{slices.Clone(labels), slices.Clone(centres), r.Iterations}
			for _, w := range want {
				if diff := cmp.Diff(w, got, cmpopts.EquateApprox(1e-6, 1e-7)); diff != "" {
					t.Error(diff)
				}
				if inertia := w.inertia(points, kmeans.KDDDim); math.Abs(inertia/r.Inertia-1) > 1e-6 {
					t.Errorf("inertia %v, and %v of a hand-written version", r.Inertia, inertia)
				}
			}
		})
	}
}
