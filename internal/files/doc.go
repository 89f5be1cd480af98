// Package files opens files whose numbers become the elements of a container. A [File] is an
// io.ReaderAt of the elements as this machine has them in memory, so that any part can be
// read when it is needed, and again later.
//
//   - A .npy, version 1 to 3, holds its elements like that already (npy.go).
//   - Text is parsed in each read. Opening it counts the rows and remembers where every 1024th
//     begins (text.go).
//   - Any other file is taken as elements without a header.
package files
