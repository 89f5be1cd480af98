package tmixture

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func read(t testing.TB, name string) *data.Table[float64] {
	t.Helper()
	table, err := data.Read[float64](t.Context(), name, data.Options{Ignore: nil})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// fitOn fits a mixture to rows on a device.
func fitOn(t testing.TB, d *devices.Device, rows, cols int, elements []float64, o Options) *Model {
	t.Helper()
	x := matrix.From(rows, cols, elements, vector.Single(d))
	defer x.Free()
	m, err := Fit(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The expected figures were computed independently.
func TestFaithful(t *testing.T) {
	table := read(t, "testdata/faithful.txt")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, init := range []Init{PlusPlus, KMeans, Random} {
			m := fitOn(t, d, table.Rows, table.Cols, table.Data, Options{Components: 2, Init: init, NInit: 3})
			t.Logf("%s: %v df %v iter %d %v %v", init, m.LogLik, m.DF, m.Iterations, m.Weights, m.Means)
			if math.Abs(m.LogLik+1130.17891848) > 1e-5 {
				t.Errorf("%s: log-likelihood %v", init, m.LogLik)
			}
		}
	})
}
