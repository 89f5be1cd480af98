package grayscott_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/grayscott"
	raw "github.com/skelgo/skelgo/apps/grayscott/baseline"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

var rates = grayscott.Rates{Feed: 0.035, Kill: 0.065}

// A plate without V stays as it is.
func ExampleSteps() {
	plate := matrix.From(1, 3, []grayscott.Cell{{U: 1}, {U: 1}, {U: 1}})
	fmt.Println(grayscott.Steps(plate, rates, 10).Host())
	// Output: [{1 0} {1 0} {1 0}] <nil>
}

func ExampleCommand() {
	c := grayscott.Command{Size: 16, Steps: 10, Feed: 0.035, Kill: 0.065, Flags: app.Flags{Device: "cpu"}}
	fmt.Println(c.Run(context.Background(), &app.Env{Stdout: io.Discard, Stderr: io.Discard}))
	// Output: <nil>
}

func TestSteps(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int{1, 2, 17, 128} {
			start := grayscott.Drops(n, 7)
			plate := matrix.From(n, n, slices.Clone(start), vector.Single(d))
			got, err := grayscott.Steps(plate, rates, 20).Host()
			if err != nil || !slices.Equal(got, grayscott.Plain(n, start, rates, 20)) {
				t.Errorf("n = %d: the plate is not that of plain loops; error %v", n, err)
			}
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	d, err := devices.Get("opencl:0")
	if err != nil {
		t.Fatal(err)
	}
	programs, agree := grayscott.App.Comparison.Programs(d[0], 96)
	for _, p := range programs {
		if _, err := baseline.Measure(t.Context(), p, 1, func(string) {}); err != nil {
			t.Fatalf("%s: %v", p.Version, err)
		}
		if err := agree(); err != nil {
			t.Errorf("%s: %v", p.Version, err)
		}
	}
}

// TestRawAlone compares the hand-written version with plain loops.
func TestRawAlone(t *testing.T) {
	baseline.RequireOpenCL(t)
	const n, steps = 50, 11
	start := grayscott.Drops(n, 3)
	p, err := raw.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var flat []float32
	for _, c := range start {
		flat = append(flat, c.U, c.V)
	}
	for _, step := range []func() error{
		p.Build,
		func() error { return p.Upload(n, n, flat) },
		func() error { return p.Run(rates.Feed, rates.Kill, steps) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := p.Download()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range grayscott.Plain(n, start, rates, steps) {
		if math.Abs(float64(got[2*i]-c.U)) > 1e-5 || math.Abs(float64(got[2*i+1]-c.V)) > 1e-5 {
			t.Fatalf("cell %d is {%v %v}, want %v", i, got[2*i], got[2*i+1], c)
		}
	}
}
