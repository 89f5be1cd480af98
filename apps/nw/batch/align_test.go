package batch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// randomRecord is a sequence of letters, with parts of another one.
func randomRecord(rng *rand.Rand, letters string, n int, like *seq.Record) *seq.Record {
	r := &seq.Record{Name: fmt.Sprint("s", rng.IntN(1000)), File: "random", Line: 1}
	for len(r.Letters) < n {
		if like != nil && len(like.Letters) > 0 && rng.IntN(20) > 0 {
			at := rng.IntN(len(like.Letters))
			r.Letters = append(r.Letters, like.Letters[at:min(len(like.Letters), at+1+rng.IntN(30))]...)
			continue
		}
		r.Letters = append(r.Letters, letters[rng.IntN(len(letters))])
	}
	r.Letters = r.Letters[:n]
	return r
}

func lookup(t *testing.T, name string) *subst.Matrix {
	t.Helper()
	m, err := subst.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func scorings(t *testing.T) (list []align.Scoring) {
	protein, dna := lookup(t, "BLOSUM62"), lookup(t, "DNAFULL")
	for _, m := range []*subst.Matrix{protein, dna} {
		for _, costs := range [][2]int{{3, 3}, {11, 1}, {4, 2}, {1, 1}} {
			for _, mode := range []align.Mode{align.Global, align.Local} {
				list = append(list, align.Scoring{Matrix: m, Open: costs[0], Extend: costs[1], Mode: mode})
			}
			for free := 1; free < 16; free += 2 {
				list = append(list, align.Scoring{
					Matrix: m, Open: costs[0], Extend: costs[1], Mode: align.SemiGlobal,
					Free: align.Ends{StartA: free&1 > 0, EndA: free&2 > 0, StartB: free&4 > 0, EndB: free&8 > 0},
				})
			}
		}
	}
	return list
}

func TestOracle(t *testing.T) {
	devs := devicestest.All(t)
	devicestest.NoLeaks(t, devs...)
	rng := rand.New(rand.NewPCG(9, 1))
	orders := []Ties{{'M', 'D', 'I'}, {'D', 'M', 'I'}, {'I', 'D', 'M'}, {'M', 'I', 'D'}, {'D', 'I', 'M'}, {'I', 'M', 'D'}}
	for k, s := range scorings(t) {
		if (testing.Short() || !devicestest.Thorough()) && k%7 != 0 {
			continue // SKEL_TEST=all has all 88 scorings
		}
		letters := "ACGT"
		if s.Matrix.Has('W') && s.Matrix.Has('L') {
			letters = "ARNDC"
		}
		var pairs []seq.Pair
		for range 40 {
			n := rng.IntN(60) + 1
			a := randomRecord(rng, letters, n, nil)
			pairs = append(pairs, seq.Pair{A: a, B: randomRecord(rng, letters, 1+rng.IntN(60), a)})
		}
		o := Options{Scoring: s, Ties: orders[k%len(orders)], Devices: devs}
		for _, o.Path = range []bool{false, true} {
			check(t, pairs, o)
		}
		o.Count, o.Path = true, false
		check(t, pairs[8:13], o)
		o.Count, o.Path = false, true
		for _, o.least = range []int64{1, 3, 16} {
			o.most = max(5-o.least, 0)
			for _, p := range pairs[:8] {
				check(t, []seq.Pair{p}, o)
			}
		}
		if t.Failed() {
			return
		}
	}
}

func check(t *testing.T, pairs []seq.Pair, o Options) {
	t.Helper()
	i := 0
	err := Align(t.Context(), pairs, o, func(a *align.Alignment) error {
		defer func() { i++ }()
		if a.A != pairs[i].A {
			return fmt.Errorf("pair %d is out of order", i)
		}
		want := oracle.Align(pairs[i], o.Scoring, o.Ties.order())
		if a.Score != want.Score {
			t.Errorf("%s %v open %d extend %d, path %v: %s %s: score %d, want %d", o.Mode, o.Free, o.Open, o.Extend, o.Path, a.A.Letters, a.B.Letters, a.Score, want.Score)
			return nil
		}
		if o.Count {
			if want := oracle.Count(pairs[i], o.Scoring); a.Count.Cmp(want) != 0 {
				t.Errorf("%s %v open %d extend %d: %s %s: %d alignments, want %d", o.Mode, o.Free, o.Open, o.Extend, a.A.Letters, a.B.Letters, a.Count, want)
			}
		}
		if !o.Path {
			return nil
		}
		if score, err := a.Rescore(o.Scoring); err != nil || score != a.Score {
			t.Errorf("%s %v open %d extend %d: %s %s: %v rescored: %d, %v, not %d", o.Mode, o.Free, o.Open, o.Extend, a.A.Letters, a.B.Letters, a.Path, score, err, a.Score)
		}
		got := fmt.Sprint(a.StartA, a.EndA, a.StartB, a.EndB, a.Path)
		if diff := cmp.Diff(fmt.Sprint(want.StartA, want.EndA, want.StartB, want.EndB, want.Path), got); diff != "" {
			t.Errorf("%s %v open %d extend %d ties %v: %s %s (-want +got):\n%s", o.Mode, o.Free, o.Open, o.Extend, o.Ties, a.A.Letters, a.B.Letters, diff)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
