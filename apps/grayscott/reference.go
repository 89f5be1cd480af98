package grayscott

// Plain returns a square plate with side n after some steps, in plain loops and
// with the roundings of react. Tests and benchmarks compare with it.
func Plain(n int, plate []Cell, r Rates, steps int) []Cell {
	for range steps {
		next := make([]Cell, len(plate))
		for i := range n {
			up, down := (i+n-1)%n*n, (i+1)%n*n
			for j := range n {
				left, right := (j+n-1)%n, (j+1)%n
				c := plate[i*n+j]
				flowU := plate[up+j].U + plate[down+j].U + plate[i*n+left].U + plate[i*n+right].U - 4*c.U
				flowV := plate[up+j].V + plate[down+j].V + plate[i*n+left].V + plate[i*n+right].V - 4*c.V
				reaction := c.U * c.V * c.V
				next[i*n+j] = Cell{
					U: c.U + (diffusionU*flowU - reaction + r.Feed*(1-c.U)),
					V: c.V + (diffusionV*flowV + reaction - (r.Feed+r.Kill)*c.V),
				}
			}
		}
		plate = next
	}
	return plate
}
