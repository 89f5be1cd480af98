package scale

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// Model is a diagnostic scale: an object's score is F = Σ aᵢxᵢ, and its group follows from the cuts.
type Model struct {
	Features []string  `json:"features"`
	Groups   []string  `json:"groups"` // in ascending order of the score
	Weights  []float64 `json:"weights"`
	// Cuts are the boundaries between the states of the scale in ascending order. The states are the
	// groups and, if Zones is set, an uncertain zone between each two groups.
	Cuts  []float64 `json:"cuts"`
	Zones bool      `json:"zones,omitempty"`
	// GroupColumn is the name of the column of groups in the table that the scale was found for.
	GroupColumn string `json:"group_column,omitempty"`
	// Fills are the values that stand for missing values of the features; nil means that they are
	// errors. Indicators are features that are 1 where another feature is missing and otherwise 0.
	Fills      []float64   `json:"fills,omitempty"`
	Indicators []Indicator `json:"indicators,omitempty"`
	// Risks and Scores are the risks of ranges of the score and of each score among the objects that the scale
	// was found for.
	Risks  []Risk      `json:"risks,omitempty"`
	Scores []ScoreRisk `json:"scores,omitempty"`
}

// Indicator says that a feature of a model tells where another one is missing.
type Indicator struct {
	Feature int `json:"feature"`
	Of      int `json:"of"`
}

// Undecided is the group of an object in an uncertain zone.
const Undecided = -1

// model returns the model of a placement for a problem.
func (e *evaluator) model(weights []float64, p *placement, of *problem) *Model {
	m := &Model{Features: e.data.Features, Weights: weights, Cuts: p.Cuts, Zones: e.Rule.Zones}
	for s := range e.data.Groups {
		m.Groups = append(m.Groups, e.data.Groups[of.group(s)])
	}
	return m
}

// Score returns F of an object.
func (m *Model) Score(x []float64) float64 { return weigh(m.Weights, x) }

// Assign returns the group of an object of a score, as an index of Groups, or Undecided. A score equal to
// a threshold is of the lower group; an uncertain zone includes its bounds.
func (m *Model) Assign(score float64) int {
	switch s := m.state(score); {
	case !m.Zones:
		return s
	case s&1 == 1:
		return Undecided
	default:
		return s / 2
	}
}

// state returns the state of a score. On cuts it is the lowest state between them, unless one is a zone.
func (m *Model) state(score float64) int {
	low, on := slices.BinarySearch(m.Cuts, score)
	if !m.Zones || !on {
		return low
	}
	high := low
	for high < len(m.Cuts) && m.Cuts[high] == score {
		high++
	}
	if low&1 == 0 && high&1 == 1 {
		return high
	}
	return low
}

// Thresholds returns the boundary between each two neighbouring groups: the middle of an uncertain
// zone.
func (m *Model) Thresholds() []float64 {
	if !m.Zones {
		return m.Cuts
	}
	var list []float64
	for i := 0; i < len(m.Cuts); i += 2 {
		list = append(list, middle(m.Cuts[i], m.Cuts[i+1]))
	}
	return list
}

// Save writes the model as JSON, from which Load reads the same numbers.
func (m *Model) Save(w io.Writer) error { return json.NewEncoder(w).Encode(m) }

// Load reads a model that Save has written.
func Load(r io.Reader) (*Model, error) {
	return data.DecodeModel(r, "skelgo scale", (*Model).check)
}

// check reports parts of a model that do not fit together.
func (m *Model) check() error {
	p, k := len(m.Features), len(m.Groups)
	cuts := k - 1
	if m.Zones {
		cuts *= 2
	}
	switch {
	case p == 0 || k < 2:
		return fmt.Errorf("%s and %s", app.Count(p, "feature"), app.Count(k, "group"))
	case len(m.Weights) != p:
		return fmt.Errorf("%s of %s", app.Count(len(m.Weights), "weight"), app.Count(p, "feature"))
	case len(m.Cuts) != cuts:
		return fmt.Errorf("%s of %s", app.Count(len(m.Cuts), "threshold"), app.Count(k, "group"))
	case m.Fills != nil && len(m.Fills) != p:
		return fmt.Errorf("%s of %s", app.Count(len(m.Fills), "value"), app.Count(p, "feature"))
	}
	for i, c := range m.Cuts {
		if i > 0 && c < m.Cuts[i-1] || math.IsNaN(c) {
			return fmt.Errorf("boundary %v after %v", c, m.Cuts[max(i, 1)-1])
		}
	}
	for i, s := range m.Scores {
		if len(s.Risks) != k-1 || slices.Contains(s.Risks, nil) || i > 0 && !(s.Low > m.Scores[i-1].High) {
			return fmt.Errorf("risks of score %v that do not fit", s.Low)
		}
	}
	columns := p - len(m.Indicators) // the features that a table has come first
	for k, i := range m.Indicators {
		if i.Feature != columns+k || i.Of < 0 || i.Of >= columns || m.Fills == nil {
			return fmt.Errorf("feature %d cannot tell where feature %d of %d is missing", i.Feature+1, i.Of+1, p)
		}
	}
	return nil
}

// indicated reports whether feature j is an indicator, which no table has as a column.
func (m *Model) indicated(j int) bool {
	for _, i := range m.Indicators {
		if i.Feature == j {
			return true
		}
	}
	return false
}
