package ir

import "fmt"

// Program is one user function with everything it needs.
type Program struct {
	Root  *Func   // the user's function: the last of Funcs
	Funcs []*Func // callees first
	Types []*Type // structs, arrays and views, each after those it holds
	Twice *Func   // the root for two elements at once, if that gains something: see Twice
	Hash  string  // of the Go source that the program was made from

	Own map[string]bool // views, by path, that the root touches only at the element's own place: see Own
}

// Func is one function.
type Func struct {
	Ident  string // in C
	Name   string // in Go, for messages: "kmeans.nearest"
	Pos    Pos
	Params []*Var
	Result *Type // nil for none; a tuple for several
	Body   []Stmt
	Pure   bool // has no effect but its result: writes no view, nothing through a pointer
}

// Var is a parameter or a local variable.
type Var struct {
	Name string // in C, unique among the variables in scope
	Type *Type
}

// Pos is a place in the Go source.
type Pos struct {
	File      string // relative to its module's root, with slashes
	Line, Col int
}

// String is "file.go:12:6".
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }
