package plain_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/skelgo/skelgo/apps/tmixture/plain"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// two has two components of ten rows.
var (
	two    = []float64{0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0.25, 10, 10, 12, 10, 10, 12, 12, 12, 11, 11.5}
	labels = []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
)

func ExampleFit() {
	m, err := plain.Fit(matrix.From(10, 2, two), labels, 2, 1)
	fmt.Printf("%.2f %v\n", m.Means, err)
	// Output: [[0.50 0.45] [11.00 11.10]] <nil>
}

func ExampleModel() {
	m, err := plain.Fit(matrix.From(10, 2, two), labels, 2, 5)
	fmt.Printf("%.3f %v\n", m.Weights, err)
	// Output: [0.500 0.500] <nil>
}

// The results are compared with those of package tmixture and of the hand-written version in the
// tests of package baseline.

// Models are bit-identical on all devices, and over several.
func TestDevicesAgree(t *testing.T) {
	rows := make([]float64, 0, 3003)
	labels := make([]int32, 1001)
	for i := range labels {
		labels[i] = int32(i % 3)
		rows = append(rows, float64(i%3)+float64(i*i%101)/50, float64(i*7%53)/20, float64(i*i*i%89)/30)
	}
	all := devicestest.All(t)
	where := []vector.Distribution{vector.Block(all...)}
	for _, d := range all {
		where = append(where, vector.Single(d))
	}
	var first *plain.Model
	for _, on := range where {
		x := matrix.From(1001, 3, rows, on)
		m, err := plain.Fit(x, labels, 3, 4)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = m
		}
		if !reflect.DeepEqual(m, first) {
			t.Errorf("%v and %v differ", where[0], on)
		}
		x.Free()
	}
}

func TestCollapse(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := matrix.From(4, 2, []float64{1, 1, 2, 2, 3, 3, 5, 5}, vector.Single(d))
		defer x.Free()
		_, err := plain.Fit(x, make([]int32, 4), 1, 2)
		if err == nil || err.Error() != "component 0 has collapsed: its covariance matrix is singular" {
			t.Error(err)
		}
	})
}
