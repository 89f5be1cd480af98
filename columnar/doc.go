// Package columnar makes vectors and matrices of the columns of Arrow and Parquet files, which may be larger
// than the memory.
//
//	prices, err := columnar.Vector[float64]("trades.parquet", "price")
//	points, err := columnar.Matrix[float32]("points.arrow", []string{"x", "y", "z"})
//
// [Vector] reads one column, [Matrix] several, or all that hold numbers, and [Columns] lists what a file has. A file is
// recognized by its contents, whatever its name is: the Arrow IPC file format, which is also Feather version
// 2, or Parquet.
//
// # When files are read
//
// As with [vector.FromFile], a container that is larger than a quarter of its device's memory is read in parts
// when they are needed, and again if they have left the memory in between, so the file must not change.
// What a read costs depends on the file:
//
//   - Arrow that is not compressed: only the bytes of the elements are read. This is as fast as a .npy.
//   - Parquet, and compressed Arrow: all values of a column in a row group or record batch are decoded, even if a read
//     needs only some of them. Each container keeps up to 256 MiB of decoded values, or two row groups of its
//     columns if those are larger. Parquet may be compressed by Snappy, Zstandard, gzip or Brotli, but not LZ4.
//
// For algorithms with many passes over a large file, Arrow without compression is therefore best.
//
// # Types
//
// The element type must hold every value of the column's type exactly: int32 can be read as int32, int64 or
// float64, but not as float32. [Rounded] allows the nearest float instead, for example to read float64 as float32.
// Other conversions, such as int64 to int32, could lose more than digits and are always errors. Dates and times
// are the integers that the file stores, such as microseconds since 1970 as int64. [Matrix] reads them only
// if they are named.
//
// A null is an error that names its row. [NullsAsNaN] reads nulls as NaN.
//
// # A module of its own
//
// The package has a go.mod of its own, because it needs a Parquet library and decompressors: programs that
// only use skelgo download none of them. To add it to a program:
//
//	go get github.com/skelgo/skelgo/columnar
//
// # Files
//
// columnar.go has the exported functions, source.go what containers read from, number.go the conversions,
// cache.go the decoded values, arrow*.go and parquet.go the two formats.
package columnar
