package ir

// Walk gives every expression of a statement to visit, an expression before those in it, but
// none of the statements inside.
func Walk(s Stmt, visit func(Expr)) {
	w := walker{visit}
	for _, x := range exprs(s) {
		w.expr(x)
	}
	switch s := s.(type) {
	case *Declare:
		w.run(s.Run)
	case *For:
		for _, p := range s.Post {
			w.expr(p.L)
			w.expr(p.R)
		}
		for _, r := range s.Runs {
			w.run(r)
		}
	}
}

type walker struct{ visit func(Expr) }

func (w walker) expr(x Expr) {
	if x == nil {
		return
	}
	w.visit(x)
	for _, inner := range Children(x) {
		w.expr(inner)
	}
	if at, ok := x.(*At); ok {
		w.expr(at.Part)
		w.run(at.Run)
	}
}

func (w walker) run(r *Run) {
	if r != nil {
		w.expr(r.First)
	}
}
