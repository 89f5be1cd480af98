package grid

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

func TestPace(t *testing.T) {
	var p pace
	now := time.Now()
	at := func(what string, seconds float64, done int) string {
		d, known := p.left(what, done, 1000, now.Add(time.Duration(seconds*1e9)))
		if !known {
			return "unknown"
		}
		return d.String()
	}
	var got []string
	begin := func(what string, seconds float64, done int) {
		if left := at(what, seconds, done); left != "unknown" {
			t.Errorf("%s left at the beginning of %s", left, what)
		}
	}
	begin("minimum", 0, 0)
	got = append(got, at("minimum", 60, 100)) // building kernels took a minute
	got = append(got, at("minimum", 60.5, 150), at("minimum", 62, 300), at("minimum", 69, 1000))
	begin("top", 69, 400)                                     // the search goes on
	got = append(got, at("top", 70, 500), at("top", 72, 700)) // 100 nodes a second
	begin("top", 74, 0)                                       // another grid
	got = append(got, at("top", 75, 200), at("top", 77, 300))
	begin("top", 77, 300) // one that goes on where the last one ended
	got = append(got, at("top", 87, 400), at("top", 89, 500))
	want := []string{"unknown", "unknown", "7s", "0s", "unknown", "3s", "unknown", "14s", "unknown", "10s"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// An interrupted search prints the best node that it has found.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var text bytes.Buffer
	w := &watch{r: &app.Runner{Env: &app.Env{Stderr: &text}}}
	w.r.Progress = app.NewProgress(w.r.Env)
	o := Options{Where: onCPU(t)}
	w.options(&o)
	report := o.Progress
	o.Progress = func(what string, done, nodes int) {
		report(what, done, nodes)
		if done >= 3*firstBlock {
			cancel()
		}
	}
	stop := w.until(ctx)
	_, err := Minimize(ctx, formulaOf(t, "-x", 1), Axes{{Begin: 0, Step: 1, Count: 1 << 40}}, o)
	stop()
	if err == nil || !strings.Contains(text.String(), "776 nodes; the least value so far is -") {
		t.Errorf("error %v, message %q", err, text.String())
	}
	text.Reset()
	stop = w.until(t.Context())
	stop()
	if text.Len() > 0 {
		t.Errorf("not interrupted: %q", text.String())
	}
}
