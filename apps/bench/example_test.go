package bench_test

import (
	"log"
	"os"

	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/devices"
)

func Example() {
	d, err := devices.Default()
	if err != nil {
		log.Fatal(err)
	}
	tasks, free, err := bench.Tasks(d, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer free()
	var rows []bench.Row
	for _, t := range tasks {
		row, err := bench.Measure(d.ID(), t, 9)
		if err != nil {
			log.Fatal(err)
		}
		rows = append(rows, row)
	}
	bench.Fprint(os.Stdout, rows)
}
