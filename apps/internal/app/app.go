package app

import (
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

// App is an application as the skelgo program sees it. Only the name is
// required.
type App struct {
	Name string // of the folder and of the command
	Help string // one sentence, for skelgo --help

	Command  any    // a struct of flags with a method Run; nil if there is no command
	Demo     any    // the same for skelgo demo NAME
	DemoHelp string // one sentence

	// Comparison holds the versions that skelgo compare measures.
	Comparison *baseline.Comparison
	// Rows returns the rows that skelgo bench measures.
	Rows func(*benchmark.Suite) []*benchmark.Row
	// Scaled returns what skelgo bench --scaling measures, for n elements on
	// each device.
	Scaled func(n int) []*benchmark.Scaled

	// Short is a command line that ends within a second, and Long one that
	// takes minutes. Neither needs a file. Tests run the first, add --json to
	// it, and interrupt the second.
	Short, Long string
}
