package columnar_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/skelgo/skelgo/columnar"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// trade is a row of the file of the examples. Some trades have no fee.
type trade struct {
	Symbol string   `parquet:"symbol"`
	Price  float64  `parquet:"price"`
	Volume int32    `parquet:"volume"`
	Fee    *float32 `parquet:"fee,optional"`
}

// trades writes a Parquet file into a new folder.
func trades() (file string, remove func()) {
	dir, err := os.MkdirTemp("", "skelgo")
	if err != nil {
		panic(err)
	}
	file, fee := filepath.Join(dir, "trades.parquet"), float32(0.5)
	rows := []trade{{"A", 20.25, 100, &fee}, {"B", 0.1, 7, nil}, {"A", 19.5, 300, nil}}
	if err := parquet.WriteFile(file, rows); err != nil {
		panic(err)
	}
	return file, func() { os.RemoveAll(dir) }
}

func cpu() vector.Distribution {
	found, err := devices.Get("cpu")
	if err != nil {
		panic(err)
	}
	return vector.Single(found[0])
}

func ExampleVector() {
	file, remove := trades()
	defer remove()
	prices, err := columnar.Vector[float64](file, "price")
	if err != nil {
		panic(err)
	}
	s, err := prices.Host()
	fmt.Println(s, err)
	// Output: [20.25 0.1 19.5] <nil>
}

// Without names, the matrix would have the columns price, volume and fee.
func ExampleMatrix() {
	file, remove := trades()
	defer remove()
	m, err := columnar.Matrix[float64](file, []string{"volume", "price"})
	if err != nil {
		panic(err)
	}
	s, err := m.Host()
	fmt.Println(m.Rows(), m.Cols(), s, err)
	// Output: 3 2 [100 20.25 7 0.1 300 19.5] <nil>
}

func ExampleColumns() {
	file, remove := trades()
	defer remove()
	columns, err := columnar.Columns(file)
	if err != nil {
		panic(err)
	}
	for _, c := range columns {
		fmt.Println(c.Name, c.Type, c.Numeric)
	}
	// Output:
	// symbol STRING false
	// price float64 true
	// volume int32 true
	// fee float32 true
}

// Columns print their name and type.
func ExampleColumn() {
	file, remove := trades()
	defer remove()
	columns, err := columnar.Columns(file)
	if err != nil {
		panic(err)
	}
	fmt.Println(columns[1])
	// Output: "price" (float64)
}

// Options can be combined.
func ExampleOption() {
	file, remove := trades()
	defer remove()
	options := []columnar.Option{columnar.Rounded(), columnar.NullsAsNaN()}
	m, err := columnar.Matrix[float32](file, []string{"price", "fee"}, options...)
	if err != nil {
		panic(err)
	}
	s, err := m.Host()
	fmt.Println(s, err)
	// Output: [20.25 0.5 0.1 NaN 19.5 NaN] <nil>
}

func ExampleNullsAsNaN() {
	file, remove := trades()
	defer remove()
	fees, err := columnar.Vector[float32](file, "fee", columnar.NullsAsNaN())
	if err != nil {
		panic(err)
	}
	s, err := fees.Host()
	fmt.Println(s, err)
	// Output: [0.5 NaN NaN] <nil>
}

// Without the option, a float64 is not read as float32.
func ExampleRounded() {
	file, remove := trades()
	defer remove()
	prices, err := columnar.Vector[float32](file, "price", columnar.Rounded())
	if err != nil {
		panic(err)
	}
	s, err := prices.Host()
	fmt.Println(s, err)
	// Output: [20.25 0.1 19.5] <nil>
}

// The vector is on the CPU, whatever the default device is.
func ExampleOn() {
	file, remove := trades()
	defer remove()
	volumes, err := columnar.Vector[int32](file, "volume", columnar.On(cpu()))
	if err != nil {
		panic(err)
	}
	s, err := volumes.Host()
	fmt.Println(s, err)
	// Output: [100 7 300] <nil>
}
