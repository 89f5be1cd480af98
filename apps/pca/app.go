package pca

import (
	"github.com/skelgo/skelgo/apps/internal/app"
)

// App is the principal components application.
var App = app.App{
	Name:     "pca",
	Help:     "Compute principal components.",
	Command:  Command{},
	Demo:     Demo{},
	DemoHelp: "Compute the principal components of generated data.",
	Rows:     benchRows,
	Short:    "demo pca",
	Long:     "demo pca --n 300000 --dim 40 --method nipals --tol 0 --max-iter 100000 --scores scores.csv",
}
