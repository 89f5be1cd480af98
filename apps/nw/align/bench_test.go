package align_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// BenchmarkWriter writes an alignment of 1000 letters with as many.
func BenchmarkWriter(b *testing.B) {
	matrix, err := subst.Lookup("BLOSUM62")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	letters := func() []byte {
		list := make([]byte, 1000)
		for i := range list {
			list[i] = "ARNDCQEGHILKMFPSTWYV"[rng.IntN(20)]
		}
		return list
	}
	p := seq.Pair{A: &seq.Record{Name: "a", Letters: letters()}, B: &seq.Record{Name: "b", Letters: letters()}}
	var path align.Cigar
	x, y := 0, 0
	for x < 1000 || y < 1000 {
		switch r := rng.IntN(12); {
		case x < 1000 && (r == 0 || y == 1000):
			path.Add(align.Delete, 1)
			x++
		case y < 1000 && (r == 1 || x == 1000):
			path.Add(align.Insert, 1)
			y++
		default:
			op := align.Mismatch
			if p.A.Letters[x] == p.B.Letters[y] {
				op = align.Match
			}
			path.Add(op, 1)
			x++
			y++
		}
	}
	a := align.New(p, 12, path)
	for _, f := range align.Formats() {
		b.Run(fmt.Sprintf("format=%s", f), func(b *testing.B) {
			w, err := align.NewWriter(io.Discard, f, align.Job{
				Scoring: align.Scoring{Matrix: matrix, Open: 11, Extend: 1, Mode: align.Global}, Pairs: []seq.Pair{p}, Program: "bench",
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := w.Write(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
