package mixtures

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// TestCheckpoint interrupts fits at random moments and goes on from their checkpoints, on another
// number of devices and in other batches, until they end. The results must be those of an
// uninterrupted call.
func TestCheckpoint(t *testing.T) {
	for name, o := range map[string]Options{
		"bootstrap": {
			Family: Normal, MinComponents: 1, MaxComponents: 3, Starts: 2, Bootstrap: 5, values: 500, MaxIter: 150,
		},
		"equal starts":  {Given: []Component{{.5, 1, 1}, {.5, 3, 2}}, Starts: 3, Bootstrap: 3, values: 300},
		"quantiles":     {MinComponents: 1, MaxComponents: 3, Starts: 2, Init: Quantiles, OldMean: true, MaxIter: 300},
		"falls":         {Family: Gamma, MinComponents: 1, MaxComponents: 3, Starts: 2, Tolerance: never, MaxIter: 300},
		"clusters":      {Family: Poisson, MinComponents: 2, MaxComponents: 3, Starts: 2, Init: KMeans, MaxIter: 200},
		"no likelihood": {Given: []Component{{.5, 1e-70, 1e200}, {.5, 1e-70, 1e201}}, Starts: 6, Bootstrap: 2},
	} {
		t.Run(name, func(t *testing.T) { testCheckpoint(t, o) })
	}
}

func testCheckpoint(t *testing.T, o Options) {
	family := o.Family
	if family == nil {
		family = InverseGaussian
	}
	var sets []Set
	for _, x := range append(raggedSets(family, 5), []float64{3, 3, 3, 3}, []float64{7}) {
		sets = append(sets, Set{"set", x})
	}
	devs := devicestest.Processors(t, 3)
	o.Devices = devs[:1]
	want, err := FitSets(t.Context(), sets, o)
	if err != nil {
		t.Fatal(err)
	}
	in := interrupted{sets: sets, o: o, devices: devs, name: filepath.Join(t.TempDir(), "state")}
	got := in.run(t)
	want.Device, got.Device = "", ""
	bits := cmp.Comparer(func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	if diff := cmp.Diff(want, got, bits); diff != "" {
		t.Error(diff)
	}
	running := want.Sets[0][0].finite() // without a likelihood, a fit ends at once
	if in.seen.ended == 0 || running && (in.seen.running == 0 || in.seen.numbers == 0 && o.MaxComponents > 0 ||
		in.seen.groups == 0 && o.Bootstrap > 0) {
		t.Errorf("%d runs found no checkpoint of some kind: %+v", in.runs, in.seen)
	}
}

// interrupted are fits that are interrupted until they end.
type interrupted struct {
	sets    []Set
	o       Options
	devices []*devices.Device
	name    string
	runs    int
	seen    struct{ ended, running, numbers, groups int } // runs that found such a state
}

func (in *interrupted) run(t *testing.T) *Result {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(len(t.Name())), 1))
	for ; in.runs < 1000; in.runs++ {
		o := in.o
		o.Devices = in.devices[:1+in.runs%len(in.devices)]
		o.lanes, o.likeGPU = 1+r.IntN(12), r.IntN(2) == 0
		in.look(t)
		o.checkpoint = in.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		var left atomic.Int64
		left.Store(int64(1 + r.IntN(6)))
		o.Progress = func(int) {
			if left.Add(-1) == 0 {
				cancel()
			}
		}
		result, err := FitSets(ctx, in.sets, o)
		cancel()
		if err == nil {
			return result
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	t.Fatal("the fits do not come to their end")
	return nil
}

func (in *interrupted) open(t *testing.T) *checkpoint.File {
	t.Helper()
	f, err := checkpoint.Open(in.name, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Failed = func(err error) { t.Error(err) }
	return f
}

// look counts what the checkpoint has.
func (in *interrupted) look(t *testing.T) {
	t.Helper()
	var s state
	if _, err := in.open(t).Load(&s); err != nil {
		t.Fatal(err)
	}
	for count, there := range map[*int]bool{
		&in.seen.ended: len(s.Round.Best) > 0, &in.seen.running: len(s.Round.Running) > 0,
		&in.seen.numbers: s.Numbers > 0, &in.seen.groups: s.Groups > 0,
	} {
		if there {
			*count++
		}
	}
}
