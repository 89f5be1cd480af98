package kmeans

import "github.com/skelgo/skelgo/apps/internal/app"

// App is k-means.
var App = app.App{
	Name:       "kmeans",
	Help:       "Divide objects into clusters (k-means).",
	Command:    Command{},
	Demo:       Demo{},
	DemoHelp:   "Cluster the iris data, or generated objects.",
	Comparison: comparison,
	Rows:       benchRows,
	Scaled:     benchScaled,
	Short:      "demo kmeans",
	Long:       "demo kmeans --n 200000 -k 300 --dim 8 --init first --labels labels --centers centers.csv",
}
