package mixtures

import (
	"github.com/skelgo/skelgo/apps/internal/app"
)

// App is the application that fits many mixtures.
var App = app.App{
	Name:       "mixtures",
	Help:       "Fit mixtures to many data sets of numbers at once (EM).",
	Command:    Command{},
	Demo:       Demo{},
	DemoHelp:   "Fit mixtures to data sets drawn from one.",
	Comparison: comparison,
	Rows:       benchRows,
	Short:      "demo mixtures --sets 5 --n 200 --starts 2 --summary",
	Long:       "demo mixtures --sets 2000 --n 5000 --components 8 --tol 0 --max-iter 1000000 --output fits.csv",
}
