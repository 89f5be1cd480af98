package nw

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// randomRecord returns a random sequence of n letters, with parts of like.
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
	orders := []Ties{{'M', 'D', 'I'}, {'D', 'M', 'I'}, {'I', 'D', 'M'}, {'M', 'I', 'D'}, {'D', 'I', 'M'},
		{'I', 'M', 'D'}}
	for k, s := range scorings(t) {
		if (testing.Short() || !devicestest.Thorough()) && k%7 != 0 {
			continue // SKEL_TEST=all tests all 88 scorings
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
			t.Errorf("%s %v open %d extend %d, path %v: %s %s: score %d, want %d", o.Mode, o.Free, o.Open, o.Extend,
				o.Path, a.A.Letters, a.B.Letters, a.Score, want.Score)
			return nil
		}
		if o.Count {
			if want := oracle.Count(pairs[i], o.Scoring); a.Count.Cmp(want) != 0 {
				t.Errorf("%s %v open %d extend %d: %s %s: %d alignments, want %d", o.Mode, o.Free, o.Open, o.Extend,
					a.A.Letters, a.B.Letters, a.Count, want)
			}
		}
		if !o.Path {
			return nil
		}
		if score, err := a.Rescore(o.Scoring); err != nil || score != a.Score {
			t.Errorf("%s %v open %d extend %d: %s %s: %v rescored: %d, %v, not %d", o.Mode, o.Free, o.Open, o.Extend,
				a.A.Letters, a.B.Letters, a.Path, score, err, a.Score)
		}
		got := fmt.Sprint(a.StartA, a.EndA, a.StartB, a.EndB, a.Path)
		if diff := cmp.Diff(fmt.Sprint(want.StartA, want.EndA, want.StartB, want.EndB, want.Path), got); diff != "" {
			t.Errorf("%s %v open %d extend %d ties %v: %s %s (-want +got):\n%s", o.Mode, o.Free, o.Open, o.Extend,
				o.Ties, a.A.Letters, a.B.Letters, diff)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestEmulated aligns with the kernels for CUDA devices.
func TestEmulated(t *testing.T) {
	devicestest.Long(t) // clang builds the kernels
	dev, err := emulator.New()
	if err != nil && !strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	rng := rand.New(rand.NewPCG(9, 2))
	m := lookup(t, "BLOSUM50")
	for _, mode := range []align.Mode{align.Global, align.SemiGlobal, align.Local} {
		for _, open := range []int{8, 2} {
			var pairs []seq.Pair
			for range 30 {
				a := randomRecord(rng, "ARNDCQ", 1+rng.IntN(300), nil)
				pairs = append(pairs, seq.Pair{A: a, B: randomRecord(rng, "ARNDCQ", 1+rng.IntN(300), a)})
			}
			o := Options{Scoring: align.Scoring{Matrix: m, Open: open, Extend: 2, Mode: mode, Free: align.AllEnds},
				Devices: []*devices.Device{d}}
			check(t, pairs, o)
			o.Path = true
			check(t, pairs, o)
			o.least, o.most = 7, 6
			check(t, pairs[:1], o)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestMatrix(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		rng := rand.New(rand.NewPCG(9, 4))
		for _, s := range scorings(t) {
			a := randomRecord(rng, "ACG", 1+rng.IntN(70), nil)
			p := seq.Pair{A: a, B: randomRecord(rng, "ACG", 1+rng.IntN(70), a)}
			got, rows, cols, err := Matrix(t.Context(), p, Options{Scoring: s, Devices: []*devices.Device{d}})
			if err != nil || rows != len(p.A.Letters) || cols != len(p.B.Letters) {
				t.Fatalf("%d x %d, %v", rows, cols, err)
			}
			var want []int32
			for _, h := range oracle.Scores(p, s) {
				want = append(want, int32(h))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s %s, %s %v open %d extend %d (-want +got)\n%s", p.A.Letters, p.B.Letters, s.Mode, s.Free,
					s.Open, s.Extend, d)
			}
		}
	})
}

func TestMatrixTooLarge(t *testing.T) {
	long := &seq.Record{Name: "long", File: "file", Line: 1, Letters: []byte(strings.Repeat("A", 1_000_000))}
	o := Options{Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 3, Extend: 1, Mode: align.Global},
		Devices: devicestest.All(t)[:1]}
	_, _, _, err := Matrix(t.Context(), seq.Pair{A: long, B: long}, o)
	if size := new(*SizeError); !errors.As(err, size) || !strings.Contains(err.Error(), "for two sequences of") {
		t.Errorf("%v", err)
	}
}

func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	several := 0
	for _, s := range scorings(t) {
		if s.Mode == align.SemiGlobal {
			s.Free = align.Ends{StartA: rng.IntN(2) == 0, EndA: rng.IntN(2) == 0, StartB: rng.IntN(2) == 0,
				EndB: rng.IntN(2) == 0}
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
				t.Errorf("%s %s, %s %v open %d extend %d: %v alignments, want %v", a.A.Letters, a.B.Letters, s.Mode,
					s.Free, s.Open, s.Extend, a.Count, want)
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

// TestCountOfMany counts more alignments than fit 64 bits: of a sequence of one letter with
// half of it, where gaps of one letter may be anywhere.
func TestCountOfMany(t *testing.T) {
	p := pairOf(strings.Repeat("A", 200), strings.Repeat("A", 100))
	o := Options{Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 1, Extend: 1, Mode: align.Global}}
	want := new(big.Int).Binomial(200, 100)
	cells := 0
	got, err := o.countBest(p, func(n int) error { cells += n; return nil })
	if err != nil || got.Cmp(want) != 0 {
		t.Errorf("%v alignments, %v, want %v", got, err, want)
	}
	if cells != 201*100 {
		t.Errorf("%d cells, want 201 rows of 100", cells)
	}
	if got, err := o.countBest(p, func(int) error { return context.Canceled }); got != nil || err != context.Canceled {
		t.Errorf("%v alignments, %v, after the context has ended", got, err)
	}
}

func TestProgress(t *testing.T) {
	devs := devicestest.All(t)
	devicestest.NoLeaks(t, devs...)
	rng := rand.New(rand.NewPCG(14, 1))
	var pairs []seq.Pair
	for range 20 {
		a := randomRecord(rng, "ACGT", 1+rng.IntN(700), nil)
		pairs = append(pairs, seq.Pair{A: a, B: randomRecord(rng, "ACGT", 1+rng.IntN(700), a)})
	}
	for _, mode := range []align.Mode{align.Global, align.Local} {
		for _, count := range []bool{false, true} {
			var total atomic.Int64
			o := Options{
				Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 10, Extend: 1, Mode: mode},
				Path:    true, Count: count, Devices: devs, Progress: func(n int64) { total.Add(n) },
			}
			if err := Align(t.Context(), pairs, o, func(*align.Alignment) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if total.Load() != Cells(pairs) {
				t.Errorf("%s, counted %v: %d cells were reported, want %d", mode, count, total.Load(), Cells(pairs))
			}
		}
	}
}

// TestProgressInAPair cancels in the middle of a pair.
func TestProgressInAPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	p := seq.Pair{A: randomRecord(rng, "ACGT", 5200, nil), B: randomRecord(rng, "ACGT", 5200, nil)}
	for _, d := range devicestest.All(t) {
		if d.Kind() != devices.CPU {
			continue // too fast on a GPU
		}
		devicestest.NoLeaks(t, d)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		o := Options{
			Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 10, Extend: 1, Mode: align.Global},
			Devices: []*devices.Device{d},
		}
		o.Progress = func(n int64) {
			if n >= cells(p) {
				t.Errorf("%s: reported only when all %d cells were done", d, n)
			}
			cancel()
		}
		err := Align(ctx, []seq.Pair{p}, o, func(*align.Alignment) error {
			t.Errorf("%s: done was called", d)
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", d, err)
		}
		o.Progress = nil
		if _, _, _, err := Matrix(ctx, p, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the matrix: %v", d, err)
		}
	}
}
