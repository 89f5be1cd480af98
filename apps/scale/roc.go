package scale

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
)

// rocPoint is a point of a ROC curve: the shares of positive and negative objects whose score is At or
// more. It is infinity for the first point, (0, 0).
type rocPoint struct{ At, False, True float64 }

// roc returns the curve of a score, from (0, 0) to (1, 1). Scores that the search takes for equal are one
// point of it.
func roc(scores []float64, perUnit float64, positive func(i int) bool) []rocPoint {
	order := rank(scores, perUnit)
	slices.Reverse(order)
	var hits, misses float64
	points := []rocPoint{{At: math.Inf(1)}}
	for at, o := range order {
		if positive(o.object) {
			hits++
		} else {
			misses++
		}
		if at+1 == len(order) || o.value-order[at+1].value > 1 {
			points = append(points, rocPoint{scores[o.object], misses, hits})
		}
	}
	for i := range points {
		points[i].False /= max(1, misses)
		points[i].True /= max(1, hits)
	}
	return points
}

// auc returns the area under the curve.
func auc(scores []float64, perUnit float64, positive func(i int) bool) (area float64) {
	points := roc(scores, perUnit, positive)
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		area += (b.False - a.False) * (a.True + b.True) / 2
	}
	return area
}

// Curve is the ROC curve of a group against all others.
type Curve struct {
	Group string `json:"group"`
	// By says which objects are taken for those of the group at a point: those whose score is At or more
	// ("at least"), At or less ("at most"), or no farther than At from the middle of the range of the group
	// ("distance").
	By     string       `json:"by"`
	Points []CurvePoint `json:"points"`
}

// CurvePoint is a point of a ROC curve.
type CurvePoint struct {
	At          *float64 `json:"at"` // nil for the first point, at which no object is taken for one of the group
	Sensitivity float64  `json:"sensitivity"`
	Specificity float64  `json:"specificity"`
}

// curves returns the ROC curves of all groups; of two groups that of the upper one.
func (m *Model) curves(scores []float64, group []int, perUnit float64) (list []Curve) {
	k := len(m.Groups)
	for g, name := range m.Groups {
		c, sign := Curve{Group: name, By: "at least"}, 1.0
		switch {
		case k == 2 && g == 0:
			continue
		case g == 0:
			c.By, sign = "at most", -1
		case g < k-1:
			c.By, sign = "distance", -1
		}
		for i, p := range roc(m.likeness(scores, g), perUnit, func(i int) bool { return group[i] == g }) {
			point := CurvePoint{Sensitivity: p.True, Specificity: 1 - p.False}
			if i > 0 {
				at := sign*p.At + 0 // and not -0
				point.At = &at
			}
			c.Points = append(c.Points, point)
		}
		list = append(list, c)
	}
	return list
}

// corners returns the curve without the points on straight lines along an axis.
func (c Curve) corners() Curve {
	all := c.Points
	c.Points = nil
	for i, p := range all {
		if i > 0 && i+1 < len(all) {
			a, b := all[i-1], all[i+1]
			if a.Sensitivity == b.Sensitivity || a.Specificity == b.Specificity {
				continue
			}
		}
		c.Points = append(c.Points, p)
	}
	return c
}

// writeCurves writes all points of the ROC curves.
func writeCurves(w io.Writer, list []Curve) error {
	c := csv.NewWriter(w)
	c.Write([]string{"group", "by", "at", "sensitivity", "specificity"})
	for _, curve := range list {
		for _, p := range curve.Points {
			at := ""
			if p.At != nil {
				at = exactly(*p.At)
			}
			c.Write([]string{curve.Group, curve.By, at, exactly(p.Sensitivity), exactly(p.Specificity)})
		}
	}
	c.Flush()
	return c.Error() // also of the writes above
}
