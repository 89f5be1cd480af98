package ir

// Stmt is a statement.
type Stmt interface{ Position() Pos }

type (
	// Declare declares a variable. Init is never nil. Run, if not nil, may be
	// read before.
	Declare struct {
		Var  *Var
		Init Expr
		Run  *Run
		Pos  Pos
	}

	// Assign stores R in the place L. If R is a Binary whose X is the same node
	// as L, it is an in-place operation on L.
	Assign struct {
		L, R Expr
		Pos  Pos
	}

	// Do evaluates a call for its effects.
	Do struct {
		X   Expr
		Pos Pos
	}

	// Block is a scope; a Break may leave it.
	Block struct {
		Body []Stmt
		Pos  Pos
	}

	// If is a conditional statement.
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Pos        Pos
	}

	// For is a loop. Init and Cond may be nil; Post runs after each iteration,
	// including after a Continue. Runs may be read before the loop.
	For struct {
		Init *Declare
		Cond Expr
		Post []*Assign
		Body []Stmt
		Runs []*Run
		Pos  Pos
	}

	// Switch selects a case by an integer.
	Switch struct {
		Tag   Expr
		Cases []*Case
		Pos   Pos
	}

	// Case is one case of a Switch.
	Case struct {
		Values      []*Const
		Default     bool
		Body        []Stmt
		Fallthrough bool
		Pos         Pos
	}

	// Break leaves an enclosing For, Switch or Block.
	Break struct {
		Of  Stmt
		Pos Pos
	}

	// Continue starts the next iteration of an enclosing loop.
	Continue struct {
		Of  *For
		Pos Pos
	}

	// Return leaves the function; X is nil if it has no result.
	Return struct {
		X   Expr
		Pos Pos
	}

	// Panic reports itself in checked mode and returns the zero value.
	Panic struct{ Pos Pos }
)

// Position returns the statement's position in the Go source.
func (s *Declare) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Assign) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Do) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Block) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *If) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *For) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Switch) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Break) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Continue) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Return) Position() Pos { return s.Pos }

// Position returns the statement's position in the Go source.
func (s *Panic) Position() Pos { return s.Pos }

// Ends reports whether control never reaches the end of a list of statements.
func Ends(list []Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *Return, *Panic, *Break, *Continue:
		return true
	case *Block:
		return Ends(s.Body) && !Breaks(s.Body, s)
	case *If:
		return Ends(s.Then) && Ends(s.Else)
	case *For:
		return s.Cond == nil && !Breaks(s.Body, s)
	case *Switch:
		return switchEnds(s)
	}
	return false
}

func switchEnds(s *Switch) bool {
	hasDefault := false
	for _, c := range s.Cases {
		hasDefault = hasDefault || c.Default
		if !c.Fallthrough && !Ends(c.Body) || Breaks(c.Body, s) {
			return false
		}
	}
	return hasDefault
}

// Breaks reports whether a Break in list leaves target.
func Breaks(list []Stmt, target Stmt) bool {
	for _, s := range list {
		if b, ok := s.(*Break); ok && b.Of == target {
			return true
		}
		for _, inner := range Bodies(s) {
			if Breaks(inner, target) {
				return true
			}
		}
	}
	return false
}

// Bodies returns the lists of statements inside s.
func Bodies(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *Block:
		return [][]Stmt{s.Body}
	case *If:
		return [][]Stmt{s.Then, s.Else}
	case *For:
		return [][]Stmt{s.Body}
	case *Switch:
		var l [][]Stmt
		for _, c := range s.Cases {
			l = append(l, c.Body)
		}
		return l
	}
	return nil
}
