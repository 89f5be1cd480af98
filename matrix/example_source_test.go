package matrix_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skelgo/skelgo/matrix"
)

// The elements are read from the file when they are needed.
func ExampleFromFile() {
	dir, err := os.MkdirTemp("", "skelgo")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "table.csv")
	if err := os.WriteFile(name, []byte("height,width\n1,2.5\n3,4\n5,6\n"), 0o600); err != nil {
		panic(err)
	}
	m, err := matrix.FromFile[float64](name, 0, cpu()) // the file says that there are two columns
	if err != nil {
		panic(err)
	}
	s, err := m.Host()
	fmt.Println(m)
	fmt.Println(s, err)
	// Output:
	// 3 x 2 matrix, vector of 6 float64 on cpu
	// [1 2.5 3 4 5 6] <nil>
}
