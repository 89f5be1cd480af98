package dot_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/dot"
	raw "github.com/skelgo/skelgo/apps/dot/baseline"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

func Example() {
	x, y := vector.From([]float32{1, 2, 3}), vector.From([]float32{4, 5, 6})
	fmt.Println(dot.Product(x, y))
	// Output: 32 <nil>
}

// TestSmall checks that only three lines use the framework: the skeletons, the signature
// and the call.
func TestSmall(t *testing.T) {
	source, err := os.ReadFile("dot.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), ")\n") // without the imports
	lines := regexp.MustCompile(`(?m)^[^/\n]*\b(skel|vector|times|sum)\b.*$`).FindAllString(body, -1)
	if len(lines) > 3 {
		t.Errorf("%d lines use the framework:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

var sizes = []int{1, 15, 16, 17, 255, 4096, 4097, 100_003}

// data returns two vectors, their product in float64, and the largest error of a
// float32 sum.
func data(n int) (x, y []float32, want, tolerance float64) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = r.Float32()-0.5, r.Float32()-0.5
		want += float64(x[i]) * float64(y[i])
		tolerance += math.Abs(float64(x[i])*float64(y[i])) * 1e-5
	}
	return x, y, want, tolerance
}

func TestProduct(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		for _, n := range sizes {
			x, y, want, tolerance := data(n)
			got, err := dot.Product(vector.From(x, on), vector.From(y, on))
			if err != nil || math.Abs(float64(got)-want) > tolerance {
				t.Errorf("n=%d: %v, %v; want %v", n, got, err, want)
			}
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	for name, form := range map[string]raw.Form{"tree": raw.Tree, "chunk": raw.Chunk} {
		p, err := raw.Open(0, form)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Build(); err != nil {
			t.Fatal(err)
		}
		for _, n := range sizes {
			x, y, want, tolerance := data(n)
			if err := p.Upload(x, y); err != nil {
				t.Fatal(err)
			}
			got, err := p.Run()
			if err != nil || math.Abs(float64(got)-want) > tolerance {
				t.Errorf("%s, n=%d: %v, %v; want %v", name, n, got, err, want)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
