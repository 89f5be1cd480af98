package batch

import (
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices/devicestest"
)

func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	several := 0
	for _, s := range scorings(t) {
		if s.Mode == align.SemiGlobal {
			s.Free = align.Ends{StartA: rng.IntN(2) == 0, EndA: rng.IntN(2) == 0, StartB: rng.IntN(2) == 0, EndB: rng.IntN(2) == 0}
		}
		letters := "ACG"
		if s.Matrix.Has('W') && s.Matrix.Has('L') {
			letters = "ARNDC"
		}
		var pairs []seq.Pair
		for range 10 {
			a := randomRecord(rng, letters, 1+rng.IntN(40), nil)
			pairs = append(pairs, seq.Pair{A: a, B: randomRecord(rng, letters, 1+rng.IntN(40), a)})
		}
		i := 0
		o := Options{Scoring: s, Count: true, Devices: devicestest.All(t)[:1]}
		err := Align(t.Context(), pairs, o, func(a *align.Alignment) error {
			want := oracle.Count(pairs[i], s)
			if a.Count == nil || a.Count.Cmp(want) != 0 {
				t.Errorf("%s %s, %s %v open %d extend %d: %v alignments, want %v", a.A.Letters, a.B.Letters, s.Mode, s.Free, s.Open, s.Extend, a.Count, want)
			}
			if want.Cmp(big.NewInt(1)) > 0 {
				several++
			}
			i++
			return nil
		})
		if err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
	if several < 100 {
		t.Errorf("only %d of the pairs have several best alignments", several)
	}
}

// TestCountOfMany counts more alignments than 64 bits hold: of a sequence of one
// letter with half of it, where gaps of one letter may be anywhere.
func TestCountOfMany(t *testing.T) {
	p := pairOf(strings.Repeat("A", 200), strings.Repeat("A", 100))
	o := Options{Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 1, Extend: 1, Mode: align.Global}}
	want := new(big.Int).Binomial(200, 100)
	cells := 0
	got, err := o.count(p, func(n int) error { cells += n; return nil })
	if err != nil || got.Cmp(want) != 0 {
		t.Errorf("%v alignments, %v, want %v", got, err, want)
	}
	if cells != 201*100 {
		t.Errorf("%d cells, and there are 201 rows of 100", cells)
	}
	if got, err := o.count(p, func(int) error { return context.Canceled }); got != nil || err != context.Canceled {
		t.Errorf("%v alignments, %v, after the context has ended", got, err)
	}
}
