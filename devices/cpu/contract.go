package cpu

// contracts reports whether Go's compiler has contracted x*y + z in this program: to one
// instruction, which rounds once. It does so for some processors, which GOARCH and
// GOAMD64 choose, so the answer is computed instead of looked up. Values are arguments, so
// that the compiler cannot compute the sums.
func contracts() bool {
	const e32, e64 = 1.0 / (1 << 13), 1.0 / (1 << 28) // 1 - e*e needs more bits than the type has
	return sum32(1+e32, 1-e32, -1) != 0 || sum64(1+e64, 1-e64, -1) != 0
}

//go:noinline
func sum32(x, y, z float32) float32 { return x*y + z }

//go:noinline
func sum64(x, y, z float64) float64 { return x*y + z }
