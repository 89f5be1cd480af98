package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/grayscott/baseline"
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
	if err := p.Upload(1, 2, []float32{1, 0, 1, 0}); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(0.035, 0.065, 10); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [1 0 1 0] <nil>
}
