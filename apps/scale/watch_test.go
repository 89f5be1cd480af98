package scale

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
)

// TestTimeLimit ends searches at once. The scale is that of the best start.
func TestTimeLimit(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	d := generate(60, 3, 1)
	for name, o := range map[string]Options{
		"exact": {}, "integer": {Integer: true}, "descent": {Search: Descent}, "beam": {Beam: 3},
		"in turn": {memory: 1, Starts: 5},
	} {
		start := leastFor(d, &Costs{}, []float64{1, 1, 1, 1, 1, 1})
		o.TimeLimit = 1
		r, err := Find(t.Context(), d, o, cpu...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Finished || r.Cost > start || o.Starts == 0 && r.Cost != start {
			t.Errorf("%s: finished %v, cost %v, and the first start has %v", name, r.Finished, r.Cost, start)
		}
		if r, _, err = FindOrder(t.Context(), d, o, cpu...); err != nil || r.Finished {
			t.Errorf("%s, FindOrder: %v, %v", name, r, err)
		}
		if _, err := CrossValidate(t.Context(), d, o, 3, 2, cpu...); !errors.Is(err, ErrTimeLimit) {
			t.Errorf("%s, CrossValidate: %v", name, err)
		}
		if _, err := Bootstrap(t.Context(), d, o, 3, r.Model, cpu...); !errors.Is(err, ErrTimeLimit) {
			t.Errorf("%s, Bootstrap: %v", name, err)
		}
		o.TimeLimit = time.Hour
		if r, err = Find(t.Context(), d, o, cpu...); err != nil || !r.Finished || r.Cost >= start {
			t.Errorf("%s, an hour: %v, %v", name, r, err)
		}
	}
	if _, err := Find(t.Context(), d, Options{TimeLimit: -1}, cpu...); err == nil {
		t.Error("no error for a negative time limit")
	}
}

// TestCanceled ends the context of a search, which returns its error, but has reported the best scale so far.
func TestCanceled(t *testing.T) {
	cpu, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []time.Duration{0, time.Hour} {
		ctx, cancel := context.WithCancel(t.Context())
		var found []float64
		o := Options{TimeLimit: limit, Found: func(r *Result) {
			found = append(found, r.Cost)
			if len(found) == 3 {
				cancel()
			}
		}}
		if r, err := Find(ctx, generate(60, 3, 1), o, cpu...); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", r, err)
		}
		last := math.Inf(1)
		for _, c := range found {
			if c >= last {
				t.Errorf("the costs %v do not descend", found)
			}
			last = c
		}
		if len(found) != 3 {
			t.Errorf("%d scales were reported", len(found))
		}
	}
}

// TestInterrupted prints the best scale so far.
func TestInterrupted(t *testing.T) {
	var text bytes.Buffer
	for _, test := range []struct {
		unordered bool
		want      string
	}{
		{false, "skelgo: the best scale so far has cost 2; --evaluate=-0.5,1 prints its report\n"},
		{true, "skelgo: the best scale so far has cost 2; '--order=b\\,\\\\,it'\\''s' --evaluate=-0.5,1 in place of " +
			"--unordered prints its report\n"},
	} {
		text.Reset()
		ctx, cancel := context.WithCancel(t.Context())
		w := &watch{job: &job{options: &options{Unordered: test.unordered}}, env: &app.Env{Stderr: &text}}
		stop := w.until(ctx)
		w.keep(&Result{Cost: 2, Model: &Model{Weights: []float64{-0.5, 1}, Groups: []string{`b,\`, "it's"}}})
		cancel()
		stop()
		if text.String() != test.want {
			t.Errorf("%q, not %q", text.String(), test.want)
		}
	}
}
