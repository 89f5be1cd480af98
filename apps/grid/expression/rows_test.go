package expression

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestRows compares rows with evaluations at one point, for any formula and any inner variable.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(4).Draw(t, "formula")
		p, err := Parse(f.text)
		if err != nil {
			t.Fatal(err)
		}
		inner := rapid.IntRange(0, 2).Draw(t, "inner")
		given := func(i int) bool { return p.Variables[i] == 1<<inner && p.Steps[i].Op == Call } // as terms are
		rows := p.Evaluator(p.Result, given).Rows(inner)
		row := rows.Row()
		defer row.Free()
		x := []float64{1.5, -2, 3}
		for range 2 { // a row is used again
			x[(inner+1)%3]++
			row.Begin(func(step int) float64 { return p.valueOf(step, x) })
			dst := make([]float64, rapid.IntRange(1, 2*chunk+3).Draw(t, "n"))
			row.Eval(dst, func(step, lo int, part []float64) []float64 {
				for i := range part {
					x[inner] = float64(lo+i)/8 - 2
					part[i] = p.valueOf(step, x)
				}
				return part
			})
			for i, got := range dst {
				x[inner] = float64(i)/8 - 2
				want := p.Eval(x)
				if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s at %v is %v, want %v", f.text, x, got, want)
				}
			}
		}
	})
}

// valueOf returns the value of a step.
func (p *Program) valueOf(step int, x []float64) float64 {
	values := make([]float64, step+1)
	for i := range values {
		s := &p.Steps[i]
		if s.Op == Variable {
			values[i] = x[s.A]
		} else {
			values[i] = apply(s, values[s.A], values[s.B])
		}
	}
	return values[step]
}
