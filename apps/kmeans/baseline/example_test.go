package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/kmeans/baseline"
)

// The eight points of the paper.
var (
	eight = []float32{1, 1, 2, 1, 1, 2, 2, 2, 3, 3, 4, 3, 3, 4, 4, 4}
	start = []float32{3, 2, 4, 2}
)

func ExamplePaper() {
	p, err := baseline.OpenPaper(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	if err := p.Upload(eight, 8, 2, 2); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Run(start, 501)) // [0 0 0 0 1 1 1 1] 3 <nil>
}

func ExampleOnDevice() {
	p, err := baseline.OpenOnDevice(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	if err := p.Upload(eight, 8, 2, 2); err != nil {
		log.Fatal(err)
	}
	if _, err := p.Run(start, 501); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [0 0 0 0 1 1 1 1] [1.5 1.5 3.5 3.5] <nil>
}
