package ir

// Walk gives every expression of a statement to visit, an expression before those in it, but
// none of the statements inside.
func Walk(s Stmt, visit func(Expr)) {
	w := walker{visit}
	for _, x := range Exprs(s) {
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

// Exprs returns the expressions that are evaluated whenever a statement begins,
// excluding those of a loop's Post.
func Exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Declare:
		return []Expr{s.Init}
	case *Assign:
		return []Expr{s.L, s.R}
	case *Do:
		return []Expr{s.X}
	case *If:
		return []Expr{s.Cond}
	case *For:
		var list []Expr
		if s.Init != nil {
			list = append(list, s.Init.Init)
		}
		if s.Cond != nil {
			list = append(list, s.Cond)
		}
		return list
	case *Switch:
		return []Expr{s.Tag}
	case *Return:
		if s.X != nil {
			return []Expr{s.X}
		}
	}
	return nil
}
