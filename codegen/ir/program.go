package ir

import "fmt"

// Program is one user function with everything that it needs.
type Program struct {
	Root  *Func   // the user's function: the last of Funcs
	Funcs []*Func // callees first
	Types []*Type // structs, arrays and views, each after those that it contains
	Twice *Func   // the root for two elements at once, if that is faster; see pass.Twice

	Exact string // the operation of the root, if it can be applied in any order; see pass.Exact
	Share int    // the number of neighbouring elements that share a call, or 0; see pass.Share

	Own map[string]bool // views, by path, that the root accesses only at the element's own position; see pass.Own
}

// Func is one function.
type Func struct {
	Ident  string // name in C
	Name   string // name in Go, for messages: "kmeans.nearest"
	Pos    Pos
	Params []*Var
	Result *Type // nil for no result; a tuple for several
	Body   []Stmt
	Pure   bool // has no side effects: writes neither to views nor through pointers

	// Library is the name of a function that a library offers as a device form of its own, such as
	// "github.com/skelgo/skelgo/math64.Exp", or "". Other programs are encoded with a reference to it.
	Library string
}

// Var is a parameter or a local variable.
type Var struct {
	Name string // name in C, unique among the variables in scope
	Type *Type
}

// Pos is a position in the Go source.
type Pos struct {
	File      string // relative to its module's root, with slashes
	Line, Col int
}

// String returns the position as "file.go:12:6".
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }
