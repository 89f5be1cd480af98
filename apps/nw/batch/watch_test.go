package batch

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
)

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
				t.Errorf("%s, counted %v: %d cells were told of, and there are %d", mode, count, total.Load(), Cells(pairs))
			}
		}
	}
}

// TestProgressInAPair ends the work on a pair before it is done.
func TestProgressInAPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	p := seq.Pair{A: randomRecord(rng, "ACGT", 5200, nil), B: randomRecord(rng, "ACGT", 5200, nil)}
	for _, d := range devicestest.All(t) {
		if d.Kind() != driver.CPU {
			continue // it takes a GPU no time
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
				t.Errorf("%s: told only when all %d cells were done", d, n)
			}
			cancel()
		}
		err := Align(ctx, []seq.Pair{p}, o, func(*align.Alignment) error {
			t.Errorf("%s: the alignment was handed on", d)
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
