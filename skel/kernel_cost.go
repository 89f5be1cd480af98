package skel

import "github.com/skelgo/skelgo/codegen/registry"

// Kernels repeat calls of cheap functions: they unroll the loops around them, and compute
// elements again instead of storing them. The costs of functions, in operations that
// skelgen counts (pass.Cost), decide which are cheap. docs/adr/0043 says how the limits were
// chosen.
const (
	costlyCall = 115 // a call of a function is not repeated if it costs more
	costlyFold = 57  // a fold of AllPairs is not unrolled if it costs more: each tile has many
)

// costly reports whether kernels should not repeat calls of a function.
func costly(f *registry.Func) bool { return f.Operations() > costlyCall }
