package grayscott

// Plain returns a square plate with side n after some steps, computed by plain loops
// with the roundings of react. Tests and benchmarks compare with it.
func Plain(n int, plate []Cell, r Rates, steps int) []Cell {
	for range steps {
		next := make([]Cell, len(plate))
		for i := range n {
			for j := range n {
				next[i*n+j] = plain(n, plate, r, i, j)
			}
		}
		plate = next
	}
	return plate
}

// plain returns cell (i, j) of the plate after one step.
func plain(n int, plate []Cell, r Rates, i, j int) Cell {
	at := func(i, j int) Cell { return plate[(i+n)%n*n+(j+n)%n] }
	c, up, down, left, right := at(i, j), at(i-1, j), at(i+1, j), at(i, j-1), at(i, j+1)
	flowU := up.U + down.U + left.U + right.U - 4*c.U
	flowV := up.V + down.V + left.V + right.V - 4*c.V
	reaction := c.U * c.V * c.V
	return Cell{
		U: c.U + (diffusionU*flowU - reaction + r.Feed*(1-c.U)),
		V: c.V + (diffusionV*flowV + reaction - (r.Feed+r.Kill)*c.V),
	}
}
