package scale

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCurves compares each point of the curves with counts of the objects that its rule chooses.
func TestCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	m := &Model{Features: []string{"f"}, Groups: degrees[:3], Weights: []float64{1}, Cuts: []float64{3, 6}}
	for range 30 {
		var scores []float64
		var group []int
		for i := range 20 {
			scores, group = append(scores, float64(r.IntN(10))), append(group, i%3)
		}
		unit := perUnit(10)
		for g, c := range m.curves(scores, group, unit) {
			for _, p := range c.Points[1:] {
				var right, own, rightNot float64
				for i, f := range scores {
					chosen := map[string]bool{
						"at least": f >= *p.At, "at most": f <= *p.At, "distance": math.Abs(f-4.5) <= *p.At,
					}[c.By]
					own += when(group[i] == g, 1)
					right += when(group[i] == g && chosen, 1)
					rightNot += when(group[i] != g && !chosen, 1)
				}
				if s := right / own; math.Abs(s-p.Sensitivity) > 1e-12 {
					t.Errorf("group %d, %s %v: sensitivity %v, not %v", g, c.By, *p.At, p.Sensitivity, s)
				}
				if s := rightNot / (20 - own); math.Abs(s-p.Specificity) > 1e-12 {
					t.Errorf("group %d, %s %v: specificity %v, not %v", g, c.By, *p.At, p.Specificity, s)
				}
			}
			if area, want := c.corners().area(), auc(m.likeness(scores, g), unit, func(i int) bool {
				return group[i] == g
			}); math.Abs(area-want) > 1e-12 {
				t.Errorf("group %d: the area of the corners is %v, not %v", g, area, want)
			}
		}
	}
	var b strings.Builder
	if err := writeCurves(&b, m.curves([]float64{1, 4, 5, 9}, []int{0, 1, 2, 2}, perUnit(10))[2:]); err != nil {
		t.Fatal(err)
	}
	want := `group,by,at,sensitivity,specificity
moderate,at least,,0,1
moderate,at least,9,0.5,1
moderate,at least,5,1,1
moderate,at least,4,1,0.5
moderate,at least,1,1,0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func (c Curve) area() (sum float64) {
	for i := 1; i < len(c.Points); i++ {
		a, b := c.Points[i-1], c.Points[i]
		sum += (a.Specificity - b.Specificity) * (a.Sensitivity + b.Sensitivity) / 2
	}
	return sum
}
