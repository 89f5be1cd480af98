package grid

import (
	"github.com/skelgo/skelgo/apps/grid/frequency"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

// App is the application that finds minima on grids.
var App = app.App{
	Name:       "grid",
	Help:       "Find the minimum of a function by evaluating it on a grid.",
	Command:    Command{},
	Rows:       func(s *benchmark.Suite) []*benchmark.Row { return append(rows(s), frequency.Rows(s)...) },
	Comparison: comparison,
	Short:      "grid schwefel --axis -500:10:101 --axis -500:10:101",
	Long:       "grid schwefel --axis -500:0.001:1000001 --axis -500:0.001:1000001",
}

// Command is skelgo grid. Further searches on grids are further fields.
type Command struct {
	Minimize  MinimizeCommand   `cmd:"" name:"minimize" default:"withargs" help:"Find the minimum (the default)."`
	Frequency frequency.Command `cmd:"" help:"Estimate the frequency of an oscillation in a coded signal."`
}

// Help returns what skelgo grid --help shows besides the subcommands.
func (Command) Help() string {
	return `Finding the minimum is the default:

   skelgo grid schwefel --axis -500:1:1001 --axis -500:1:1001
   skelgo grid --expr '(x-1)^2 + sin(y)' --axis -5:0.01:1001 --axis -5:0.01:1001 --top 3 --plot map.png

skelgo grid minimize --help has the options.`
}
