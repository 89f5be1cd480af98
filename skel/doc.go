// Package skel runs ordinary Go functions over vectors and matrices on
// devices, through a few algorithmic skeletons:
//
//	Map         out[i] = f(in[i])
//	Zip         out[i] = f(a[i], b[i])
//	MapOverlap  out[i] = f(in[i] and its neighbours): a stencil
//	Reduce      all elements combined by an associative operator: whole, by rows, columns, segments or key
//	Scan        every prefix combined by an associative operator: inclusive or exclusive; whole, by rows or segments
//	AllPairs    every row of a matrix combined with every row or column of another: products, distances
//	Wavefront   t[i][j] = f(t[i-1][j-1], t[i-1][j], t[i][j-1]): tables of dynamic programming
//
// A skeleton is made once from a Go function, usually in a package-level
// variable, and applied to any number of containers from any number of
// goroutines:
//
//	//go:generate go tool skelgen
//
//	func mul(x, y float32) float32 { return x * y }
//
//	var (
//		times = skel.NewZip(mul)
//		sum   = skel.NewReduce(skel.Sum[float32]())
//	)
//
//	dot, err := sum.Apply(times.Apply(x, y)).Value()
//
// This runs on the CPU as it stands. After go generate, which writes the device
// forms of the functions into zkernels.go, the same program runs on NVIDIA GPUs
// and on OpenCL devices, and its loops on the CPU are faster. If you change a
// function, run go generate again: until then it runs on the CPU as it is now, and
// other devices report an error.
//
// # Extra arguments
//
// A function that needs more than its elements takes one more parameter: a plain
// value, a view, or a struct of these ([github.com/skelgo/skelgo/vector.View],
// [github.com/skelgo/skelgo/matrix.View] and their out-views). The constructor
// of such a skeleton ends in With, and so does the method that binds the argument.
// It returns a skeleton like any other:
//
//	var scaled = skel.NewMapWith(func(x, by float32) float32 { return x * by })
//
//	y := scaled.With(2).Apply(x)
//
// With is cheap enough for a loop, and what it returns can be kept and applied many
// times. A function without a result, which writes through out-views, is given to
// [NewMapVoidWith] or [NewZipVoidWith].
//
// # Options
//
// Options of a skeleton are methods that return a copy, which shares the compiled
// function: [MapOverlap.Padding], [MapOverlap.Times], [Wavefront.Watched].
//
// # Vectors and matrices
//
// Map, Zip, MapVoid, ZipVoid and Reduce, which are about elements, take vectors in
// Apply and matrices in ApplyMatrix. MapOverlapMatrix, AllPairs and Wavefront are
// about matrices and have Apply only. A method whose name ends in To writes into an
// existing container, at once, and returns an error. Rows and Cols in a name mean
// by rows and by columns.
//
// A row or a column that repeats, [github.com/skelgo/skelgo/matrix.RepeatRow] and
// [github.com/skelgo/skelgo/matrix.RepeatCol], is a matrix that takes no memory.
//
// # Operators
//
// [Sum], [Prod], [Min], [Max], [And], [Or], [BitAnd], [BitOr] and [BitXor] return an
// operator and its identity, which is what [NewReduce] and [NewScan] take. [ArgMin]
// and [ArgMax] are operators on elements with an index.
//
// # Stencils
//
// The function of a MapOverlap receives a window
// ([github.com/skelgo/skelgo/vector.Window] or
// [github.com/skelgo/skelgo/matrix.Window]), which shows it the elements up to a
// radius around the one that it computes. Beyond the ends it sees the nearest
// element, unless Padding or Neutral says otherwise. Times applies a stencil to its
// own result, again and again.
//
// # Tables
//
// The elements of a table of dynamic programming depend on their neighbours above
// and to the left. The function of a [Wavefront] is that of one element, which it
// calls along diagonals; many tables, of unequal sizes, are one call.
//
// # Fusion
//
// Map and Zip return pending expressions. The first skeleton that uses such a result
// computes it inside its own kernel, so the dot product above is one kernel
// and one pass over x and y. A second use puts the result into memory. A
// function with out-views runs at once, and what is still an expression over the
// containers that it writes is computed before. A MapOverlap takes in the maps and zips
// before it and the maps behind, and a Map or Zip of an AllPairs is the end of
// its kernel; what else uses their results has them in memory. Keys that are an
// expression are put into memory in passing by the reduction of rows that first
// uses them.
//
// Map, Zip, MapOverlap, AllPairs and the reduction of everything are one launch each, and so is the
// scan of everything on GPUs whose groups make progress. Other scans, and rows,
// columns, segments and keys, take a few, however many of them there are;
// devices.TotalStats counts.
//
// # Several devices
//
// Skeletons run where their inputs are: on one device, or on all over which
// these are spread ([github.com/skelgo/skelgo/vector.Distribution]), with the same
// results. See several.go for where a call runs whose inputs are in different
// places.
//
// # Loops
//
// A sequence of calls that repeats can be recorded once and run as often as is
// needed: [Record] takes it down and computes nothing, [Loop.Run] does it, on
// CUDA as one graph. What changes from run to run is in containers.
//
// # The order contract
//
// Operators of Reduce and Scan need only be associative: the order of the
// elements is kept. They are combined in one canonical order that their number
// and size fix, and by key the number of keys; see order.go. So results are the
// same bits from run to run and on every device, as far as the operator itself
// is exact everywhere: integers, and + - * / sqrt, min, max of floats. An AllPairs
// folds from left to right.
//
// # Errors
//
// A nil function and unequal lengths are bugs of the caller and panic.
// Everything else becomes the error of the result, which the container's
// methods show: also a size that no device can have. When a kernel fails that writes into a container that was
// there before, the error is returned: an output keeps it as its own, and the
// containers of out-views hold whatever was written by then. On a device other
// than the CPU kernels run later, and an error of the kernel itself may show
// only where something is read or waited for.
//
// Start with map.go; expr.go is what a lazy result is; program.go is the one
// path by which everything is launched; loop.go is what repeats; kernels/*.cl is
// the C of the skeletons.
package skel
