package scale

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint/checkpointtest"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// whole is what the searches of a job find. Its names of devices are "".
type whole struct {
	Result     *Result
	Validation *Validation
	Resampling *Resampling
}

// findWhole runs the searches of a job.
func findWhole(ctx context.Context, d *Data, o Options, devs []*devices.Device) (w whole, err error) {
	if o.Unordered {
		w.Result, _, err = FindOrder(ctx, d, o, devs...)
	} else {
		w.Result, err = Find(ctx, d, o, devs...)
	}
	if err != nil {
		return w, err
	}
	if w.Result.Device == "" {
		return w, errors.New("the result has no device")
	}
	w.Result.Device = ""
	o.Starts = min(o.Starts, 2)
	if w.Validation, err = CrossValidate(ctx, d, o, 3, 1, devs...); err != nil {
		return w, err
	}
	w.Resampling, err = Bootstrap(ctx, d, o, 2, w.Result.Model, devs...)
	return w, err
}

type checkpointCase struct {
	data *Data
	o    Options
}

// checkpointCases has searches of all kinds.
func checkpointCases() map[string]checkpointCase {
	within := func(b float64) []Bound { return slices.Repeat([]Bound{{-b, b}}, 6) }
	rare := generate(70, 2, 3)
	for i := range rare.Group { // 3 of group 1
		if rare.Group[i] == 1 && i > 6 {
			rare.Group[i] = 0
		}
	}
	return map[string]checkpointCase{
		"exact":    {generate(50, 3, 1), Options{Starts: 3, Seed: 1}},
		"in turn":  {generate(40, 3, 2), Options{Starts: 3, MaxFeatures: 3, memory: 1}},
		"rare":     {rare, Options{Starts: 3}},
		"zones":    {generate(40, 2, 4), Options{Starts: 2, Costs: Costs{Zones: true, Uncertain: 0.3}}},
		"beam":     {generate(40, 3, 5), Options{Starts: 2, Beam: 3, Step: 0.5}},
		"descent":  {generate(60, 3, 6), Options{Search: Descent, Starts: 4}},
		"medians":  {withMissing(45, 3), Options{Search: Descent, Starts: 2}},
		"orders":   {generate(40, 3, 7), Options{Search: Descent, Unordered: true, Starts: 2, Step: 0.5}},
		"integer":  {generate(60, 3, 8), Options{Integer: true, Bounds: within(2), Starts: 3, Kicks: 3}},
		"wide":     {generate(20, 2, 9), Options{Integer: true, Bounds: within(12), Starts: 2}},
		"int beam": {generate(30, 3, 10), Options{Integer: true, Bounds: within(3), Beam: 3, Kicks: 2}},
		"beam in turn": {
			generate(30, 3, 10), Options{Integer: true, Bounds: within(3), Beam: 3, Kicks: 2, memory: 1},
		},
	}
}

// TestCheckpoint interrupts searches after random rounds and goes on from their checkpoints, on another
// number of devices, until they end. The results must be those of uninterrupted ones.
func TestCheckpoint(t *testing.T) {
	for name, test := range checkpointCases() {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			testCheckpoint(t, test.data, test.o, 0, func(r *checkpointtest.Run, o *Options) context.Context {
				step := r.After(2 + random.IntN(8))
				o.Progress = func(int64, int, float64) { step() }
				return r.Context
			})
		})
	}
}

// TestCheckpointTime ends searches in the middle of rounds by a time limit, at which they must be saved.
func TestCheckpointTime(t *testing.T) {
	for name, test := range checkpointCases() {
		t.Run(name, func(t *testing.T) {
			testCheckpoint(t, test.data, test.o, time.Hour, func(r *checkpointtest.Run, o *Options) context.Context {
				o.TimeLimit = time.Duration(float64(time.Millisecond) * math.Pow(1.1, float64(r.Number)))
				return t.Context()
			})
		})
	}
}

// testCheckpoint runs searches until they end. The function stop sets the options that stop a run.
func testCheckpoint(
	t *testing.T, d *Data, o Options, every time.Duration,
	stop func(r *checkpointtest.Run, o *Options) context.Context,
) {
	t.Helper()
	t.Setenv("SKEL_SPLIT", "0")
	devs := devicestest.Processors(t, 3)
	want, err := findWhole(t.Context(), d, o, devs[:1])
	if err != nil {
		t.Fatal(err)
	}
	var got whole
	checkpointtest.Interrupt(t, every, func(r *checkpointtest.Run) (err error) {
		if r.Number > 20 && r.Checkpoint.Saved.IsZero() {
			return errors.New("nothing was saved")
		}
		part := o
		if part.checkpoint, err = newJournal(r.Checkpoint); err != nil {
			return err
		}
		got, err = findWhole(stop(r, &part), d, part, devs[:1+r.Number%len(devs)])
		if errors.Is(err, ErrTimeLimit) || err == nil && !got.Result.Finished {
			return context.Canceled
		}
		return err
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCheckpointFile stops a command at its time limit. It keeps the file until the command has ended.
func TestCheckpointFile(t *testing.T) {
	text, name := csvOf(generate(40, 2, 1)), filepath.Join(t.TempDir(), "state")
	run := func(change func(c *FindCommand)) (*summary, error) {
		return runCommand(t, text, func(c *FindCommand) {
			c.Checkpoint, c.CV, c.Bootstrap = name, 3, 2
			change(c)
		})
	}
	s, err := run(func(c *FindCommand) { c.TimeLimit = 1 })
	if err != nil || s.Finished {
		t.Fatalf("%v, %v", s, err)
	}
	s, err = run(func(c *FindCommand) { c.Seed = 2 })
	if want := "--seed is 1 there, and 2 here"; !app.IsInputError(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, %v, not %q", s, err, want)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
	got, err := run(func(*FindCommand) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	want, err := run(func(c *FindCommand) { c.Checkpoint = "" })
	if err != nil {
		t.Fatal(err)
	}
	got.Seconds, want.Seconds = app.Seconds{}, app.Seconds{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// csvOf returns data as csv, with the groups in column g.
func csvOf(d *Data) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(d.Features, ",")+",g")
	for i, g := range d.Group {
		for _, x := range d.row(i) {
			fmt.Fprintf(&b, "%v,", x)
		}
		fmt.Fprintln(&b, d.Groups[g])
	}
	return b.String()
}
