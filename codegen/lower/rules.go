package lower

import "slices"

// Rule is a reason to refuse a function. docs/subset.md is generated from the
// rules.
type Rule struct {
	ID      string // "SK001"
	Title   string // what is refused
	Why     string
	Instead string // what to write instead, the end of messages
	Bad     string // a small example that is refused
	Good    string // an equivalent that is accepted
}

// RuleViews is the ID of a rule that other packages also report. IDs are
// compared by such names, never as literals.
const RuleViews = "SK026"

var rules []*Rule

func rule(id, title, why, instead, bad, good string) *Rule {
	r := &Rule{id, title, why, instead, bad, good}
	rules = append(rules, r)
	return r
}

// Rules returns all rules, sorted by ID.
func Rules() []Rule {
	l := make([]Rule, len(rules))
	for i, r := range rules {
		l[i] = *r
	}
	slices.SortFunc(l, func(a, b Rule) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return l
}

var (
	ruleClosure = rule("SK001", "Closures that capture",
		"A captured variable is in host memory.",
		"pass the value as an extra argument, a struct given to skel.NewMapWith and the like",
		"k := float32(2)\ntwice := skel.NewMap(func(x float32) float32 { return k * x })",
		"type scale struct{ K float32 }\n\ntwice := skel.NewMapWith(func(x float32, s scale) float32 { "+
			"return s.K * x })")

	ruleMap = rule("SK002", "Maps",
		"Devices have neither memory allocation nor hashing.",
		"use an array, or a vector.View that is indexed",
		"weight := map[int]float32{1: 0.5}",
		"weight := [2]float32{1: 0.5}")

	ruleSlice = rule("SK003", "Slices",
		"A slice points to host memory.",
		"use an array for a fixed length, or a vector.View or matrix.View for data",
		"func norm(v []float32) float32",
		"func norm(v [3]float32) float32")

	ruleString = rule("SK004", "Strings",
		"Devices have no text.",
		"use a number or named constants",
		`if kind == "l1" {`,
		"if kind == l1 { // const l1 = 1")

	ruleInterface = rule("SK005", "Interfaces",
		"The called method must be known when the kernel is built.",
		"use a type parameter, or a concrete type",
		"func area(s shape) float32 { return s.area() }",
		"func area[S shape](s S) float32 { return s.area() }")

	ruleChan = rule("SK006", "Channels",
		"Elements are computed independently of each other.",
		"return the value; combine values with Reduce or Scan",
		"results <- x * x",
		"return x * x")

	ruleGo = rule("SK007", "Goroutines",
		"The skeleton is what runs in parallel.",
		"call the function directly",
		"go f(x)",
		"f(x)")

	ruleDefer = rule("SK008", "Defer and recover",
		"Device code cannot unwind the stack.",
		"write the statement before each return",
		"defer done()",
		"done()\nreturn x")

	ruleRecursion = rule("SK009", "Recursion",
		"OpenCL has no call stack.",
		"use a loop, with an array as the stack if necessary",
		"func fact(n int) int { if n < 2 { return 1 }; return n * fact(n-1) }",
		"func fact(n int) int { f := 1; for i := range n { f *= i + 1 }; return f }")

	rulePointer = rule("SK010", "Pointers that escape",
		"A pointer is valid only while the function that owns the variable is running.",
		"pass and return values; a pointer can be the parameter of a function that is called with &x, or a local "+
			"p := &x that is never assigned to",
		"func best(a, b *point) *point\n\np := best(&x, &y)",
		"func best(a, b point) point\n\np := best(x, y)")

	ruleGlobal = rule("SK011", "Global variables",
		"A global variable is in host memory.",
		"make it a constant, or pass it in the extra argument",
		"var eps = float32(1e-6)",
		"const eps = float32(1e-6)")

	ruleGoto = rule("SK012", "Goto",
		"Device code requires structured control flow.",
		"use a loop with a labelled break or continue",
		"again:\n\tif x > 1 { x /= 2; goto again }",
		"for x > 1 { x /= 2 }")

	ruleSelect = rule("SK013", "Select",
		"Devices have no channels.",
		"return the value; combine values with Reduce or Scan",
		"select { case v := <-in: x += v; default: }",
		"x += v")

	ruleTypeSwitch = rule("SK014", "Type switches",
		"The type must be known when the kernel is built.",
		"write one function for each type, or a generic one",
		"switch v := v.(type) { case float32: return v }",
		"func abs[T float32 | float64](v T) T")

	ruleComplex = rule("SK015", "Complex numbers",
		"OpenCL C has no complex type.",
		"use a struct of two floats",
		"func square(z complex64) complex64 { return z * z }",
		"type cplx struct{ Re, Im float32 }\n\nfunc square(z cplx) cplx { return cplx{z.Re*z.Re - z.Im*z.Im, "+
			"2 * z.Re * z.Im} }")

	ruleUnsafe = rule("SK016", "Package unsafe",
		"Sizes and addresses differ between host and device.",
		"use math.Float32bits and similar functions to access bits",
		"*(*uint32)(unsafe.Pointer(&x))",
		"math.Float32bits(x)")

	ruleFuncValue = rule("SK017", "Functions as values",
		"Device code has no function pointers.",
		"call the function by its name; choose between functions with a switch",
		"f := sin\nif odd { f = cos }\nreturn f(x)",
		"if odd { return cos(x) }\nreturn sin(x)")

	ruleAlloc = rule("SK018", "Allocation: append, make, new, copy, cap, clear",
		"Devices have no heap.",
		"declare an array of constant length",
		"hist := make([]int32, 16)\ncopy(a[:], b[:])\nclear(a[:])",
		"var hist [16]int32\na = b\na = [4]int32{}")

	ruleVariadic = rule("SK019", "Variadic functions",
		"Their arguments are a slice.",
		"declare it with an array, and call it as sum([3]float32{x, y, z}), or with a fixed number of parameters",
		"func sum(xs ...float32) float32\n\nsum(x, y, z)",
		"func sum(xs [3]float32) float32\n\nsum([3]float32{x, y, z})")

	ruleNoSource = rule("SK020", "Functions without source",
		"Only Go source can be translated.",
		"write the function in a package whose source is loaded",
		"x := external(y) // known from export data only",
		"x := mine(y)")

	ruleOutside = rule("SK021", "Calls into packages outside the subset",
		"All called functions run on the device, too.",
		"compute it on the host and pass it in the extra argument, or write the function in this module",
		"n := strings.Count(s, \"a\")",
		"n := e.Count")

	ruleAssembly = rule("SK022", "Functions without a Go body",
		"Assembly is specific to a processor.",
		"call a Go function",
		"func fast(x float32) float32 // in fast_amd64.s",
		"func fast(x float32) float32 { return x * x }")

	ruleRangeFunc = rule("SK023", "Range over functions",
		"An iterator is a function value with captured variables.",
		"use a counter: for i := range n",
		"for v := range seq {",
		"for i := range view.Len() {\n\tv := view.At(i)")

	ruleEmpty = rule("SK024", "Empty types",
		"C has no empty struct and no array of length 0.",
		"remove it",
		"func f(x float32, _ struct{}) float32",
		"func f(x float32) float32")

	rulePanic = rule("SK025", "Panic with a computed value",
		"Checked mode reports where panic was called, but not its argument.",
		`panic with a constant or a variable: panic("negative radius")`,
		`panic(fmt.Sprint("bad ", x))`,
		`panic("bad x")`)

	ruleViews = rule(RuleViews, "Views and windows used other than through their methods",
		"A view or a window represents memory that the skeleton manages.",
		"use the methods At, Set, Len, Rows and Cols of a view or row that was passed in, or At of a window",
		"v := vector.View[float32]{}",
		"v := e.Points")

	rulePrint = rule("SK027", "Printing",
		"Devices have no output.",
		"return the value and print it on the host",
		"println(x)",
		"return x")
)
