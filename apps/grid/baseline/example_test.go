package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/grid/baseline"
)

func ExampleProgram() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(baseline.SchwefelFunction); err != nil {
		log.Fatal(err)
	}
	if err := p.Allocate(1001); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Schwefel(-500, 1, 1, 1001)) // {0.00013598385524 921 0} <nil>
}

func ExampleMinimum() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(baseline.PaperFunctional); err != nil {
		log.Fatal(err)
	}
	if err := p.Allocate(1300); err != nil {
		log.Fatal(err)
	}
	m, err := p.Functional(460000, 10)
	fmt.Printf("%.0f Hz %v\n", 460000+10*float64(m.Position), err) // 467320 Hz <nil>
}

func ExampleFunction() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(baseline.SchwefelFunction); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Allocate(100)) // <nil>
}
