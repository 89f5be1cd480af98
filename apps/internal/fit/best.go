package fit

// Best calls start with 0 to n-1 and returns the best of the results; of equally good
// ones it returns the first. It frees the other results, and on an error all of them.
//
//	best, err := fit.Best(starts, run, func(a, b *Result) bool { return a.Inertia < b.Inertia })
func Best[R interface{ Free() }](n int, start func(i int) (R, error), better func(a, b R) bool) (best R, err error) {
	for i := range n {
		r, err := start(i)
		switch {
		case err != nil:
			if i > 0 {
				best.Free()
			}
			var none R
			return none, err
		case i == 0:
			best = r
		case better(r, best):
			best.Free()
			best = r
		default:
			r.Free()
		}
	}
	return best, nil
}
