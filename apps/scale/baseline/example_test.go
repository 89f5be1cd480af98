package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/scale/baseline"
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
	if err := p.Allocate(6, 3); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Run([]float64{1, 2, 5, 6, 8, 9}, []int32{0, 0, 1, 2, 2, 2})) // 0 [3.5 5.5] <nil>
}
