package registry

// Func is the device form of one Go function, made by skelgen.
type Func struct {
	Name   string   // as the Go runtime names it: "import/path.nearest"
	Type   string   // its Go signature, as reflect prints it: "func(int, kmeans.clusters) int32"; Add sets it from Go where that is not nil
	Pos    string   // "file.go:12:6", where it is declared
	Hash   string   // of the Go source of it and of all it calls
	Ident  string   // its name in C
	Params []string // C types of its parameters, in order, as stored in a buffer
	Result string   // C type of its result, as stored in a buffer; "" for none
	Decls  []Decl   // types and functions it needs, each before its first use, itself last
	Twice  []Decl   // the type of two results, and the function for two elements at once: it takes the first one's parameters, the other's, the extra argument; nil where that gains nothing
	Sites  []Site   // the places that checked mode can report
	Extra  []Leaf   // how its extra argument, the last parameter, is passed; nil when it has none
	Loops  Loops    // its Go range loops, for the CPU device

	// Go is the function itself: Of compares entry points. What has no name, a
	// function literal or an instantiation inside a generic function, is found
	// by its place in the file in Pos: Within is the sum of the declaration
	// around it, and Span its place there (package pieces). Go is then a nil of
	// its type, or nil when a generated file cannot write the type.
	Go     any
	Within string
	Span   [2]int

	// Uses lists the declarations that the device form was made from, the
	// function's own first, each with the sum of its text, and the modules:
	// "nearest=2k3 clusters=9xy m/geo:Dist=1c9 example.com/stat@v1.2.0". A bare
	// name is of the Source's package, and one after a colon of its external
	// tests. Of refuses a function for which one of them has changed.
	Uses string
}

// Decl is one C type or function. A fused kernel holds each Ident once.
type Decl struct{ Ident, C string }

// Site is a place in the Go source that checked mode can report.
type Site struct {
	ID  uint32 // what the device code stores
	Pos string // "file.go:12:6"
}

// LeafKind says how a leaf of an extra argument travels.
type LeafKind int

// The kinds of leaf.
const (
	Plain      LeafKind = iota // by value: a number, an array or struct of plain data
	View                       // vector.View: pointer, length
	OutView                    // vector.OutView: pointer, length
	MatView                    // matrix.View: pointer, rows, columns
	MatOutView                 // matrix.OutView: pointer, rows, columns
)

// Leaf is one field of an extra argument, in the order of the Go struct;
// fields of nested structs that hold views are leaves of their own.
type Leaf struct {
	Path string // C member path below the extra value: ".Points", "" when the extra argument is itself the leaf
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

// Loops are the range loops that skelgen writes with a direct call to the
// function, or with its text (docs/adr/0016), each a func value of the type given here (E absent when the
// function has no extra argument; dst absent when it has no result, and the
// index loops then take hi, the end of the range, in its place), or nil.
// T is the operator's type.
type Loops struct {
	Map    any // func(dst []Out, a []In, e E), len(a) >= len(dst)
	Zip    any // func(dst []Out, a []A, b []B, e E), a and b at least as long as dst
	Index  any // func(dst []Out, lo int, e E): the argument is lo, lo+1, ...; void: func(lo, hi int, e E)
	Grid   any // func(dst []Out, lo, cols int, e E): the argument is matrix.Index{i / cols, i % cols} for i = lo, lo+1, ...; void: func(lo, hi, cols int, e E)
	Window any // func(dst []Out, w Window, e E): the argument is w.Moved(0), w.Moved(1), ...; Window is one of a vector or matrix
	Runs   any // func(dst, src []T, run int, e E): dst[r] = left fold of src[run*r : run*r+run], the last run may be short
	Tree   any // func(t []T, e E) T: adjacent pairs, level by level, an odd last one promoted; overwrites t
	Fold   any // func(acc []Out, a []A, b []B, n int, e E), of func(Out, A, B, E) Out: acc[j] = f(acc[j], a[k], b[n*k+j]) for k = 0, 1, ...
	Pair   any // func(dst []Out, x A, b []B): dst[j] = f(x, b[j]), len(b) >= len(dst)
	Cells  any // func(row []C, nw, w C, i, j, by int, e E), of func(nw, n, w C, i, j int, e E) C: row becomes the next row of a table, from left to right; nw is left of row, w left of the next, and j, then j + by, ... is the column;
	//         func(row []C, nw, w C, r R, s []S, e E), of func(nw, n, w C, r R, s S, e E) C: s is of each column
	Scan any // func(dst, src, seed []T, run int, has bool, e E): left scan of each run, run r starting from seed[r] (run 0 from its own first element unless has)
}
