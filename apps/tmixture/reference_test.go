package tmixture

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// reference is a mixture that plain Go computes with, by the textbook's formulas.
type reference struct {
	weights, df []float64
	means       [][]float64
	covariances []*mat.SymDense
}

// referenceStep returns the log-likelihood of a mixture, and the mixture after a step of
// EM. The covariances are divided by the sums of z. With normal set, the components are
// normal distributions.
func referenceStep(x [][]float64, m reference, o Options, normal bool) (logLik float64, next reference) {
	n, p, g := len(x), len(x[0]), len(m.weights)
	z, u, elog := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	for i, row := range x {
		z[i], u[i], elog[i] = make([]float64, g), make([]float64, g), make([]float64, g)
		total := 0.0
		for j := range g {
			var inverse mat.Dense
			if err := inverse.Inverse(m.covariances[j]); err != nil {
				panic(err)
			}
			d := make([]float64, p)
			for c := range p {
				d[c] = row[c] - m.means[j][c]
			}
			v := mat.NewVecDense(p, d)
			delta := mat.Inner(v, &inverse, v)
			logDet, _ := mat.LogDet(m.covariances[j])
			nu, dim := m.df[j], float64(p)
			l := math.Log(m.weights[j]) - logDet/2
			if normal {
				l += -dim/2*math.Log(2*math.Pi) - delta/2
				u[i][j] = 1
			} else {
				a, _ := math.Lgamma((nu + dim) / 2)
				b, _ := math.Lgamma(nu / 2)
				l += a - b - dim/2*math.Log(math.Pi*nu) - (nu+dim)/2*math.Log(1+delta/nu)
				u[i][j] = (nu + dim) / (nu + delta)
				elog[i][j] = mathext.Digamma((nu+dim)/2) + math.Log(2/(delta+nu))
			}
			z[i][j] = math.Exp(l)
			total += z[i][j]
		}
		for j := range g {
			z[i][j] /= total
		}
		logLik += math.Log(total)
	}
	next = reference{weights: make([]float64, g), df: make([]float64, g)}
	tied := mat.NewSymDense(p, nil)
	shared := 0.0
	for j := range g {
		sumZ, sumQ, y := 0.0, 0.0, 0.0
		mean := make([]float64, p)
		for i, row := range x {
			q := z[i][j] * u[i][j]
			sumZ, sumQ, y = sumZ+z[i][j], sumQ+q, y-z[i][j]*(elog[i][j]-u[i][j])
			for c := range p {
				mean[c] += q * row[c]
			}
		}
		for c := range p {
			mean[c] /= sumQ
		}
		s := mat.NewSymDense(p, nil)
		for i, row := range x {
			d := make([]float64, p)
			for c := range p {
				d[c] = row[c] - mean[c]
			}
			s.SymRankOne(s, z[i][j]*u[i][j], mat.NewVecDense(p, d))
		}
		tied.AddSym(tied, s)
		next.weights[j] = sumZ / float64(n)
		next.means = append(next.means, mean)
		s.ScaleSym(1/sumZ, s)
		next.covariances = append(next.covariances, restrict(s, o.Covariance))
		shared += y
		next.df[j] = m.df[j]
		if o.DF == Each {
			next.df[j] = bisect(y / sumZ)
		}
	}
	for j := range g {
		if o.DF == Shared {
			next.df[j] = bisect(shared / float64(n))
		}
		if o.Covariance == Tied {
			next.covariances[j] = mat.NewSymDense(p, nil)
			next.covariances[j].ScaleSym(1/float64(n), tied)
		}
	}
	return logLik, next
}

// restrict gives a covariance matrix its form.
func restrict(s *mat.SymDense, form Covariance) *mat.SymDense {
	p := s.SymmetricDim()
	if form == Full || form == Tied {
		return s
	}
	r := mat.NewSymDense(p, nil)
	for c := range p {
		r.SetSym(c, c, s.At(c, c))
		if form == Spherical {
			r.SetSym(c, c, mat.Trace(s)/float64(p))
		}
	}
	return r
}

// bisect solves log(ν/2) - ψ(ν/2) + 1 = y.
func bisect(y float64) float64 {
	lo, hi := minDF, maxDF
	for range 200 {
		nu := math.Sqrt(lo * hi)
		if math.Log(nu/2)-mathext.Digamma(nu/2)+1 > y {
			lo = nu
		} else {
			hi = nu
		}
	}
	return lo
}
