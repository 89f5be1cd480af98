package tmixture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// gaussian is a mixture of normal distributions that gaussian.py fits by scikit-learn.
type gaussian struct {
	Data       string      `json:"data,omitempty"`
	Covariance Covariance  `json:"covariance,omitempty"`
	First      []float64   `json:"first"` // the log-likelihoods before the first iterations
	LogLik     float64     `json:"loglik"`
	Weights    []float64   `json:"weights"`
	Means      [][]float64 `json:"means"`
}

// gaussianDF are so many degrees of freedom that the distributions are normal.
const gaussianDF = 1e12

// rows returns data with the component of each row.
func (g gaussian) rows(t testing.TB) (x *data.Table[float64], labels []int32) {
	switch g.Data {
	case "faithful.txt":
		x = read(t, g.Data)
		for i := range x.Rows {
			label := int32(0)
			if x.Row(i)[0] > 3 {
				label = 1
			}
			labels = append(labels, label)
		}
	case "tmix3.csv.gz":
		all := read(t, g.Data)
		x = &data.Table[float64]{Rows: all.Rows, Cols: 3}
		for i := range all.Rows {
			row := all.Row(i)
			x.Data, labels = append(x.Data, row[:3]...), append(labels, int32(row[3]))
		}
	default:
		x = generate(1500, 8, 3, 3)
		r := rand.New(rand.NewPCG(1, 1))
		for range x.Rows {
			labels = append(labels, int32(r.IntN(3)))
		}
	}
	return x, labels
}

// fit fits the same mixture by this package.
func (g gaussian) fit(t testing.TB, d *devices.Device) gaussian {
	x, labels := g.rows(t)
	o := Options{Labels: labels, Covariance: g.Covariance, DF: Fixed, FixedDF: gaussianDF}
	got := gaussian{Data: g.Data, Covariance: g.Covariance}
	for o.MaxIter = 1; o.MaxIter <= len(g.First); o.MaxIter++ {
		got.First = append(got.First, fitOn(t, d, x, o).LogLik)
	}
	o.MaxIter, o.Tolerance = 0, 1e-11
	m := fitOn(t, d, x, o)
	got.LogLik, got.Weights, got.Means = m.LogLik, m.Weights, m.Means
	return got
}

// sameGaussian compares likelihoods to 1e-8, and parameters less closely, as the likelihood is flat in
// them.
var sameGaussian = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		return p.Index(1).String() == ".Weights" || p.Index(1).String() == ".Means"
	}, cmpopts.EquateApprox(1e-5, 1e-5)),
	cmp.FilterPath(func(p cmp.Path) bool {
		return p.Index(1).String() == ".First" || p.Index(1).String() == ".LogLik"
	}, cmpopts.EquateApprox(1e-8/1000, 1e-8)),
}

// goldens returns the results of scikit-learn 1.2.1 in a file.
func goldens(t testing.TB) (all []gaussian) {
	b, err := os.ReadFile(filepath.Join("testdata", "gaussian.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGaussianGoldens fits normal distributions and compares with scikit-learn's results for the same
// first parameters.
func TestGaussianGoldens(t *testing.T) {
	all := goldens(t)
	if len(all) != 8 {
		t.Fatalf("%d goldens", len(all))
	}
	for _, want := range all {
		t.Run(fmt.Sprint(want.Data, ",", want.Covariance), func(t *testing.T) {
			devicestest.Each(t, func(t *testing.T, d *devices.Device) {
				if diff := cmp.Diff(want, want.fit(t, d), sameGaussian); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// TestScikitLearn runs scikit-learn, if this machine has it: on the data of the goldens, which it must
// reproduce, and on others in more columns.
func TestScikitLearn(t *testing.T) {
	devicestest.Long(t)
	python := benchmark.FindPython(t.Context(), "sklearn")
	switch {
	case python != "":
	case strings.Contains(os.Getenv("SKEL_REQUIRE"), "sklearn"):
		t.Fatal("SKEL_REQUIRE asks for scikit-learn, and no python3 here has it")
	default:
		t.Skip("no python3 here has scikit-learn (Debian: python3-sklearn); TestGaussianGoldens has its results")
	}
	golden := map[string]map[Covariance]gaussian{}
	for _, g := range goldens(t) {
		if golden[g.Data] == nil {
			golden[g.Data] = map[Covariance]gaussian{}
		}
		golden[g.Data][g.Covariance] = g
	}
	for _, name := range []string{"faithful.txt", "tmix3.csv.gz", ""} {
		all, err := scikit(t, python, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range all {
			t.Run(fmt.Sprint(name, ",", want.Covariance), func(t *testing.T) {
				if name != "" {
					if diff := cmp.Diff(golden[name][want.Covariance], want, sameGaussian); diff != "" {
						t.Error(diff)
					}
					return
				}
				devicestest.Each(t, func(t *testing.T, d *devices.Device) {
					if diff := cmp.Diff(want, want.fit(t, d), sameGaussian); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
	}
}

// scikit runs gaussian.py on data, for all forms of covariances.
func scikit(t testing.TB, python, name string) (all []gaussian, err error) {
	x, labels := gaussian{Data: name}.rows(t)
	dir := t.TempDir()
	points, starts := filepath.Join(dir, "points.npy"), filepath.Join(dir, "labels.npy")
	if err := data.Write(nil, points, x); err != nil {
		return nil, err
	}
	if err := data.WriteLabels(nil, starts, labels); err != nil {
		return nil, err
	}
	cmd := benchmark.Python(t.Context(), python, "gaussian.py", points, starts, "full", "tied", "diag", "spherical")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	lines := json.NewDecoder(bytes.NewReader(out))
	for _, c := range []Covariance{Full, Tied, Diagonal, Spherical} {
		g := gaussian{Data: name, Covariance: c}
		if err := lines.Decode(&g); err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}
