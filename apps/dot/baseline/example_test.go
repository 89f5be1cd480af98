package baseline_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/dot/baseline"
)

func ExampleProgram() {
	p, err := baseline.Open(0, baseline.Tree)
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
	fmt.Println(p.Run()) // 32 <nil>
}
