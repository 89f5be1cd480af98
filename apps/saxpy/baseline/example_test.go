package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/saxpy/baseline"
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
	if err := p.Upload([]float32{1, 2, 3}, []float32{4, 5, 6}); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(10); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [14 25 36] <nil>
}
