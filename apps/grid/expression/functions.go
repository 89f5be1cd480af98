package expression

import (
	"maps"
	"math"
	"slices"

	"github.com/skelgo/skelgo/math64"
)

// function is a function that formulas can call.
type function struct {
	args   int
	unary  func(float64) float64
	binary func(x, y float64) float64
}

// functions holds the functions by name.
var functions = map[string]function{
	"abs":    {1, math.Abs, nil},
	"sqrt":   {1, math.Sqrt, nil},
	"cbrt":   {1, math64.Cbrt, nil},
	"floor":  {1, math.Floor, nil},
	"ceil":   {1, math.Ceil, nil},
	"exp":    {1, math64.Exp, nil},
	"exp2":   {1, math64.Exp2, nil},
	"expm1":  {1, math64.Expm1, nil},
	"log":    {1, math64.Log, nil},
	"log1p":  {1, math64.Log1p, nil},
	"log2":   {1, math64.Log2, nil},
	"log10":  {1, math64.Log10, nil},
	"sin":    {1, math64.Sin, nil},
	"cos":    {1, math64.Cos, nil},
	"tan":    {1, math64.Tan, nil},
	"atan":   {1, math64.Atan, nil},
	"tanh":   {1, math64.Tanh, nil},
	"erf":    {1, math64.Erf, nil},
	"erfc":   {1, math64.Erfc, nil},
	"lgamma": {1, math64.LogGamma, nil},
	"pow":    {2, nil, math64.Pow},
	"atan2":  {2, nil, math64.Atan2},
	"hypot":  {2, nil, math64.Hypot},
	"min":    {2, nil, func(x, y float64) float64 { return min(x, y) }},
	"max":    {2, nil, func(x, y float64) float64 { return max(x, y) }},
}

// Names returns the names of the functions in order.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }
