package mixtures

import (
	_ "embed" // the script

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

//go:embed em.py
var emScript string

// emLibrary is a library of Python that em.py iterates with.
type emLibrary struct{ module, kind, yardstick string }

// emLibraries returns the libraries that can run where the suite runs.
func emLibraries(s *benchmark.Suite, job string) (all []emLibrary) {
	if s.JAX != nil {
		all = append(all, emLibrary{"jax", "float64", "jax"}, emLibrary{"jax", "float32", "jax32"})
	}
	if !s.GPU() && job == "fixed" {
		all = append(all, emLibrary{"numpy", "float64", "numpy"})
	}
	return all
}

// addYardsticks adds the same fits by libraries of Python. They have data of their own,
// drawn from the same mixture.
func addYardsticks(s *benchmark.Suite, c *benchmark.Case, job string, h shape) error {
	for _, l := range emLibraries(s, job) {
		err := c.AddPython(s, l.yardstick, emScript, "em", l.module, l.kind, job, h.sets, h.starts, h.n, h.m)
		if err != nil {
			return err
		}
	}
	return nil
}
