package apps

import (
	"github.com/skelgo/skelgo/apps/dot"
	"github.com/skelgo/skelgo/apps/grayscott"
	"github.com/skelgo/skelgo/apps/grid"
	"github.com/skelgo/skelgo/apps/heat"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/apps/mandelbrot"
	"github.com/skelgo/skelgo/apps/matmul"
	"github.com/skelgo/skelgo/apps/mixtures"
	"github.com/skelgo/skelgo/apps/nw"
	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/saxpy"
	"github.com/skelgo/skelgo/apps/scale"
	"github.com/skelgo/skelgo/apps/sobel"
	"github.com/skelgo/skelgo/apps/spikes"
	"github.com/skelgo/skelgo/apps/tmixture"
)

// All lists the applications in the order in which they are shown.
var All = []app.App{
	dot.App,
	saxpy.App,
	mandelbrot.App,
	sobel.App,
	matmul.App,
	kmeans.App,
	tmixture.App,
	mixtures.App,
	nw.App,
	pca.App,
	spikes.App,
	grid.App,
	scale.App,
	heat.App,
	grayscott.App,
}
