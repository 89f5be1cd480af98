package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/mandelbrot/baseline"
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
	if err := p.Allocate(1, 3); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(-2, 0, 1.5, 100); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [100 100 3] <nil>
}
