package vector_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/skelgo/skelgo/vector"
)

// The file has a number in each line. A .npy or a file of elements is read in the same way.
func ExampleFromFile() {
	dir, err := os.MkdirTemp("", "skelgo")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "temperatures.txt")
	if err := os.WriteFile(name, []byte("temperature\n20.5\n21\n19.25\n"), 0o600); err != nil {
		panic(err)
	}
	v, err := vector.FromFile[float32](name, cpu())
	if err != nil {
		panic(err)
	}
	s, err := v.Host()
	fmt.Println(s, err)
	// Output: [20.5 21 19.25] <nil>
}

// The reader returns the bytes of the elements as they are in memory.
func ExampleFromReader() {
	numbers, err := binary.Append(nil, binary.NativeEndian, []int32{1, -2, 3})
	if err != nil {
		panic(err)
	}
	v := vector.FromReader[int32](bytes.NewReader(numbers), 3, cpu())
	s, err := v.Host()
	fmt.Println(s, err)
	// Output: [1 -2 3] <nil>
}

// The function may be called for any part of the vector, and for a part several times.
func ExampleFromFunc() {
	v := vector.FromFunc(6, func(first int, dst []int) error {
		for i := range dst {
			dst[i] = (first + i) * (first + i)
		}
		return nil
	}, cpu())
	s, err := v.Host()
	fmt.Println(s, err)
	// Output: [0 1 4 9 16 25] <nil>
}

// The blocks may have any lengths.
func ExampleFromSeq() {
	blocks := [][]float64{{1, 2, 3}, {4}, {5, 6}}
	v := vector.FromSeq(6, slices.Values(blocks), cpu())
	s, err := v.Host()
	fmt.Println(s, err)
	// Output: [1 2 3 4 5 6] <nil>
}

// Elements are read a few at a time, so the host needs memory only for those.
func ExampleVector_Chunks() {
	v := vector.From([]int{1, 2, 3, 4, 5, 6, 7}, cpu())
	for s, err := range v.Chunks(3) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(s)
	}
	// Output:
	// [1 2 3]
	// [4 5 6]
	// [7]
}
