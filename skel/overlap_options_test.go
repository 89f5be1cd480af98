package skel_test

import (
	"testing"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func widest(w vector.Window[int32]) int32               { return max(w.At(-1), w.At(1)) }
func widestBy(w vector.Window[int32], by int32) int32   { return max(w.At(-1), w.At(1)) * by }
func widestOf(w matrix.Window[int32]) int32             { return max(w.At(-1, 0), w.At(0, 1)) }
func widestOfBy(w matrix.Window[int32], by int32) int32 { return max(w.At(-1, 0), w.At(0, 1)) * by }

// TestPaddingAgainstNeutral combines Padding and Neutral in both orders, before and after With.
func TestPaddingAgainstNeutral(t *testing.T) {
	const want = "Padding and Neutral contradict each other: with the padding "
	line, lineWith := skel.NewMapOverlap(widest, 1), skel.NewMapOverlapWith(widestBy, 1)
	plane, planeWith := skel.NewMapOverlapMatrix(widestOf, 1, 1), skel.NewMapOverlapMatrixWith(widestOfBy, 1, 1)
	for _, p := range []vector.Padding{vector.Nearest, vector.Wrap} {
		for _, f := range []func(){
			func() { line.Padding(p).Neutral(1) },
			func() { line.Neutral(1).Padding(p) },
			func() { line.Padding(p).Times(2).Neutral(1) },
			func() { lineWith.Padding(p).Neutral(1) },
			func() { lineWith.Neutral(1).Padding(p) },
			func() { lineWith.Padding(p).With(2).Neutral(1) },
			func() { lineWith.Neutral(1).With(2).Padding(p) },
			func() { plane.Padding(p).Neutral(1) },
			func() { plane.Neutral(1).Padding(p) },
			func() { planeWith.Padding(p).Neutral(1) },
			func() { planeWith.With(2).Neutral(1).Exchange(1).Padding(p) },
		} {
			expectPanic(t, want+p.String(), f)
		}
	}
	v, want2 := vector.From([]int32{4, -5, -6}), vector.From([]int32{8, 4, 8})
	for name, m := range map[string]*skel.MapOverlap[int32, int32]{
		"Neutral":                  line.Neutral(8),
		"twice":                    line.Neutral(1).Neutral(8),
		"Padding, Neutral":         line.Padding(vector.Neutral).Neutral(8),
		"Neutral, Padding":         line.Neutral(8).Padding(vector.Neutral),
		"Wrap, Padding, Neutral":   line.Padding(vector.Wrap).Padding(vector.Neutral).Neutral(8),
		"before With":              lineWith.Neutral(8).With(1),
		"Padding before With":      lineWith.Padding(vector.Neutral).With(1).Neutral(8),
		"left alone by its copies": line.Neutral(8),
	} {
		same(t, name, m.Apply(v), want2)
	}
}
