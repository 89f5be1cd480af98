package scale

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestScoreRisks checks the risks of all scores against the formula of isotonic regression: the risk of a
// score is the largest, over all lower scores, of the least mean from there to any higher score.
func TestScoreRisks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 3).Draw(t, "groups"), rapid.IntRange(1, 25).Draw(t, "objects")
		m := &Model{Features: []string{"f"}, Groups: degrees[:k], Weights: []float64{1}, Cuts: []float64{3, 5}[:k-1]}
		factor := rapid.SampledFrom([]float64{1, 2, 0.5}).Draw(t, "factor")
		var scores []float64
		var group []int
		counts := make([][3]int, 10) // of each score
		for range n {
			f, g := rapid.IntRange(0, 9).Draw(t, "score"), rapid.IntRange(0, k-1).Draw(t, "group")
			scores, group = append(scores, factor*float64(f)), append(group, g)
			counts[f][g]++
		}
		list := m.scoreRisks(scores, group, perUnit(20))
		m.Scores = list
		objects := 0
		for i, s := range list {
			objects += s.N
			if i > 0 && list[i-1].High >= s.Low {
				t.Fatalf("%v after %v", s.Low, list[i-1].High)
			}
		}
		if objects != n {
			t.Fatalf("%d objects, not %d", objects, n)
		}
		for at := range counts {
			if counts[at] == [3]int{} {
				continue
			}
			for g := 1; g < k; g++ {
				want := math.Inf(-1)
				for from := 0; from <= at; from++ {
					least := math.Inf(1)
					for to := at; to < len(counts); to++ {
						var own, all float64
						for _, c := range counts[from : to+1] {
							for h, n := range c {
								all += float64(n)
								own += when(h >= g, float64(n))
							}
						}
						least = min(least, own/all)
					}
					want = max(want, least)
				}
				got := m.risksOf(factor * float64(at))[g-1].Value
				if math.Abs(got-want) > 1e-12 {
					t.Fatalf("the risk of score %v is %v, not %v", factor*float64(at), got, want)
				}
			}
		}
	})
}

// TestEveryScore checks the scores that no object has, and the ranges of scores that are not whole.
func TestEveryScore(t *testing.T) {
	m := &Model{Features: []string{"f"}, Groups: degrees[:2], Weights: []float64{1}, Cuts: []float64{5}}
	texts := func(scores []float64, group []int) (list []string) {
		m.Scores = m.scoreRisks(scores, group, perUnit(20))
		for _, s := range m.Scores {
			list = append(list, s.text()+" "+s.Group+" "+percent(s.Risks[0].Value))
		}
		return list
	}
	got := texts([]float64{2, 4, 10, 10}, []int{0, 1, 1, 0})
	want := []string{"2 healthy 0.0%", "4 healthy 66.7%", "6 mild 66.7%", "8 mild 66.7%", "10 mild 66.7%"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = texts([]float64{0.5, 1, 2, 6, 7}, []int{0, 0, 1, 0, 1})
	want = []string{"0.5 to 1 healthy 0.0%", "2 healthy 50.0%", "6 mild 50.0%", "7 mild 100.0%"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for score, want := range map[float64]float64{-3: 0, 0.7: 0, 1.4: 0, 1.6: 0.5, 4: 0.5, 6.8: 1, 99: 1} {
		if got := m.risksOf(score)[0].Value; got != want {
			t.Errorf("the risk of score %v is %v, not %v", score, got, want)
		}
	}
}
