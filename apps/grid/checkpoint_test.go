package grid

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/checkpoint"
	"github.com/skelgo/skelgo/apps/internal/checkpoint/checkpointtest"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// TestCheckpoint interrupts searches at random blocks and goes on from their checkpoints, on another
// number of devices, until they end. The results must be those of an uninterrupted one.
func TestCheckpoint(t *testing.T) {
	defer func(first, last int) { firstBlock, lastBlock = first, last }(firstBlock, lastBlock)
	level, half := -0.5, 0.5
	minus0 := math.Copysign(0, -1)
	within := map[string]bool{} // the passes in which a run went on
	for i, c := range []struct {
		f       *Function
		axes    Axes
		options Options
		block   int
	}{
		{ // NaNs and infinities
			formulaOf(t, "sin(x*1.7) + cos(y) + 0*log(x+5)/floor(abs(y))", 2),
			Axes{{Begin: -6, Step: 0.04, Count: 300}, {Begin: -3, Step: 0.02, Count: 311}},
			Options{Top: 7, Local: true, Level: &level, Polish: Golden}, 2 * pieceLen,
		},
		{ // the least values are -0, as are coordinates
			formulaOf(t, "ceil(abs(x) + abs(y) - 0.55)", 2),
			Axes{{Begin: minus0, Step: -0.01, Count: 201}, {Begin: minus0, Step: -0.013, Count: 300}},
			Options{Top: 5, Local: true, Level: &half, Refine: 3}, 2 * pieceLen,
		},
		{
			formulaOf(t, "sin(9*x)*cos(7*y) + (z-0.3)^2 + 1/floor(x+1)", 3),
			Axes{{Begin: -2, Step: 0.1, Count: 40}, {Begin: -2, Step: 0.1, Count: 41},
				{Begin: 0, Step: 0.1, Count: 20}},
			Options{Top: 5, Refine: 4, Polish: Newton}, 2 * pieceLen,
		},
		{ // finer grids have one node on an axis, and a coordinate of -0
			formulaOf(t, "x + abs(y) + (z-0.5373135791)^2", 3),
			Axes{{Begin: 1, Step: 1e-14, Count: 20}, {Begin: minus0, Step: -0.1, Count: 20},
				{Begin: -3, Step: 0.1, Count: 50}},
			Options{Top: 3, Refine: 7}, 2 * pieceLen,
		},
		{
			Of(schwefel2),
			Axes{{Begin: -500, Step: 7, Count: 143}, {Begin: 0.5, Step: 1.02, Count: 200, Geometric: true}},
			Options{Level: &level, Refine: 2}, 2 * pieceLen,
		},
		{ // more local minima than are kept
			formulaOf(t, "sin(3.1*x) + x/1e9", 1), Axes{{Begin: 0, Step: 1, Count: 5*MaxMinima + 77}},
			Options{Top: 20, Local: true}, 128 * pieceLen,
		},
		{
			formulaOf(t, "log(-1 - x^2) + 1/(x-x)", 1), Axes{{Begin: 0, Step: 1, Count: 50_000}},
			Options{Top: 1}, pieceLen,
		},
	} {
		firstBlock, lastBlock = c.block, 4*c.block
		t.Run(fmt.Sprint(i), func(t *testing.T) { testCheckpoint(t, c.f, c.axes, c.options, uint64(i), within) })
	}
	for _, name := range []string{"minimum", "top", "local", "level", "refined", "values"} {
		if !within[name] {
			t.Errorf("no run went on within the pass %s", name)
		}
	}
}

func testCheckpoint(t *testing.T, f *Function, axes Axes, o Options, seed uint64, within map[string]bool) {
	t.Helper()
	devs := devicestest.Processors(t, 3)
	random := rand.New(rand.NewPCG(seed, 1))
	run := func(ctx context.Context, o Options, devices int) (string, error) {
		o.Where = vector.Block(devs[:devices]...)
		return everything(ctx, f, axes, o)
	}
	whole := o
	whole.state = &state{}
	want, err := run(t.Context(), whole, 1)
	if err != nil {
		t.Fatal(err)
	}

	got := ""
	checkpointtest.Interrupt(t, 0, func(r *checkpointtest.Run) (err error) {
		part := o
		if part.state, err = restore(r.Checkpoint); err != nil {
			return err
		}
		note(part.state, axes.Nodes(), within)
		part.Progress = after(r.After(1 + random.IntN(3)))
		var told *Node
		part.Found = func(n Node) { told = &n }
		got, err = run(r.Context, part, 1+r.Number%len(devs))
		best := part.state.Minimum.Found.Best
		if (told == nil) != (best == nil) || best != nil && told.Position != best.Position {
			t.Errorf("told %v of %v", told, best)
		}
		return err
	})
	if got != want {
		t.Errorf("%s, want %s", short(got, want), short(want, got))
	}
}

// everything returns what a search finds, with maps of its values, as text.
func everything(ctx context.Context, f *Function, axes Axes, o Options) (string, error) {
	r, err := Minimize(ctx, f, axes, o)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(r)
	if err != nil || r.Minimum == nil {
		return string(text), err
	}
	m := mapOf(axes, []int{1, 2}[:min(2, len(axes))], r.Minimum.Argument)
	for _, p := range []*pass[[]float64]{&o.state.Values, &o.state.Picture} {
		values, err := valuesOf(ctx, f, m, &o, p)
		if err != nil {
			return "", err
		}
		text = fmt.Append(text, " ", checkpoint.Digest(values))
	}
	return string(text), nil
}

// after returns a function that reports progress, which calls step after each block.
func after(step func()) func(what string, done, nodes int) {
	var last string
	before := 0
	return func(what string, done, _ int) {
		if what == last && done > before { // else a pass begins
			step()
		}
		last, before = what, done
	}
}

// note notes in which passes over nodes a run goes on.
func note(s *state, nodes int, within map[string]bool) {
	for name, done := range map[string]int{
		"minimum": s.Minimum.Done, "top": s.Top.Done, "local": s.Local.Done,
		"level": s.Level[1].Done, "values": s.Values.Done,
	} {
		if done > 0 && done < nodes {
			within[name] = true
		}
	}
	if s.Refined.Grids > 0 && s.Refined.Grid.Done > 0 {
		within["refined"] = true
	}
}

// short returns the part of a text where another one begins to differ.
func short(text, other string) string {
	i := 0
	for i < min(len(text), len(other)) && text[i] == other[i] {
		i++
	}
	return text[max(0, i-200):min(len(text), i+100)]
}

// The facts of a checkpoint change with the options on which the result depends.
func TestFacts(t *testing.T) {
	level := 0.0
	facts := func(change func(c *MinimizeCommand)) []checkpoint.Fact {
		c := &MinimizeCommand{Function: "ackley", Axis: []string{"-5:1:11", "-5:1:11", "0:1:9"}, Polish: "none"}
		change(c)
		j := &job{MinimizeCommand: c}
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		all, err := j.facts()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	same := facts(func(*MinimizeCommand) {})
	for i, change := range []func(c *MinimizeCommand){
		func(c *MinimizeCommand) { c.Function = "rosenbrock" },
		func(c *MinimizeCommand) { c.Function, c.Expr = "", "x+y" },
		func(c *MinimizeCommand) {
			c.Function, c.custom = "", &Function{Name: "ackley", Version: "1", Dim: 3}
		},
		func(c *MinimizeCommand) { c.Axis[1] = "-5:1:10" },
		func(c *MinimizeCommand) { c.Top = 1 },
		func(c *MinimizeCommand) { c.Local = true },
		func(c *MinimizeCommand) { c.Level = &level },
		func(c *MinimizeCommand) { c.Refine = 1 },
		func(c *MinimizeCommand) { c.Polish = "golden" },
		func(c *MinimizeCommand) { c.MapAxes, c.Plot = []int{1, 3}, "a.png" },
	} {
		if slices.Equal(facts(change), same) {
			t.Errorf("change %d is not in the facts", i)
		}
	}
	if !slices.Equal(facts(func(c *MinimizeCommand) { c.Plot, c.Device = "a.png", "cpu" }), same) {
		t.Error("an output is in the facts")
	}
}

// A program with a function knows its text.
func TestVersion(t *testing.T) {
	texts := map[string]bool{}
	for _, value := range []string{"x", "y", "x"} {
		f, err := readFunction(write(t, "package f\n\nfunc F(x, y float64) float64 { return "+value+" }\n"))
		if err != nil {
			t.Fatal(err)
		}
		texts[f.main("f.go")] = true
		if !strings.Contains(f.main("f.go"), "f.Version = ") {
			t.Error("no version")
		}
	}
	if len(texts) != 2 {
		t.Errorf("%d programs of 2 functions", len(texts))
	}
}
