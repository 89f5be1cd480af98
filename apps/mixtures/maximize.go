package mixtures

import (
	"github.com/skelgo/skelgo/vector"
)

// The states of a fit.
const (
	running   = iota
	converged // the log-likelihood hardly changes
	limited   // the number of iterations is reached
	failed    // the log-likelihood is not a number
)

// progress is the state of a fit. Each of its components has a copy, and all are the same
// except for Complete, so that components are updated in parallel.
type progress struct {
	LogLik     float64 // of the best parameters so far
	Complete   float64 // of this component: see family
	Iterations int32
	Falls      int32 // how often in a row the log-likelihood fell
	Status     int32
	Started    int32 // whether LogLik is known
}

// fitInfo is what does not change during a fit: its lanes, its number of values, the part of
// the log-likelihood that is the same for all parameters, and the limit of the family.
type fitInfo struct {
	First, Lanes   int32
	N, Base, Limit float64
}

// stopRule says when a fit ends: when the log-likelihood rises by less than Relative times
// itself plus Absolute, or after MaxIter iterations.
type stopRule struct {
	Relative, Absolute float64
	MaxIter            int32
}

// maximization is what maximize reads and writes. Kept are the best parameters so far.
type maximization[F any] struct {
	Fits       vector.View[fitInfo]
	Sums       vector.View[float64]
	Components vector.OutView[F]
	Kept       vector.OutView[F]
	Progress   vector.OutView[progress]
	Stop       stopRule
	M, Lanes   int32
	OldMean    bool
}

const (
	// maxFalls is how often in a row a step is halved.
	maxFalls = 30
	// ahead is the number of lanes whose sums are read before they are added, because a GPU
	// waits long for each read; few is that number at the end of a fit.
	ahead, few = 8, 3
)

// sums returns the log-likelihood of a lane, and the sums of component k.
func (u maximization[F]) sums(lane, k int, three bool) (logLik float64, s sums) {
	n := int(u.Lanes)
	at := lane + (1+k*sumsSize)*n
	s = sums{u.Sums.At(at), u.Sums.At(at + n), u.Sums.At(at + 2*n), 0}
	if three {
		s.C = u.Sums.At(at + 3*n)
	}
	return u.Sums.At(lane), s
}

// maximize adds the sums of the lanes of component i in order and computes its next
// parameters. If the log-likelihood fell, which happens where a family does not maximize
// exactly, the next parameters are half way back to the best ones.
func maximize[F family[F]](i int, u maximization[F]) {
	p := u.Progress.At(i)
	if p.Status != running {
		return
	}
	m := int(u.M)
	fit := i / m
	info := u.Fits.At(fit)
	var s sums
	logLik := info.Base
	k := i - fit*m
	now := u.Components.At(i)
	l, end := int(info.First), int(info.First+info.Lanes)
	var logs [ahead]float64
	var part [ahead]sums
	for ; l+ahead <= end; l += ahead {
		for b := range ahead {
			logs[b], part[b] = u.sums(l+b, k, now.three())
		}
		for b := range ahead {
			logLik += logs[b]
			s.add(part[b])
		}
	}
	for ; l+few <= end; l += few {
		for b := range few {
			logs[b], part[b] = u.sums(l+b, k, now.three())
		}
		for b := range few {
			logLik += logs[b]
			s.add(part[b])
		}
	}
	for ; l < end; l++ {
		log, one := u.sums(l, k, now.three())
		logLik += log
		s.add(one)
	}
	rise := logLik - p.LogLik
	small := u.Stop.Absolute + u.Stop.Relative*max(logLik, -logLik)
	if p.Started == 0 || rise >= 0 {
		u.Kept.Set(i, now)
		p.LogLik, p.Complete, p.Falls = logLik, now.complete(s), 0
		switch {
		case logLik-logLik != 0:
			p.Status = failed
		case p.Started != 0 && rise <= small:
			p.Status = converged
		case p.Iterations >= u.Stop.MaxIter:
			p.Status = limited
		default:
			u.Components.Set(i, now.next(s, info.N, info.Limit, u.OldMean))
			p.Iterations++
		}
		p.Started = 1
		u.Progress.Set(i, p)
		return
	}
	p.Falls++
	switch {
	case rise >= -small || p.Falls > maxFalls:
		p.Status = converged
	case p.Iterations >= u.Stop.MaxIter:
		p.Status = limited
	default:
		weight, a, b := now.parameters()
		keptWeight, keptA, keptB := u.Kept.At(i).parameters()
		u.Components.Set(i, now.at((weight+keptWeight)/2, (a+keptA)/2, (b+keptB)/2))
		p.Iterations++
	}
	u.Progress.Set(i, p)
}
