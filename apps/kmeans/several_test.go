package kmeans

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestSeveralDevices clusters the same points on one device and over several,
// which gives the same bits.
func TestSeveralDevices(t *testing.T) {
	all := devicestest.All(t)
	host, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 1 {
		t.Skip("there is one device")
	}
	if all[len(all)-1] != host[0] { // of another kind, and with memory of its own
		all = append(all, host[0])
	}
	const n = 3000
	points := KDD(n)
	run := func(where vector.Distribution) (centers []float32, labels []int32, inertia float64) {
		t.Helper()
		x := matrix.From(n, KDDDim, points, where)
		defer x.Free()
		r, err := Cluster(context.Background(), x, Options{K: 7, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		c, err := r.Centers.Host()
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.Labels.Host()
		if err != nil {
			t.Fatal(err)
		}
		return append(centers, c...), append(labels, l...), r.Inertia
	}
	centers, labels, inertia := run(vector.Single(all[0]))
	for _, where := range []vector.Distribution{vector.Block(all...), vector.Block(all...).Measured(), vector.Copy(all...)} {
		c, l, i := run(where)
		if diff := cmp.Diff(centers, c) + cmp.Diff(labels, l); diff != "" || i != inertia {
			t.Errorf("%v: inertia %v, want %v\n%s", where, i, inertia, diff)
		}
	}
}
