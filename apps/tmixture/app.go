package tmixture

import (
	"github.com/skelgo/skelgo/apps/internal/app"
)

// App is the t-mixture application.
var App = app.App{
	Name:       "tmixture",
	Help:       "Fit a mixture of t distributions, and find the number of components.",
	Command:    Command{},
	Demo:       Demo{},
	DemoHelp:   "Fit a mixture to rows drawn from one.",
	Comparison: comparison,
	Rows:       benchRows,
	Scaled:     benchScaled,
	Short:      "demo tmixture --n 300",
	Long:       "demo tmixture --n 200000 --components 8 --tol 0 --max-iter 1000000 --labels labels",
}
