package fit

// Random numbers depend only on a seed and an index, so that a skeleton draws the same
// ones on every device and in any order. User functions may call these functions.

const golden64 = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio

// Mix is the output function of SplitMix64 (Steele, Lea and Flood 2014): a
// bijection in which every bit of x affects every bit of the result.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Stream returns the state from which the random numbers for index i are drawn.
func Stream(seed uint64, i int) uint64 { return Mix(seed + Mix(uint64(i)+golden64)) }

// Uniform returns a number in [0, 1).
func Uniform(state uint64) float64 { return float64(Mix(state)>>11) * 0x1p-53 }

// Exponential returns a number from the exponential distribution with mean 1. It uses von
// Neumann's method of 1951, which only compares uniform numbers, because the last bits of
// a logarithm differ between devices.
func Exponential(state uint64) float64 {
	for whole := 0.0; ; whole++ {
		state += golden64
		first := Uniform(state)
		last, odd := first, true // of the falling run that starts with first
		for {
			state += golden64
			next := Uniform(state)
			if next >= last {
				break
			}
			last, odd = next, !odd
		}
		if odd {
			return whole + first
		}
	}
}
