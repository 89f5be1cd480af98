package tmixture

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// parameters are the parameters θ of a mixture, relative to the means of the columns.
type parameters struct {
	weights     []float64       // π
	means       [][]float64     // μ
	covariances []*mat.SymDense // Σ
	df          []float64       // ν
}

func (theta *parameters) g() int { return len(theta.weights) }

func (theta *parameters) clone() *parameters {
	return &parameters{
		slices.Clone(theta.weights), slices.Clone(theta.means), slices.Clone(theta.covariances),
		slices.Clone(theta.df),
	}
}

// remove removes component j. The weights of the others add up to 1 again.
func (theta *parameters) remove(j int) {
	rest := 1 - theta.weights[j]
	theta.weights = slices.Delete(theta.weights, j, j+1)
	for k := range theta.weights {
		theta.weights[k] /= rest
	}
	theta.means = slices.Delete(theta.means, j, j+1)
	theta.covariances = slices.Delete(theta.covariances, j, j+1)
	theta.df = slices.Delete(theta.df, j, j+1)
}

// On devices, the parameters are a vector: for each component ν, π, the elements of μ, and
// those of Σ, or only its diagonal where it is diagonal.
const (
	packedDF      = 0
	packedWeight  = 1
	packedMean    = 2
	packedNumbers = 2 // ν and π
)

// packedSize returns how many numbers a component has.
func packedSize(p int, diagonal bool) int {
	if diagonal {
		return packedNumbers + 2*p
	}
	return packedNumbers + p + p*p
}

// pack returns the parameters as devices have them.
func (theta *parameters) pack(p int, diagonal bool) []float64 {
	all := make([]float64, 0, theta.g()*packedSize(p, diagonal))
	for j := range theta.weights {
		all = append(all, theta.df[j], theta.weights[j])
		all = append(all, theta.means[j]...)
		for r := range p {
			if diagonal {
				all = append(all, theta.covariances[j].At(r, r))
				continue
			}
			for c := range p {
				all = append(all, theta.covariances[j].At(r, c))
			}
		}
	}
	return all
}

// unpack returns the parameters that pack returned. It may keep all.
func unpack(all []float64, p int, diagonal bool) *parameters {
	theta := &parameters{}
	for one := range slices.Chunk(all, packedSize(p, diagonal)) {
		theta.df = append(theta.df, one[packedDF])
		theta.weights = append(theta.weights, one[packedWeight])
		theta.means = append(theta.means, one[packedMean:packedMean+p])
		sigma := one[packedMean+p:]
		if !diagonal {
			theta.covariances = append(theta.covariances, mat.NewSymDense(p, sigma))
			continue
		}
		d := mat.NewSymDense(p, nil)
		for c, v := range sigma {
			d.SetSym(c, c, v)
		}
		theta.covariances = append(theta.covariances, d)
	}
	return theta
}
