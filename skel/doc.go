// Package skel runs ordinary Go functions over vectors and matrices, on the CPU, on
// NVIDIA GPUs and on OpenCL devices. A skeleton is a parallel algorithm with a hole
// that a function of yours fills:
//
//	Map         out[i] = f(in[i])
//	Zip         out[i] = f(a[i], b[i])
//	MapVoid     f(in[i]), and ZipVoid f(a[i], b[i]), for functions that only write through views
//	MapOverlap  out[i] = f(in[i] and its neighbours): a stencil
//	Reduce      combines elements: all of them, or by row, column, segment or key
//	Scan        combines every prefix, inclusive or exclusive: of everything, or by row or segment
//	Sort        arranges elements by a number key or a comparison, also by row or segment;
//	            searches in sorted vectors; returns the first k
//	Filter      keeps the elements that a function selects; Unique, one of equal neighbours
//	AllPairs    combines every row of one matrix with every row or column of another
//	ColumnPairs combines every column of one matrix with every column of another: X'Y for tall matrices
//	Wavefront   t[i][j] = f(t[i-1][j-1], t[i-1][j], t[i][j-1]): dynamic programming
//
// Functions without such a hole move and count elements: [Gather], [Scatter], [Permute],
// [Reverse], [Transpose], [Compact], [CountByKey], [HistogramEven] and [HistogramEdges].
// Batches of small dense matrices are factorized by [Cholesky], [SolveLower], [InverseLower],
// [FactorR] and [EigenSym], and a tall matrix by [TSQR] and [QR]. Package rng has random numbers, and
// packages math64 and math32 have functions that are bit-identical on all devices.
//
// Make a skeleton once, usually in a package-level variable, and apply it to any
// number of containers, from any number of goroutines. This is a dot product:
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
//	x := vector.From([]float32{1, 2, 3})
//	y := vector.From([]float32{4, 5, 6})
//	dot, err := sum.Apply(times.Apply(x, y)).Value() // 32
//
// The program runs on the CPU as it is. To run it on other devices, and to make its
// loops on the CPU faster, run go generate: skelgen translates mul to C and writes
// the result into zkernels.go. The environment variable SKEL_DEVICE selects the
// devices. If you change a function, run go generate again; until then, the CPU runs
// the new version and other devices report an error.
//
// # Extra arguments
//
// A function can take one more parameter than its skeleton supplies: a plain value, a
// view of a container, or a struct of these. The constructor of such a skeleton ends
// in With, and its method With binds the argument and returns a skeleton like any
// other:
//
//	type line struct{ Slope, Offset float32 }
//
//	var onLine = skel.NewMapWith(func(x float32, l line) float32 {
//		return l.Slope*x + l.Offset
//	})
//
//	y := onLine.With(line{Slope: 2, Offset: 1}).Apply(x)
//
// With is cheap enough to call in a loop, and the skeleton that it returns can be
// applied many times.
//
// Through a view ([github.com/skelgo/skelgo/vector.View],
// [github.com/skelgo/skelgo/matrix.View]), a function reads any element of a
// container. Through an out-view ([github.com/skelgo/skelgo/vector.OutView],
// [github.com/skelgo/skelgo/matrix.OutView]), a function writes any element. If
// writing is all that a function does, pass it to [NewMapVoidWith] or
// [NewZipVoidWith].
//
// A function that the program makes at run time, such as the closure of a formula that a user
// has typed, has no source that skelgen could translate. [MapWithForm] takes such a function
// with a device form of the caller's.
//
// # Options
//
// An option is a method that returns a copy of the skeleton and leaves the original
// unchanged; both share the compiled function. So options can be chained:
//
//	blur := skel.NewMapOverlap(mean, 1).Padding(vector.Wrap).Times(10)
//
// Stencils have Padding, Neutral, Times and Exchange. Wavefront has Onto and Watched. The
// order of options does not matter. Options that contradict each other, such as
// Padding(vector.Wrap) and Neutral, panic.
//
// # Vectors and matrices
//
// Map, Zip, MapVoid, ZipVoid and Reduce treat elements alike wherever they are: they
// take vectors in Apply and matrices in ApplyMatrix. MapOverlapMatrix, AllPairs and
// Wavefront need two dimensions, so their Apply takes or returns matrices. Rows and
// Cols in a name mean by row and by column.
//
// A method whose name ends in To computes at once, writes into an existing container
// and returns an error.
//
// Where a skeleton takes a matrix, it also takes
// [github.com/skelgo/skelgo/matrix.RepeatRow] and
// [github.com/skelgo/skelgo/matrix.RepeatCol], which broadcast a vector without taking
// memory for a matrix. This subtracts the mean of each column:
//
//	centred := minus.ApplyMatrix(m, matrix.RepeatRow(means, m.Rows()))
//
// The indices themselves are inputs as well: [github.com/skelgo/skelgo/vector.Indices]
// and [github.com/skelgo/skelgo/matrix.Indices].
//
// # Operators
//
// [Sum], [Prod], [Min], [Max], [And], [Or], [BitAnd], [BitOr] and [BitXor] return an
// operator and its identity, which are the arguments of [NewReduce] and [NewScan]. To
// find where the least or greatest element is, pair the elements with their indices
// ([WithIndex]) and reduce the pairs with [ArgMin] or [ArgMax]. An operator of your
// own is any associative function of two elements; it need not be commutative.
//
// # Sort
//
// [Ascending] sorts numbers, [NewSortBy] sorts elements by a number key, and [NewSort]
// by a comparison. A sort is stable, so its result is the same on all devices. NaN comes
// last, also after Descending, and -0 equals +0. Apply returns the elements, Order their
// indices, and [SortPairs] arranges values like their keys. Rows and Segments sort the
// rows of a matrix and the segments of a vector separately. Number keys are sorted by
// radix, which is several times faster than comparing elements. A comparison that is no
// strict weak order yields a permutation of the input.
//
// # Select
//
// [Filter] keeps the elements for which a function returns true, [Unique] one of
// neighbours that are the same, and [Compact] those whose flag is set. Filter.Partition
// also returns the rest, Filter.Indices the positions, and Unique.Runs the lengths of
// runs. The length of such a result is computed on the device and stays there:
// [github.com/skelgo/skelgo/vector.Vector.Len] waits for it,
// [github.com/skelgo/skelgo/vector.Vector.Cap] is an upper bound that does not wait, and
// [github.com/skelgo/skelgo/vector.Vector.Count] is a scalar for kernels.
//
// Map, Zip, MapVoid, ZipVoid, Reduce.Apply, Scan and the selections use such a result
// without waiting, in recorded loops too. If a Zip, a ZipVoid or a Compact has two such
// inputs, their counts must be one: both must be computed, element by element, from the
// same selection. The same is true of the output of ApplyTo. Otherwise, as in all other
// skeletons, the call waits for the lengths to compare them; in the loop that computes
// them, it makes Record fail.
//
// # Search and move
//
// [Sort.LowerBound] and [Sort.UpperBound] search for many values in a sorted vector.
// [Sort.Top] and its relatives return the first elements of an order.
//
// Gather reads the elements of a vector at given indices, and Reverse reads a vector from
// its end. Scatter writes to given indices; of equal indices the last one wins, on every
// device. Permute is Scatter for distinct indices, in one pass. Transpose exchanges the
// rows and columns of a matrix.
//
// # Histograms
//
// CountByKey counts how many elements have each key, HistogramEven counts elements in
// bins of equal width, and HistogramEdges in bins with given edges. Bins are half-open and
// defined by comparisons with their edges, so every device counts an element in the same
// bin. A pending Map or Zip computes keys and elements inside the kernel that counts.
//
// # Stencils
//
// The function of a [MapOverlap] receives a window
// ([github.com/skelgo/skelgo/vector.Window] or
// [github.com/skelgo/skelgo/matrix.Window]), which holds the element and its
// neighbours up to a radius. Beyond the ends of the container, the window repeats the
// nearest element; Padding and Neutral change that. Times applies a stencil repeatedly
// to its own result, as a simulation does. Over several devices, Exchange sets after
// how many steps the devices exchange their halos.
//
// # Tables
//
// In dynamic programming, an element of a table depends on its neighbours above and to
// the left. The function of a [Wavefront] computes one element from these three, and
// the skeleton computes the elements of a diagonal in parallel. One call can compute
// many tables of different sizes, and [Wavefront.Ends] keeps only their last rows and
// columns.
//
// # Fusion
//
// Map, Zip, MapOverlap, AllPairs, Gather and Reverse return pending expressions, which
// are computed when they are needed. The first skeleton that uses such a result computes
// it inside its own kernel if it can: the dot product above is one kernel, which reads x
// and y once and stores no products.
//
//   - Map, Zip, Gather and Reverse become part of the skeleton that uses their result.
//   - A MapOverlap includes the maps and zips of its input, and the maps of its result.
//   - An AllPairs ends with a Map or Zip of its result, and with a Reduce of its rows, or of
//     equal pieces of them, if the pieces fit into its tiles (64 float64 on a GPU).
//   - Anything else that uses a MapOverlap or an AllPairs reads the result from memory.
//
// A second use of a Map, Zip or MapOverlap stores the result in memory first, so it is
// not computed again and again; [AllPairs] documents the exception. Call Wait on a
// result to store it earlier. Laziness never changes a result: before a container
// changes, the pending expressions that read it are computed. A function with out-views
// runs at once.
//
// Map, Zip, MapOverlap, AllPairs and the reduction of all elements are one kernel
// launch each. So are the scan and the Filter of all elements on CUDA devices. Other
// reductions, scans and selections, and histograms, take a few launches, independent of the
// number of rows, segments and keys. A sort of number keys on a CUDA device takes one
// launch and one more for each byte of the key; the launches of a sort by a comparison
// grow with the logarithm of the number of elements.
// [github.com/skelgo/skelgo/devices.TotalStats] counts launches and transfers.
//
// # Several devices
//
// A skeleton runs where its inputs are. A [github.com/skelgo/skelgo/vector.Distribution]
// puts a container on one device, in blocks on several, or in full on each, and
// skeletons return the same results in all cases. Large containers are divided among
// the selected devices by default. If the inputs of a call are in different places, the
// library moves some of them; devices.go describes which. The first device computes
// Reduce.ByKey with more than 2048 keys and Unique.Runs.
//
// To let several devices write to the same container, for instance to count, create it
// with [Reduce.Replicas]. Each device then writes to its own replica, and the operator
// of the Reduce combines them.
//
// # Loops
//
// A sequence of calls that repeats can be recorded and replayed, which avoids most of
// the cost of a launch. [Record] records the calls of a function without computing
// anything. [Loop.Run] replays them; on CUDA, a loop is a graph. What changes
// between two iterations must be in containers. A sort over several devices cannot be
// recorded, because the host chooses which elements the devices exchange.
//
// # The order contract
//
// Reduce and Scan combine elements in one canonical order, which depends only on the
// number of elements, the size of an element in bytes and, for ByKey, the number of keys:
// with more than 2048 keys, the elements of a key are combined as if there were no others.
// order.go defines the order. The order of the elements is kept, so operators only need to
// be associative. The fold of an AllPairs goes from left to right. Sorts are stable, and
// histograms add integers, so they have only one correct result.
//
// Therefore, results are bit-identical in every run, on every device and on any number of
// devices, provided that the function itself computes the same bits everywhere.
// Integers do, and so do +, -, *, /, sqrt, min and max of floats, and the functions of
// math64 and math32; those of math are the device's own.
//
// There is one exception. In programs for arm64 and some other processors, and with
// GOAMD64=v3, Go's compiler may compute x*y + z with one rounding, and the CPU device then
// differs from the others in the last bits. Generated loops prevent that in function
// literals and in functions of the package; in methods, generic functions, functions of
// other packages and functions of rows, write float64(x*y) + z. docs/devices.md has the
// details, and skelgo devices says whether it concerns a program.
//
// # Errors
//
// Mistakes in the calling program, such as a nil function or inputs of different
// lengths, panic. Every other failure, such as a container that does not fit into the
// memory of a device, becomes the error of the result. Skeletons that use the result
// pass the error on, and the methods of the container return it: Err, Wait, Host, Value
// and others. So a chain of calls needs one check, at its end.
//
// A method that writes into an existing container returns the error, and the container
// keeps it. The containers of out-views do not keep it; they hold what was written before
// the failure. Devices other than the CPU run kernels asynchronously, so an error inside
// a kernel may be reported by a later call that reads or waits.
//
// # Where to start
//
// The examples below show every skeleton; docs/tour.md and docs/sort-select-search.md
// explain them in a suitable order, and docs/subset.md says which Go code can run on
// devices. In the source, start with map.go. Then read expr.go, which implements pending
// expressions, program.go, which launches all kernels, and kernels/*.cl, the C code of the
// skeletons.
package skel
