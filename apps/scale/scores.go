package scale

import (
	"math"
	"slices"
)

// ScoreRisk is the risk of a score. Neighbouring scores without a difference are one range.
type ScoreRisk struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`   // Low, unless it is a range
	N      int     `json:"n"`      // objects of the score
	Counts []int   `json:"counts"` // of the groups
	Group  string  `json:"group"`  // that is assigned
	// Risks has, for each group but the lowest, the share of the objects of this group and above. So that it
	// ascends with the score, neighbouring scores are pooled where it would not: this is the isotonic
	// regression. Count and Of are those of the pooled scores, and the interval is theirs.
	Risks []*Share `json:"risks"`
}

// maxScores is the maximum number of whole scores that are listed one by one.
const maxScores = 1000

// scoreRisks returns the risks of all scores in ascending order. If weights and features are whole numbers,
// every score between the lowest and the highest one has its own risk: one that no object has, that of the
// nearest one.
func (m *Model) scoreRisks(scores []float64, group []int, perUnit float64) []ScoreRisk {
	k := len(m.Groups)
	var list []ScoreRisk
	order := rank(scores, perUnit)
	for at, o := range order {
		f := scores[o.object]
		if at == 0 || o.value-order[at-1].value > 1 {
			list = append(list, ScoreRisk{Low: f, High: f, Group: m.name(m.Assign(f)), Counts: make([]int, k)})
		}
		one := &list[len(list)-1]
		one.N++
		one.Counts[group[o.object]]++
	}
	for g := 1; g < k; g++ {
		for i, share := range pooled(list, g) {
			list[i].Risks = append(list[i].Risks, share)
		}
	}
	if step := m.scoreStep(list); step > 0 {
		return everyScore(list, step, m)
	}
	return mergeScores(list)
}

// pooled returns the share of the objects of group g and above for each score: the isotonic regression, by
// the algorithm of pooling adjacent violators. Scores that are pooled have the same pointer.
func pooled(list []ScoreRisk, g int) []*Share {
	type block struct{ count, of, scores int }
	var blocks []block
	for _, s := range list {
		b := block{0, s.N, 1}
		for _, n := range s.Counts[g:] {
			b.count += n
		}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.count*b.of < b.count*last.of {
				break
			}
			b = block{b.count + last.count, b.of + last.of, b.scores + last.scores}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	var shares []*Share
	for _, b := range blocks {
		shares = append(shares, slices.Repeat([]*Share{newShare(b.count, b.of)}, b.scores)...)
	}
	return shares
}

// scoreStep returns the largest whole number of which all differences of scores are multiples, or 0 if
// there is none or there are too many scores.
func (m *Model) scoreStep(list []ScoreRisk) float64 {
	whole := func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < 1<<53 }
	step, lowest := 0.0, list[0].Low
	for _, w := range m.Weights {
		if !whole(w) {
			return 0
		}
	}
	for _, s := range list {
		if !whole(s.Low) {
			return 0
		}
		for a, b := step, s.Low-lowest; ; a, b = b, math.Mod(a, b) {
			if b == 0 {
				step = a
				break
			}
		}
	}
	if (list[len(list)-1].Low-lowest)/max(1, step) >= maxScores {
		return 0
	}
	return step
}

// everyScore adds the scores that no object has.
func everyScore(list []ScoreRisk, step float64, m *Model) (all []ScoreRisk) {
	for i, s := range list {
		if i > 0 {
			last := list[i-1]
			for f := last.Low + step; f < s.Low; f += step {
				nearest := last
				if s.Low-f < f-last.Low {
					nearest = s
				}
				all = append(all, ScoreRisk{
					Low: f, High: f, Group: m.name(m.Assign(f)),
					Counts: make([]int, len(m.Groups)), Risks: nearest.Risks,
				})
			}
		}
		all = append(all, s)
	}
	return all
}

// mergeScores merges neighbouring scores that are assigned to the same group and have the same risks.
func mergeScores(list []ScoreRisk) (merged []ScoreRisk) {
	for _, s := range list {
		if len(merged) > 0 {
			last := &merged[len(merged)-1]
			if last.Group == s.Group && slices.Equal(last.Risks, s.Risks) {
				last.High = s.High
				last.N += s.N
				last.Counts = slices.Clone(last.Counts)
				for g, n := range s.Counts {
					last.Counts[g] += n
				}
				continue
			}
		}
		merged = append(merged, s)
	}
	return merged
}

// risksOf returns the risks of a score: those of the nearest one in the table. It returns nil if the model
// has none.
func (m *Model) risksOf(score float64) []*Share {
	if len(m.Scores) == 0 {
		return nil
	}
	i, _ := slices.BinarySearchFunc(m.Scores, score, func(s ScoreRisk, f float64) int {
		if s.High < f {
			return -1
		}
		return 1
	})
	switch {
	case i == len(m.Scores):
		i--
	case i > 0 && score-m.Scores[i-1].High <= m.Scores[i].Low-score:
		i--
	}
	return m.Scores[i].Risks
}

// listed returns the scores one by one, or ranges of equal risk if there are more than most.
func (m *Model) listed(most int) []ScoreRisk {
	if len(m.Scores) <= most {
		return m.Scores
	}
	return mergeScores(m.Scores)
}

// text formats the score.
func (s *ScoreRisk) text() string { return (&Risk{Low: s.Low, High: s.High}).scores() }
