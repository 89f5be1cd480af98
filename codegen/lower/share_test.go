package lower_test

import (
	"testing"

	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// TestShare checks how many neighbouring elements share a call.
func TestShare(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

import "github.com/skelgo/skelgo/vector"

type extra struct {
	Seed, Stream uint64
	V            vector.View[float32]
}

func block(seed, stream, b uint64) uint64 {
	for range 10 {
		b = b*seed ^ stream
	}
	return b
}

func word(seed, stream uint64, i int) uint64 { return block(seed, stream, uint64(i)>>2) }
func pair(seed, stream uint64, i int) uint64 { return block(seed, stream, uint64(i)>>1) }

func direct(i int) uint64                       { return block(1, 2, uint64(i)>>3) }
func through(i int, e extra) uint64             { return word(e.Seed, e.Stream, i) }
func two(i int, e extra) uint64                 { return pair(e.Seed, e.Stream, i) }
func both(i int, e extra) uint64                { return pair(e.Seed, 0, i) + word(e.Seed, 1, i) }
func zipped(i int, x float32, e extra) float32  { return x + float32(word(e.Seed, e.Stream, i)) }
func reads(i int, e extra) float32              { return e.V.At(i) * float32(word(e.Seed, e.Stream, i)) }
func condition(i int, e extra) uint64 {
	if i > 3 {
		return word(e.Seed, e.Stream, i)
	}
	return 0
}

func streams(i int, e extra) uint64     { return word(e.Seed, uint64(i), 5) }
func diagonal(i int, e extra) uint64    { return word(e.Seed, uint64(i), i) }
func twoEach(i int, e extra) uint64     { return pair(e.Seed, e.Stream, 2*i) }
func byElement(i int, x uint64) uint64  { return word(1, 2, int(x)) }
func wide(i int, e extra) uint64        { return block(e.Seed, e.Stream, uint64(i)>>5) }
func noIndex(x uint64, e extra) uint64  { return block(e.Seed, e.Stream, x>>2) }
func assigned(i int, e extra) uint64 {
	i++
	return word(e.Seed, e.Stream, i)
}
func path(i int, e extra) uint64 {
	sum := word(e.Seed, e.Stream, i)
	for k := range 100 {
		sum += word(e.Seed, uint64(i), k)
	}
	return sum
}
func steps(i int, e extra) uint64 {
	sum := uint64(0)
	for k := range 100 {
		sum += word(e.Seed, uint64(k), i)
	}
	return sum
}
`)
	for name, want := range map[string]int{
		"direct": 8, "through": 4, "two": 2, "both": 4, "zipped": 4, "reads": 4, "condition": 4,
		"streams": 0, "diagonal": 0, "twoEach": 0, "byElement": 0, "wide": 0, "noIndex": 0, "assigned": 0,
		"path": 0, "steps": 0,
	} {
		fn, err := testload.Func(pkgs[0], name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		if p.Share != want {
			t.Errorf("%s: %d elements share a call, want %d", name, p.Share, want)
		}
	}
}
