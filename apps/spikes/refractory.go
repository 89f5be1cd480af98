package spikes

import (
	"math"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show violation

// event is a spike of a unit, and its time in samples.
type event struct {
	Label int32
	Time  int64
}

func eventOf(time int64, label int32) event { return event{label, time} }

func earlier(a, b event) bool { return a.Label < b.Label || a.Label == b.Label && a.Time < b.Time }

// train has the spikes of units in their order, and the refractory period in samples.
type train struct {
	Events     vector.View[event]
	Refractory float64
}

// violation returns 1 if event i is too close to the one before.
func violation(i int, t train) int {
	if i == 0 {
		return 0
	}
	a, b := t.Events.At(i-1), t.Events.At(i)
	if a.Label == b.Label && float64(b.Time-a.Time) < t.Refractory {
		return 1
	}
	return 0
}

// end

func unitOf(e event) int32 { return e.Label }

var (
	events     = skel.NewZip(eventOf)
	trains     = skel.NewSort(earlier)
	violations = skel.NewMapWith(violation)
	units      = skel.NewMap(unitOf)
)

// refractory sets Violations and Contamination.
func (r *Result) refractory(o *Options) error {
	for j := range r.Units {
		r.Units[j].Violations, r.Units[j].Contamination = -1, unknown
	}
	if o.Times == nil {
		return nil
	}
	times := vector.From(o.Times, r.Scores.Vector().Distribution())
	defer times.Free()
	unsorted := events.Apply(times, r.Labels)
	defer unsorted.Free()
	sorted := trains.Apply(unsorted)
	defer sorted.Free()
	each := violations.With(train{sorted.View(), o.Refractory * o.Rate}).
		Apply(vector.Indices(len(o.Times), r.Scores.Vector().Distribution()))
	defer each.Free()
	keys := units.Apply(sorted)
	defer keys.Free()
	counts := count.ByKey(each, keys, len(r.Units))
	defer counts.Free()
	found, err := counts.Host()
	if err != nil {
		return err
	}
	duration := float64(o.Times[len(o.Times)-1]-o.Times[0]) / o.Rate
	for j := range r.Units {
		u := &r.Units[j]
		u.Violations = found[j]
		u.Contamination = contamination(float64(found[j]), float64(u.Size), o.Refractory, duration)
	}
	return nil
}

// contamination returns the part of a unit's spikes that are those of others, if these cause
// all violations of the refractory period: f in v = 2τn²f(1-f)/T for v violations of n
// spikes in the time T [Hill et al. 2011]. It is 1/2 or more if there is no such f.
//
// [Hill et al. 2011]: https://doi.org/10.1523/JNEUROSCI.0971-11.2011
func contamination(violations, size, refractory, duration float64) measure {
	k := ratio(violations*duration, 2*refractory*size*size)
	if k > 0.25 {
		return 0.5
	}
	return measure((1 - math.Sqrt(1-4*float64(k))) / 2)
}
