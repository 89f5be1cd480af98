package mixtures

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// selection is what the filters read.
type selection struct {
	Lanes    vector.View[lane]
	Progress vector.View[progress]
	M        int32
}

func activeLane(i int, s selection) bool {
	return s.Progress.At(int(s.Lanes.At(i).Fit)*int(s.M)).Status == running
}

func activeComponent(i int, s selection) bool { return s.Progress.At(i).Status == running }

var (
	activeLanes      = skel.NewFilterWith(activeLane)
	activeComponents = skel.NewFilterWith(activeComponent)
)

// kernels are the skeletons of a family: value, maximize, and expect for rows of one value
// and of a block, each for up to 2, 4, 8 and 16 components.
type kernels[F family[F]] struct {
	value    *skel.Map[float64, value]
	maximize *skel.MapVoidWith[int, maximization[F]]
	expect   []*skel.MapVoidWith[int, expectation[F]]
}

func kernelsOf[F family[F]](
	value *skel.Map[float64, value], maximize *skel.MapVoidWith[int, maximization[F]],
	expect ...*skel.MapVoidWith[int, expectation[F]],
) *kernels[F] {
	return &kernels[F]{value, maximize, expect}
}

// of returns expect for m components.
func (k *kernels[F]) of(m int, blocks bool) *skel.MapVoidWith[int, expectation[F]] {
	at := 0
	for most := 2; most < m; most *= 2 {
		at++
	}
	if blocks {
		at += len(k.expect) / 2
	}
	return k.expect[at]
}
