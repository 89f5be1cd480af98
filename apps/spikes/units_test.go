package spikes

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// sorted is a result on the host, with which plain loops compute what Sort computes by
// skeletons.
type sorted struct {
	*Result
	s         *sample
	x         [][]float64 // waveforms
	scores    [][]float64
	labels    []int32
	z         []float64
	distances []float64
}

// TestMeasures compares what is known of spikes and units with plain loops.
func TestMeasures(t *testing.T) {
	s := simulated(t, simulate.Options{
		Spikes: 900, Jitter: 1.5, Noise: 0.3, Channels: 2, Shares: []float64{5, 3, 2}, Seed: 7, Firing: 60,
		Refractory: 1e-4, Overlaps: 0.05,
	})
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		w := s.on(vector.Single(d))
		defer w.Free()
		r, err := Sort(t.Context(), w, Options{
			Channels: 2, Times: s.times, Mixture: tmixture.Options{Components: 4, Tolerance: 0.1},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Free()
		h := &sorted{
			Result: r, s: s, labels: host(t, r.Labels), z: host(t, r.Posteriors.Vector()),
			distances: host(t, r.Distances),
		}
		scores := host(t, r.Scores.Vector())
		for i := range s.n {
			row := make([]float64, s.cols)
			for c := range row {
				row[c] = float64(s.waves[i*s.cols+c])
			}
			h.x = append(h.x, row)
			h.scores = append(h.scores, scores[i*r.Scores.Cols():(i+1)*r.Scores.Cols()])
		}
		h.checkSpikes(t)
		for j := range r.Units {
			h.checkTemplate(t, j)
			h.checkFit(t, j)
			h.checkIsolation(t, j)
			h.checkViolations(t, j)
		}
	})
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

// checkSpikes checks amplitudes and features.
func (h *sorted) checkSpikes(t *testing.T) {
	amplitudes, features := host(t, h.Amplitudes), host(t, h.Features.Vector())
	k := h.FeatureComponents()
	for i, x := range h.x {
		template := h.Units[h.labels[i]].Template
		up, down := 0.0, 0.0
		for c, v := range template {
			up, down = up+v*x[c], down+v*v
		}
		if !close(amplitudes[i], up/down) {
			t.Fatalf("spike %d has amplitude %v, want %v", i, amplitudes[i], up/down)
		}
		for component := range k {
			score := 0.0
			for channel := range h.Channels {
				score += float64(features[(i*k+component)*h.Channels+channel])
			}
			if math.Abs(score-h.scores[i][component]) > 1e-5 {
				t.Fatalf("the features of spike %d add up to %v, want %v", i, score, h.scores[i][component])
			}
		}
	}
}

// of returns the rows of a unit's spikes.
func (h *sorted) of(j int, rows [][]float64) (found [][]float64) {
	for i, l := range h.labels {
		if int(l) == j {
			found = append(found, rows[i])
		}
	}
	return found
}

func (h *sorted) checkTemplate(t *testing.T, j int) {
	u, x := &h.Units[j], h.of(j, h.x)
	if u.Size != len(x) {
		t.Fatalf("unit %d has %d spikes, want %d", j, u.Size, len(x))
	}
	for c := range h.s.cols {
		column := make([]float64, len(x))
		for i := range x {
			column[i] = x[i][c]
		}
		mean, variance := stat.PopMeanVariance(column, nil)
		if !close(u.Template[c], mean) || !close(u.Deviation[c], math.Sqrt(variance)) {
			t.Fatalf("unit %d at %d: %v and %v, want %v and %v", j, c, u.Template[c], u.Deviation[c], mean,
				math.Sqrt(variance))
		}
	}
	wrong, missing := 0.0, 0.0
	for i, l := range h.labels {
		z := h.z[i*len(h.Units)+j]
		if int(l) == j {
			wrong += 1 - z
		} else {
			missing += z
		}
	}
	n := float64(u.Size)
	if !close(float64(u.FalsePositives), wrong/n) || !close(float64(u.FalseNegatives), missing/n) {
		t.Errorf("unit %d: %v wrong and %v missing, want %v and %v", j, u.FalsePositives, u.FalseNegatives, wrong/n,
			missing/n)
	}
}

func (h *sorted) checkFit(t *testing.T, j int) {
	u := &h.Units[j]
	p, nu := float64(h.Scores.Cols()), min(u.DF, testedDF)
	var b []float64
	outliers := 0
	for i, l := range h.labels {
		if int(l) != j {
			continue
		}
		x := h.distances[i] / (h.distances[i] + nu)
		b = append(b, x)
		if 1-mathext.RegIncBeta(p/2, nu/2, x) < 1e-3 {
			outliers++
		}
	}
	slices.Sort(b)
	ks, n := 0.0, float64(len(b))
	for i, x := range b {
		f := mathext.RegIncBeta(p/2, nu/2, x)
		ks = max(ks, f-float64(i)/n, float64(i+1)/n-f)
	}
	if math.Abs(float64(u.KS)-ks) > 1e-8 || u.Outliers != outliers {
		t.Errorf("unit %d: KS %v and %d outliers, want %v and %d", j, u.KS, u.Outliers, ks, outliers)
	}
	for _, q := range u.quantiles {
		if !slices.Contains(b, q[1]) {
			t.Fatalf("unit %d: quantile %v is no spike", j, q)
		}
	}
}

func (h *sorted) checkIsolation(t *testing.T, j int) {
	u, own := &h.Units[j], h.of(j, h.scores)
	p := h.Scores.Cols()
	if len(own) <= p {
		if u.LRatio == u.LRatio {
			t.Errorf("unit %d of %d spikes has L-ratio %v", j, len(own), u.LRatio)
		}
		return
	}
	m := mat.NewDense(len(own), p, slices.Concat(own...))
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, m, nil)
	var chol mat.Cholesky
	chol.Factorize(&covariance)
	mean := mat.NewVecDense(p, nil)
	for c := range p {
		mean.SetVec(c, stat.Mean(mat.Col(nil, c, m), nil))
	}
	var others []float64
	l := 0.0
	for i, row := range h.scores {
		if int(h.labels[i]) == j {
			continue
		}
		d := stat.Mahalanobis(mat.NewVecDense(p, slices.Clone(row)), mean, &chol)
		others = append(others, d*d)
		l += distuv.ChiSquared{K: float64(p)}.Survival(d * d)
	}
	slices.Sort(others)
	if l /= float64(len(own)); math.Abs(float64(u.LRatio)-l) > 1e-9*(1+l) {
		t.Errorf("unit %d: L-ratio %v, want %v", j, u.LRatio, l)
	}
	switch {
	case len(others) < len(own):
		if u.Isolation == u.Isolation {
			t.Errorf("unit %d: isolation distance %v of %d spikes and %d others", j, u.Isolation, len(own), len(others))
		}
	case !(math.Abs(float64(u.Isolation)-others[len(own)-1]) < 1e-7*others[len(own)-1]):
		t.Errorf("unit %d: isolation distance %v, want %v", j, u.Isolation, others[len(own)-1])
	}
}

func (h *sorted) checkViolations(t *testing.T, j int) {
	var last int64
	seen, violations := 0, 0
	for i, l := range h.labels {
		if int(l) != j {
			continue
		}
		if seen > 0 && float64(h.s.times[i]-last) < 1.5e-3*DefaultRate {
			violations++
		}
		last = h.s.times[i]
		seen++
	}
	if got := h.Units[j].Violations; got != violations {
		t.Errorf("unit %d: %d violations, want %d", j, got, violations)
	}
}

// Halves of a unit become one, and labels stay without gaps.
func TestMerged(t *testing.T) {
	for _, test := range []struct {
		labels, want []int32
		pair         pair
	}{
		{[]int32{0, 1, 2, 3, 1}, []int32{0, 1, 2, 1, 1}, pair{first: 1, second: 3}},
		{[]int32{0, 1, 2}, []int32{0, 0, 1}, pair{first: 0, second: 1}},
		{[]int32{0, 2, 4}, []int32{0, 1, 2}, pair{first: 1, second: 3}}, // two units without spikes
	} {
		if got := merged(test.labels, test.pair); slices.Compare(got, test.want) != 0 {
			t.Errorf("%v %v: %v, want %v", test.labels, test.pair, got, test.want)
		}
	}
}
