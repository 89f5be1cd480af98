package mixtures

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/checkpoint/checkpointtest"
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
	random := rand.New(rand.NewPCG(uint64(len(t.Name())), 1))
	var got *Result
	var seen struct{ ended, running, numbers, groups int } // runs that found such a state
	checkpointtest.Interrupt(t, 0, func(r *checkpointtest.Run) (err error) {
		var s state
		if err := r.Load(&s); err != nil {
			return err
		}
		for count, there := range map[*int]bool{
			&seen.ended: len(s.Round.Best) > 0, &seen.running: len(s.Round.Running) > 0,
			&seen.numbers: s.Numbers > 0, &seen.groups: s.Groups > 0,
		} {
			if there {
				*count++
			}
		}
		part := o
		part.Devices = devs[:1+r.Number%len(devs)]
		part.lanes, part.likeGPU = 1+random.IntN(12), random.IntN(2) == 0
		part.checkpoint = r.Checkpoint
		step := r.After(1 + random.IntN(6))
		part.Progress = func(int) { step() }
		got, err = FitSets(r.Context, sets, part)
		return err
	})
	want.Device, got.Device = "", ""
	bits := cmp.Comparer(func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	if diff := cmp.Diff(want, got, bits); diff != "" {
		t.Error(diff)
	}
	running := want.Sets[0][0].finite() // without a likelihood, a fit ends at once
	if seen.ended == 0 || running && (seen.running == 0 || seen.numbers == 0 && o.MaxComponents > 0 ||
		seen.groups == 0 && o.Bootstrap > 0) {
		t.Errorf("no run found a checkpoint of some kind: %+v", seen)
	}
}
