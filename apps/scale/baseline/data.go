package baseline

import "math/rand/v2"

// Patients returns n rows of features, which are whole numbers from 1 to 10 and ascend with the group,
// with noise, and the groups, 0 to k-1. They are the same every time.
func Patients(n, features, k int) (x []float64, groups []int32) {
	r := rand.New(rand.NewPCG(683, uint64(k)))
	x, groups = make([]float64, 0, n*features), make([]int32, n)
	for i := range groups {
		groups[i] = int32(i % k)
		for range features {
			level := 1 + 9*(float64(groups[i])+0.5+r.NormFloat64())/float64(k)
			x = append(x, float64(int(min(10, max(1, level)))))
		}
	}
	return x, groups
}
