package fit

// Best runs n starts, 0 to n-1, and returns the result for which better holds
// against all earlier ones. It frees the other results. On an error it frees
// them all.
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
