package baseline_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/skelgo/skelgo/apps/nw/baseline"
)

// Equal letters have the score 2, different ones -1.
func ExampleProgram() {
	p, err := baseline.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		log.Fatal(err)
	}
	a := bytes.Repeat([]byte{0, 1}, 8)
	if err := p.Upload(a, append(bytes.Clone(a[1:]), 1), []int32{2, -1, -1, 2}, 2, 1); err != nil {
		log.Fatal(err)
	}
	if err := p.Run(); err != nil {
		log.Fatal(err)
	}
	h, err := p.Download()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h[len(h)-1], p.Path(h)) // 28 1I14=1D1=
}
