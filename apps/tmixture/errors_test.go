package tmixture

import (
	"math"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func TestInputErrors(t *testing.T) {
	five := []float64{1, 2, 3, 4, 5, 7, 6, 1, 9, 9}
	many := generate(100, 2, 2, 1).Data
	blob := append([]float64(nil), many...)
	for i := range 20 { // rows 80 to 99 are the same
		blob[160+2*i], blob[161+2*i] = 300, 300
	}
	labels := make([]int32, 100)
	for i := 80; i < 100; i++ {
		labels[i] = 1
	}
	cases := []struct {
		rows, cols int
		x          []float64
		o          Options
		want       string
	}{
		{0, 2, nil, Options{Components: 1}, "there are no data: 0 rows of 2 columns"},
		{1, 2, []float64{1, 2}, Options{Components: 1}, "there is only one row, which has no variance"},
		{5, 2, five, Options{}, "the number of components is 0; it must be at least 1"},
		{5, 2, five, Options{Components: 6}, "6 components are too many for 5 rows"},
		{5, 2, five, Options{Components: 1, MaxComponents: 2}, "both a number of components, 1, and a maximum, 2"},
		{2, 5, five, Options{Components: 1},
			"2 rows of 5 columns have a singular covariance matrix: reduce the columns"},
		{100, 2, many, Options{MaxComponents: 40},
			"100 rows are too few to start with 40 components of 5 parameters each, which need more than 100; " +
				"start with at most 39"},
		{5, 2, five, Options{MaxComponents: 3}, "start with at most 1"},
		{2, 5, five, Options{MaxComponents: 1, Covariance: Diagonal},
			"2 rows are too few to choose the number of components: one component of 5 columns has 10 parameters"},
		{5, 2, five, Options{Components: 1, DF: Fixed}, "the degrees of freedom are 0; they must be positive"},
		{5, 2, five, Options{Components: 1, Reg: -1}, "the number that is added to variances is -1"},
		{5, 2, five, Options{Components: 1, Init: "first"}, `unknown start "first"`},
		{5, 2, five, Options{Components: 1, Covariance: "any"}, `unknown form of covariances "any"`},
		{5, 2, five, Options{Labels: []int32{0, 1}}, "there are 2 labels for 5 rows"},
		{5, 2, five, Options{Labels: []int32{0, 2, 0, 2, 0}}, "no row has label 1, and label 2 is used"},
		{5, 2, five, Options{Labels: []int32{0, -1, 0, 2, 0}}, "label 1 (from 0) is -1; labels count from 0"},
		{5, 2, five, Options{Labels: []int32{0, 1, 0, 1, 0}, Components: 3}, "there are 2 different labels for 3 comp"},
		{5, 2, []float64{1, 2, 3, 4, 5, math.NaN(), 6, 1, 9, 9}, Options{Components: 1},
			"row 2, column 1 (from 0) is NaN; leave such rows out"},
		{5, 2, []float64{1, 2, 3, 4, 5, 1e200, 6, 1, 9, 9}, Options{Components: 1},
			"sums of squares of such large numbers do not fit float64"},
		{5, 2, []float64{1, 2, 3, 2, 5, 2, 6, 2, 9, 2}, Options{Components: 1},
			"column 1 (from 0) is 2 in every row; leave it out"},
		{5, 2, []float64{1, 2, 3, 2, 5, 2 + 4e-16, 6, 2, 9, 2}, Options{Components: 1},
			"column 1 (from 0) is 2 in every row but for rounding; leave it out"},
		{5, 2, []float64{1, 2e-200, 3, 3e-200, 5, 7e-200, 6, 2e-200, 9, 1e-200}, Options{Components: 1},
			"column 1 (from 0) has numbers from 1e-200 to 7e-200, and the squares of their differences are too small " +
				"for float64; divide it by a unit of their size, or leave it out"},
		{100, 2, blob, Options{Labels: labels},
			"component 1 (from 0) of 2 has collapsed: the covariance matrix of its 20 rows is singular; use fewer"},
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range cases {
			x := matrix.From(c.rows, c.cols, c.x, vector.Single(d))
			_, err := Fit(t.Context(), x, c.o)
			if !app.IsInputError(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: error\n%v, want\n%s", c.o, err, c.want)
			}
			x.Free()
		}
	})
}

// Something that is added to the variances keeps a component from collapsing.
func TestReg(t *testing.T) {
	x := generate(100, 2, 2, 1)
	for i := range 20 {
		x.Data[160+2*i], x.Data[161+2*i] = 300, 300
	}
	o := Options{Components: 3, Reg: 1e-3, NInit: 3}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		m := fitOn(t, d, x, o)
		smallest := math.Inf(1)
		for _, sigma := range m.Covariances {
			smallest = min(smallest, sigma[0][0])
		}
		if smallest > 2e-3 {
			t.Errorf("variances %v", m.Covariances)
		}
		wide := matrix.From(1, 3, []float64{1, 2, 3}, vector.Single(d))
		defer wide.Free()
		if a, err := Assign(m, wide); !app.IsInputError(err) {
			t.Errorf("data of another width: %v %v", a, err)
		}
	})
}
