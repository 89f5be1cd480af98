package emit

// Form is a function in C, with what a kernel needs to call it.
type Form struct {
	Ident  string   // name in C
	Params []string // C types of the parameters, as stored in a buffer
	Result string   // C type of the result, as stored in a buffer; "" if there is none
	Decls  []Decl   // required types and functions, each before its first use; the function itself is last
	Sites  []Site   // the positions that checked mode can report
	Extra  []Leaf   // how the last parameter is passed, if it is an extra argument

	// Twice holds the type of two results and the function for two elements at
	// once, or is nil if that would not be faster. The function has the
	// parameters of the first element, those of the second, and the extra
	// argument.
	Twice []Decl

	// Share is how many neighbouring elements share a call if a work-item computes them
	// together, beginning at a multiple of Share; 0 if none do.
	Share int

	// Cost is the number of operations of a call (pass.Cost), by which skeletons decide how
	// often a kernel may repeat it; 0 if they are not counted.
	Cost int

	// Exact is the operation that the function applies to its two parameters, if folding
	// elements by it gives the same bits in every order: "add", "and", "or", "xor", "min"
	// or "max" of integers, "and" or "or" of booleans. It is "" for every other function.
	Exact string
}

// Decl is one C type or function, without a line break at its end. A fused kernel contains each Ident once.
type Decl struct{ Ident, C string }

// Site is a position in the Go source that checked mode can report.
type Site struct {
	ID  uint32 // the number that device code stores
	Pos string // "file.go:12:6"
}

// LeafKind says how a leaf of an extra argument is passed.
type LeafKind int

// Kinds of leaf.
const (
	Plain      LeafKind = iota // by value: a number, an array or struct of plain data
	View                       // vector.View: pointer, length
	OutView                    // vector.OutView: pointer, length
	MatView                    // matrix.View: pointer, rows, columns
	MatOutView                 // matrix.OutView: pointer, rows, columns
)

// Leaf is one field of an extra argument, in the order of the Go struct. Fields
// of nested structs that contain views are separate leaves.
type Leaf struct {
	Path string // C member path below the extra value: ".Points", "" if the extra argument itself is the leaf
	Kind LeafKind
	C    string // C type of the plain value, or of the view's element

	// Own: the function touches the view only at the element's own place. It
	// has one parameter that is an index, an int or a matrix.Index, besides the
	// extra argument, and At and Set of the view are given that int, or that
	// Row, as their first index. It says something of a call only where the
	// parameter's value is the place: where it comes from an index container,
	// and not from a vector that holds numbers.
	Own bool
}
