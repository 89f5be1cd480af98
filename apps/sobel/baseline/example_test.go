package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/sobel/baseline"
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
	if err := p.Upload(1, 4, []uint8{10, 10, 20, 20}); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Download()) // [0 40 40 0] <nil>
}
