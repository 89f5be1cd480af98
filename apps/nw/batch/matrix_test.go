package batch

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/internal/oracle"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

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
				t.Fatalf("%s %s, %s %v open %d extend %d (-want +got)\n%s", p.A.Letters, p.B.Letters, s.Mode, s.Free, s.Open, s.Extend, d)
			}
		}
	})
}

func TestMatrixTooLarge(t *testing.T) {
	long := &seq.Record{Name: "long", File: "file", Line: 1, Letters: []byte(strings.Repeat("A", 1_000_000))}
	o := Options{Scoring: align.Scoring{Matrix: lookup(t, "DNAFULL"), Open: 3, Extend: 1, Mode: align.Global}, Devices: devicestest.All(t)[:1]}
	_, _, _, err := Matrix(t.Context(), seq.Pair{A: long, B: long}, o)
	if size := new(*SizeError); !errors.As(err, size) || !strings.Contains(err.Error(), "for two sequences of") {
		t.Errorf("%v", err)
	}
}
