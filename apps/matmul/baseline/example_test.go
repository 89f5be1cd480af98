package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/matmul/baseline"
)

func ExampleProgram() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	if err := p.Upload([]float32{1, 2, 3, 4}, []float32{5, 6}, 2, 1, 2); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [17 39] <nil>
}
