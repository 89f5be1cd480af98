package batch

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestEmulated aligns with the kernels that a CUDA device gets.
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
			o := Options{Scoring: align.Scoring{Matrix: m, Open: open, Extend: 2, Mode: mode, Free: align.AllEnds}, Devices: []*devices.Device{d}}
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
