package skel

import "github.com/skelgo/skelgo/codegen/registry"

// MapWithForm is [NewMapWith] for a function that the program makes at run time, such as the
// closure of a formula that a user has typed. skelgen cannot translate it, so the caller
// supplies the device form; [registry.Func.WithBody] makes one. The form may have Loops for
// the CPU. Both must compute the same. Make such a skeleton once for each function: every form
// is compiled, and remains in memory. MapWithForm panics if f or form is nil.
func MapWithForm[In, E, Out any](f func(In, E) Out, form *registry.Func) *MapWith[In, E, Out] {
	m := newMapWith("MapWithForm", f)
	if form == nil {
		panic("skel: MapWithForm: the device form is nil")
	}
	m.fun.given, m.fun.name, m.fun.label = form, form.Name, "Map("+form.Name+")"
	return m
}
