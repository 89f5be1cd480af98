package bench

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/twintest"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// python is an interpreter with scikit-learn, or "".
func python() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import sklearn").Run() == nil {
			return name
		}
	}
	return ""
}

func TestLloyds(t *testing.T) {
	twintest.OpenCL(t)
	p := KDDLike(20_000)
	all, err := Lloyds(p, devicestest.All(t), python())
	if err != nil {
		t.Fatal(err)
	}
	var first Clustering
	for i, l := range all {
		c, err := l.Run()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = c
		}
		// scikit-learn computes distances by matrix products, which may move
		// a point between two centres.
		for k, s := range c.Sizes {
			if d := s - first.Sizes[k]; d < -2 || d > 2 {
				t.Errorf("%s: sizes %v; %s: %v", l.Name, c.Sizes, all[0].Name, first.Sizes)
			}
		}
		if c.Iterations != first.Iterations || slices.Min(c.Sizes) == 0 {
			t.Errorf("%s: %d iterations, sizes %v; %s: %d", l.Name, c.Iterations, c.Sizes, all[0].Name, first.Iterations)
		}
		t.Logf("%-20s %v an iteration, %d iterations, sizes %v", l.Name, c.PerIteration, c.Iterations, c.Sizes)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
