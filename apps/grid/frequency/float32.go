package frequency

import "math"

// float32Bound returns a bound of the errors of values in float32, where determinant is the
// least determinant of the two equations at any node. With u = 2⁻²⁴, S the matrix of the
// equations, r their right-hand side and x = S⁻¹r:
//
//   - A sum z is a series whose coefficients have relative errors u, and Horner's scheme
//     adds a little more than 2u for its first terms: |Δz| <= 4u·Σ|c||δ|^k, and the sum of the
//     absolute values of the terms is at most e^widest that of the samples' values.
//   - The images have length 1, so the sums of their absolute values are at most √n, and so
//     are the sums that they are in. The entries of S have errors of at most 25nu, those of r
//     of 4u times the sum of the absolute values of the samples.
//   - Elimination adds errors to S that are of the same kind but smaller, and the last
//     subtractions 4u times the energy.
//   - The least eigenvalue λ of S is at least its determinant over its trace, which is at most
//     n; and |x|² <= energy/λ, because F is not negative.
//
// So |ΔF| <= 2|x||Δr| + |x|²|ΔS| + 4u·energy, to the first order; terms of higher order are
// included by a factor that is at most 2. The bound is infinite if that does not hold.
func (p *projected) float32Bound(determinant float64) float64 {
	const u = 0x1p-24
	n := float64(p.n)
	right := 4 * u * math.Exp(widest) * math.Sqrt2 * p.size
	matrix := 60 * n * u
	lambda := determinant/n - 2*matrix // the determinant is from float32, too
	if !(matrix < lambda/2) {
		return math.Inf(1)
	}
	return 2 * (2*math.Sqrt(p.energy/lambda)*right + p.energy/lambda*matrix + 4*u*p.energy)
}
