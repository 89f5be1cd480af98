package rng_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/rng"
)

// The statistical tests use fixed seeds, so they either pass always or fail always. Their
// thresholds are those that a perfect generator exceeds with a probability of 10^-6.
const significance = 1e-6

// chiSquare checks that counts, of equally probable outcomes, do not differ too much, and
// not too little either.
func chiSquare(t *testing.T, name string, counts []int) {
	t.Helper()
	total := 0
	for _, c := range counts {
		total += c
	}
	expected := float64(total) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		sum += (float64(c) - expected) * (float64(c) - expected) / expected
	}
	p := distuv.ChiSquared{K: float64(len(counts) - 1)}.Survival(sum)
	if p < significance || p > 1-significance {
		t.Errorf("%s: chi square is %.1f for %d outcomes (p = %.2g)", name, sum, len(counts), p)
	}
}

// kolmogorov compares a sample with its distribution.
func kolmogorov(t *testing.T, name string, sample []float64, cdf func(float64) float64) {
	t.Helper()
	slices.Sort(sample)
	n, d := float64(len(sample)), 0.0
	for i, x := range sample {
		f := cdf(x)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	if limit := math.Sqrt(-math.Log(significance/2) / 2 / n); d > limit {
		t.Errorf("%s: the distance of Kolmogorov and Smirnov is %.6f, the limit %.6f", name, d, limit)
	}
}

// moments checks the mean and the variance of a sample; fourth is the fourth central
// moment of its distribution.
func moments(t *testing.T, name string, sample []float64, mean, variance, fourth float64) {
	t.Helper()
	n := float64(len(sample))
	m, v := 0.0, 0.0
	for _, x := range sample {
		m += (x - mean) / n
		v += (x - mean) * (x - mean) / n
	}
	const sigmas = 4.9 // which are exceeded with a probability of 10^-6
	if limit := sigmas * math.Sqrt(variance/n); math.Abs(m) > limit {
		t.Errorf("%s: the mean is off by %.6f, the limit is %.6f", name, m, limit)
	}
	if limit := sigmas * math.Sqrt((fourth-variance*variance)/n); math.Abs(v-variance) > limit {
		t.Errorf("%s: the variance is off by %.6f, the limit is %.6f", name, v-variance, limit)
	}
}

// sampled returns n numbers.
func sampled[T float32 | float64](n int, f func(seed, stream uint64, i int) T) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(f(11, 12, i))
	}
	return list
}

// TestWords counts the values of each byte, the pairs of neighbouring bits, and
// those of words of different blocks, streams and seeds.
func TestWords(t *testing.T) {
	const n = 1 << 20
	for _, shift := range []int{0, 8, 16, 24} {
		counts := make([]int, 256)
		for i := range n {
			counts[byte(rng.Uint32(1, 0, i)>>shift)]++
		}
		chiSquare(t, "bytes", counts)
	}
	pairs := map[string]func(i int) (a, b uint32){
		"neighbours": func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2, 0, i+1) },
		"blocks":     func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2, 0, i+4) },
		"far":        func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2, 0, i+1<<34) },
		"streams":    func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2, 1, i) },
		"streams 32": func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2, 1<<32, i) },
		"seeds":      func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(3, 0, i) },
		"seeds 32":   func(i int) (a, b uint32) { return rng.Uint32(2, 0, i), rng.Uint32(2+1<<32, 0, i) },
		"crossed":    func(i int) (a, b uint32) { return rng.Uint32(2, 5, i), rng.Uint32(5, 2, i) },
		"diagonal":   func(i int) (a, b uint32) { return rng.Uint32(2, uint64(i), 0), rng.Uint32(2, uint64(i)+1, 0) },
		"by seed":    func(i int) (a, b uint32) { return rng.Uint32(uint64(i), 0, 0), rng.Uint32(uint64(i)+1, 0, 0) },
	}
	for name, pair := range pairs {
		upper, lower := make([]int, 1<<12), make([]int, 1<<12)
		for i := range n {
			a, b := pair(i)
			upper[a>>26<<6|b>>26]++
			lower[a&63<<6|b&63]++
		}
		chiSquare(t, name+", upper bits", upper)
		chiSquare(t, name+", lower bits", lower)
	}
}

func TestDistributions(t *testing.T) {
	const n = 1 << 19
	normal, exponential := distuv.UnitNormal.CDF, distuv.Exponential{Rate: 1}.CDF
	uniform := func(x float64) float64 { return min(max(x, 0), 1) }
	for _, test := range []struct {
		name                   string
		sample                 []float64
		mean, variance, fourth float64
		cdf                    func(float64) float64
	}{
		{"Uniform", sampled(n, rng.Uniform), 1. / 2, 1. / 12, 1. / 80, uniform},
		{"Uniform32", sampled(n, rng.Uniform32), 1. / 2, 1. / 12, 1. / 80, uniform},
		{"Normal", sampled(n, rng.Normal), 0, 1, 3, normal},
		{"Normal32", sampled(n, rng.Normal32), 0, 1, 3, normal},
		{"Exponential", sampled(n, rng.Exponential), 1, 1, 9, exponential},
		{"Exponential32", sampled(n, rng.Exponential32), 1, 1, 9, exponential},
	} {
		moments(t, test.name, test.sample, test.mean, test.variance, test.fourth)
		kolmogorov(t, test.name, test.sample, test.cdf)
	}
}

// TestNormalPairs checks that the two numbers of a pair are independent, and so are their
// squares, and that numbers of neighbouring pairs are.
func TestNormalPairs(t *testing.T) {
	const n = 1 << 20
	for _, lag := range []int{1, 2, 3} {
		products, squares := make([]float64, n), make([]float64, n)
		for i := range n {
			x, y := float64(rng.Normal32(13, 14, i)), float64(rng.Normal32(13, 14, i+lag))
			products[i], squares[i] = x*y, (x*x-1)*(y*y-1)
		}
		moments(t, "products", products, 0, 1, 9)
		moments(t, "products of squares", squares, 0, 4, 3600)
	}
}

// TestTails counts numbers beyond some limits.
func TestTails(t *testing.T) {
	const n = 1 << 22
	limits := []float64{2, 3, 4, 4.75}
	beyond := make([][2]int, len(limits))
	for i := range n {
		x := float64(rng.Normal32(15, 16, i))
		for k, limit := range limits {
			if x > limit {
				beyond[k][0]++
			}
			if x < -limit {
				beyond[k][1]++
			}
		}
	}
	for k, limit := range limits {
		expected := n * distuv.UnitNormal.Survival(limit)
		for _, count := range beyond[k] {
			if math.Abs(float64(count)-expected) > 4.9*math.Sqrt(expected)+2 {
				t.Errorf("%d of %d normals are beyond %v; expected %.1f", count, n, limit, expected)
			}
		}
	}
}

func TestIntNAndBernoulliAreUniform(t *testing.T) {
	for _, n := range []int{2, 3, 10, 1000} {
		counts := make([]int, n)
		for i := range 1 << 20 {
			counts[rng.IntN(17, 18, i, n)]++
		}
		chiSquare(t, "IntN", counts)
	}
	for _, p := range []float64{0.5, 0.1, 1e-4} {
		const n = 1 << 20
		hits := 0
		for i := range n {
			if rng.Bernoulli(19, 20, i, p) {
				hits++
			}
		}
		if math.Abs(float64(hits)-n*p) > 4.9*math.Sqrt(n*p*(1-p)) {
			t.Errorf("Bernoulli(%v) was true %d times in %d", p, hits, n)
		}
	}
}
