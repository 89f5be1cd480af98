package tmixture

import (
	_ "embed" // the script
	"slices"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

//go:embed em.py
var emScript string

// emLibrary is a library of Python that em.py iterates with.
type emLibrary struct{ module, kind, yardstick string }

// emLibraries returns the libraries that can run where the suite runs. Rows of float32 have those of
// the same type; for others, float32 shows what it would save.
func emLibraries(s *benchmark.Suite, kind string) (all []emLibrary) {
	if s.Torch != nil {
		all = append(all, emLibrary{"torch", "float64", "torch"}, emLibrary{"torch", "float32", "torch32"})
	}
	if s.JAX != nil {
		all = append(all, emLibrary{"jax", "float64", "jax"}, emLibrary{"jax", "float32", "jax32"})
	}
	if s.Python != "" {
		all = append(all, emLibrary{"sklearn", "float64", "scikit"}, emLibrary{"sklearn", "float32", "scikit32"})
	}
	return slices.DeleteFunc(all, func(l emLibrary) bool {
		return l.kind == "float64" && kind == "float32" || l.yardstick == "scikit32" && kind == "float64"
	})
}

// addYardsticks adds the same iterations by libraries of Python. They have data of their own,
// because the time of an iteration does not depend on the data.
func addYardsticks(s *benchmark.Suite, c *benchmark.Case, kind string, n, p, g int) error {
	for _, l := range emLibraries(s, kind) {
		if err := c.AddPython(s, l.yardstick, emScript, "em", l.module, l.kind, n, p, g); err != nil {
			return err
		}
	}
	return nil
}
