package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Model is a mixture of t distributions with the log-likelihood of the points.
type Model struct {
	Weights     []float64
	Means       [][]float64
	Covariances []*mat.SymDense
	DF          float64
	LogLik      float64
}

// The degrees of freedom before the first iteration, and the most.
const (
	firstDF = 50
	maxDF   = 1e6
)

// Run fits the mixture: it starts with components that have the points with the given labels
// and runs that many iterations. The result belongs to the last E-step.
func (p *Program) Run(labels []int32, iterations int) (*Model, error) {
	z, ones, sums := make([]float64, p.n*p.g), make([]float64, p.n*p.g), make([]float64, p.g)
	for i, l := range labels {
		z[int(l)*p.n+i] = 1
		sums[l]++
	}
	for i := range ones {
		ones[i] = 1
	}
	p.Lap("host") // timing
	if err := p.write(p.z, z); err != nil {
		return nil, err
	}
	if err := p.write(p.u, ones); err != nil {
		return nil, err
	}
	p.Lap("transfer") // timing
	theta := &Model{DF: firstDF}
	if _, err := p.maximize(theta, sums); err != nil {
		return nil, err
	}
	for k := 1; ; k++ {
		y, err := p.expect(theta)
		if err != nil {
			return nil, err
		}
		if k >= iterations {
			break
		}
		if sums, err = p.sums("sum_columns", p.g, p.z); err != nil {
			return nil, err
		}
		next := &Model{}
		f, err := p.maximize(next, sums)
		if err != nil {
			return nil, err
		}
		for j, z := range sums {
			y += z*(1+math.Log(f[j]/z)) - f[j]
		}
		next.DF = degreesOfFreedom(y / float64(p.n))
		theta = next
	}
	for _, mean := range theta.Means {
		for c := range mean {
			mean[c] += p.center[c]
		}
	}
	return theta, nil
}

// expect is the E-step: it computes δ, z and u on the device, and the log-likelihood. It
// returns the statistic y of the degrees of freedom, times the number of points.
func (p *Program) expect(theta *Model) (y float64, err error) {
	n, dim, g, nu := int32(p.n), int32(p.p), int32(p.g), theta.DF
	mu, inverses := make([]float64, 0, p.g*p.p), make([]float64, 0, p.g*p.p*p.p)
	constants := make([]float64, p.g)
	after, _ := math.Lgamma((nu + float64(p.p)) / 2)
	before, _ := math.Lgamma(nu / 2)
	for j, sigma := range theta.Covariances {
		var chol mat.Cholesky
		var inverse mat.SymDense
		if !chol.Factorize(sigma) || chol.InverseTo(&inverse) != nil {
			return 0, fmt.Errorf("component %d has collapsed: its covariance matrix is singular", j)
		}
		for r := range p.p {
			inverses = append(inverses, mat.Row(nil, r, &inverse)...)
		}
		mu = append(mu, theta.Means[j]...)
		constants[j] = math.Log(theta.Weights[j]) + after - before - float64(p.p)/2*math.Log(math.Pi*nu) -
			chol.LogDet()/2
	}
	p.Lap("host") // timing
	if err := p.write(p.mu, mu); err != nil {
		return 0, err
	}
	if err := p.write(p.inverses, inverses); err != nil {
		return 0, err
	}
	if err := p.write(p.constants, constants); err != nil {
		return 0, err
	}
	p.Lap("transfer") // timing
	tiles := []int{(p.n + tile - 1) / tile * wide, (p.p + tile - 1) / tile * wide}
	for j := range g {
		if err := p.launch("subtract", p.rows(p.p), nil, p.x, p.mu, p.m, n, dim, j); err != nil {
			return 0, err
		}
		if err := p.launch("product", tiles, []int{wide, wide}, p.m, p.inverses, p.e, n, dim, j); err != nil {
			return 0, err
		}
		if err := p.launch("row_products", p.rows(1), nil, p.m, p.e, p.delta, n, dim, j); err != nil {
			return 0, err
		}
	}
	if err := p.launch("densities", p.rows(p.g), nil, p.delta, p.constants, p.logs, n, dim, nu); err != nil {
		return 0, err
	}
	if err := p.launch("row_sums", p.rows(1), nil, p.logs, p.c, n, g); err != nil {
		return 0, err
	}
	if err := p.launch("posteriors", p.rows(p.g), nil, p.logs, p.c, p.z, n); err != nil {
		return 0, err
	}
	if err := p.launch("weights", p.rows(p.g), nil, p.delta, p.u, n, dim, nu); err != nil {
		return 0, err
	}
	logLik, err := p.sums("sum_columns", 1, p.c)
	if err != nil {
		return 0, err
	}
	theta.LogLik = logLik[0]
	psi := mathext.Digamma((nu + float64(p.p)) / 2)
	if err := p.launch("statistic", []int{parts * group, 1}, nil, p.z, p.delta, p.u, p.partial, n, g, nu,
		psi); err != nil {
		return 0, err
	}
	all, err := p.partials(1)
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// sums runs a kernel that sums columns.
func (p *Program) sums(kernel string, cols int, args ...any) ([]float64, error) {
	if err := p.launch(kernel, []int{parts * group, cols}, nil, append(args, p.partial, int32(p.n))...); err != nil {
		return nil, err
	}
	return p.partials(cols)
}

// partials reads the sums of work-groups and adds them.
func (p *Program) partials(cols int) ([]float64, error) {
	if err := p.finish(); err != nil { // timing
		return nil, err // timing
	} // timing
	partial, sums := make([]float64, parts*cols), make([]float64, cols)
	if err := p.read(p.partial, partial); err != nil {
		return nil, err
	}
	for k, v := range partial {
		sums[k/parts] += v
	}
	p.Lap("transfer") // timing
	return sums, nil
}

// maximize is the M-step for z and u on the device: it sets the weights, means and
// covariances. The sums are those of z. It returns the sums of zu.
func (p *Program) maximize(theta *Model, sums []float64) (f []float64, err error) {
	n, dim, g := int32(p.n), int32(p.p), int32(p.g)
	if f, err = p.sums("sum_products", p.g, p.z, p.u); err != nil {
		return nil, err
	}
	if err := p.launch("multiply", p.rows(p.g), nil, p.z, p.u, p.q, n); err != nil {
		return nil, err
	}
	if err := p.columnProducts(p.q, p.g, p.x, 0); err != nil {
		return nil, err
	}
	mu := make([]float64, p.g*p.p)
	if err := p.finish(); err != nil { // timing
		return nil, err // timing
	} // timing
	if err := p.read(p.covariances, mu); err != nil {
		return nil, err
	}
	for j := range p.g {
		for c := range p.p {
			mu[j*p.p+c] /= f[j]
		}
		theta.Weights = append(theta.Weights, sums[j]/float64(p.n))
		theta.Means = append(theta.Means, mu[j*p.p:(j+1)*p.p:(j+1)*p.p])
	}
	if err := p.write(p.mu, mu); err != nil {
		return nil, err
	}
	if err := p.write(p.f, f); err != nil {
		return nil, err
	}
	p.Lap("transfer") // timing
	for j := range g {
		if err := p.launch("smx", p.rows(p.p), nil, p.x, p.q, p.f, p.mu, p.m, n, dim, j); err != nil {
			return nil, err
		}
		if err := p.columnProducts(p.m, p.p, p.m, int(j)*p.p*p.p); err != nil {
			return nil, err
		}
	}
	if err := p.finish(); err != nil { // timing
		return nil, err // timing
	} // timing
	all := make([]float64, p.g*p.p*p.p)
	if err := p.read(p.covariances, all); err != nil {
		return nil, err
	}
	for ; len(all) > 0; all = all[p.p*p.p:] {
		theta.Covariances = append(theta.Covariances, mat.NewSymDense(p.p, all[:p.p*p.p]))
	}
	p.Lap("transfer") // timing
	return f, nil
}

// columnProducts multiplies the transpose of a on the device with b, and writes the product
// to place at of the covariances.
func (p *Program) columnProducts(a *cl.MemObject, cols int, b *cl.MemObject, at int) error {
	rows := (p.n + parts - 1) / parts
	size := []int{(p.p + tile - 1) / tile * wide, (cols + tile - 1) / tile * wide, parts}
	if err := p.launch("column_products", size, []int{wide, wide, 1}, a, b, p.products, int32(p.n), int32(cols),
		int32(p.p), int32(rows)); err != nil {
		return err
	}
	return p.launch("add_partial", []int{(cols*p.p + group - 1) / group * group, 1}, nil, p.products, p.covariances,
		int32(cols*p.p), int32(parts), int32(at))
}

// degreesOfFreedom solves log(ν/2) - ψ(ν/2) + 1 = y by the thesis's closed form, whose error
// is 6e-4, and Newton's method.
func degreesOfFreedom(y float64) float64 {
	a := y + math.Log(y) - 1
	if a <= 2/maxDF {
		return maxDF
	}
	nu := 2/a + 0.0416*(1+math.Erf(0.6594*math.Log(2.1971/a)))
	for range 20 {
		x := nu / 2
		step := (math.Log(x) - mathext.Digamma(x) + 1 - y) / (1 - x*mathext.Zeta(2, x))
		nu *= math.Exp(-step)
		if math.Abs(step) < 1e-13 {
			break
		}
	}
	return min(nu, maxDF)
}
