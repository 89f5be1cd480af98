package tmixture

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// saved returns the JSON of a model of two components.
func saved(t *testing.T) map[string]any {
	m := drawn()
	m.Covariance, m.Center, m.Columns = Full, []float64{1, 2, 3}, []string{"a", "b", "c"}
	m.DF[1] = 50
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Load(bytes.NewReader(b.Bytes()))
	if diff := cmp.Diff(m, again); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	var fields map[string]any
	if err := json.Unmarshal(b.Bytes(), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestDamagedModels(t *testing.T) {
	for _, c := range []struct {
		key  string
		to   any
		want string
	}{
		{"dim", 0, "damaged: 2 components of 0 columns"},
		{"weights", []float64{1}, "damaged: 1 weight, 2 means, 2 covariance matrices and 2 numbers of degrees"},
		{"weights", []float64{0.5, 0.4}, "the weights add up to 0.9, not 1"},
		{"weights", []float64{1.5, -0.5}, "component 0 has the weight 1.5"},
		{"df", []float64{5, -1}, "component 1 has -1 degrees of freedom"},
		{"center", []float64{1}, "the center has 1 number of 3 columns"},
		{"columns", []string{"a"}, "1 name of 3 columns"},
		{"covariance", "round", `unknown form of covariances "round"`},
		{"means", [][]float64{{0, 0}, {1, 1}}, "component 0 has a mean of 2 and a covariance matrix of 3 rows for 3"},
		{"covariances", [][][]float64{{{1}, {1}, {1}}, {{1}, {1}, {1}}}, "row 0 of covariance matrix 0 has 1 number"},
		{"weights", "many", "it is no model of skelgo tmixture: json: cannot unmarshal string"},
	} {
		fields := saved(t)
		fields[c.key] = c.to
		b, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v: %v", c.key, c.to, err)
		}
	}
	if _, err := Load(strings.NewReader("")); err == nil || !strings.HasSuffix(err.Error(), ": it is empty") {
		t.Error(err)
	}
}

// TestDensities compares the log-densities of rows with gonum's.
func TestDensities(t *testing.T) {
	m := drawn()
	m.Covariance, m.Center, m.DF[1] = Full, []float64{1, 2, 3}, 50
	rows := []float64{0, 0, 0, 1, 2, 3, -7, 11, 0, 5, 5, 6}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := matrix.From(4, 3, rows, vector.Single(d))
		defer x.Free()
		a, err := Assign(m, x)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		got, err := a.Densities.Host()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			want := 0.0
			for k, weight := range m.Weights {
				sigma := mat.NewSymDense(3, nil)
				for r := range 3 {
					for c := range r + 1 {
						sigma.SetSym(r, c, m.Covariances[k][r][c])
					}
				}
				s, ok := distmv.NewStudentsT(m.Means[k], sigma, m.DF[k], nil)
				if !ok {
					t.Fatal("no distribution")
				}
				want += weight * s.Prob(rows[3*i:3*i+3])
			}
			if math.Abs(got[i]-math.Log(want)) > 1e-11*math.Abs(got[i]) {
				t.Errorf("row %d: %v, want %v", i, got[i], math.Log(want))
			}
		}
	})
}
