// Package subst replaces type parameters by types.
//
// A type that is declared inside a generic function depends on the function's type
// parameters although it has none of its own: in
//
//	func f[R any]() { type pair struct{ a, b R }; ... }
//
// each instance of f has a type pair of its own. Substitution treats such a type as a
// generic type with the type parameters of the function around it, so that pair
// becomes pair[float32]. Package reflect shows it in the same form.
package subst
