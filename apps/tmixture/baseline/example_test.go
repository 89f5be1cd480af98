package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/tmixture/baseline"
)

var (
	points = []float64{0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0.25, 10, 10, 12, 10, 10, 12, 12, 12, 11, 11.5} // ten of two
	labels = []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
)

// open returns the program with the points on the device.
func open() *baseline.Program {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	if err := p.Upload(points, 10, 2, 2); err != nil {
		log.Fatal(err)
	}
	return p
}

func ExampleProgram() {
	p := open()
	defer p.Close()
	m, err := p.Run(labels, 10)
	fmt.Printf("%.3f %v\n", m.Weights, err)
	// Means: near (0.5, 0.45) and (11, 11.1)
}

func ExampleModel() {
	p := open()
	defer p.Close()
	m, err := p.Run(labels, 1) // the points of each label
	fmt.Println(m.Means, err)  // [[0.5 0.45] [11 11.1]] <nil>
}

func ExampleKernel() {
	p := open()
	defer p.Close()
	kernels, err := p.Profile(labels)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range kernels {
		fmt.Printf("%-16s %2d launches %6.0f bytes %v\n", k.Name, k.Launches, k.Bytes, k.Time)
	}
}
