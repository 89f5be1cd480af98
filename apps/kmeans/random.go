package kmeans

// Random numbers that depend on nothing but a seed and a place, so that a
// skeleton draws the same ones on every device, in any order.

const golden64 = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014), a
// bijection in which every bit of x touches every bit of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// stream is the state from which the numbers for place i are drawn.
func stream(seed uint64, i int) uint64 { return mix(seed + mix(uint64(i)+golden64)) }

// uniform turns a state into a number in [0, 1).
func uniform(state uint64) float64 { return float64(mix(state)>>11) * 0x1p-53 }

// exponential draws from the exponential distribution by von Neumann's method
// of 1951: nothing but comparisons of uniform numbers, and so no logarithm,
// whose last bits differ between devices.
func exponential(state uint64) float64 {
	for whole := 0.0; ; whole++ {
		state += golden64
		first := uniform(state)
		last, odd := first, true // of the falling run that starts with first
		for {
			state += golden64
			next := uniform(state)
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
