package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/bench"
	"github.com/skelgo/skelgo/devices"
)

func main() {
	elements := flag.Int("elements", 1<<20, "length of the vectors; 0 leaves the skeletons out")
	points := flag.Int("kmeans", 0, "number of points for k-means; 0 leaves it out")
	rounds := flag.Int("rounds", 9, "how often everything runs; medians are printed")
	specs := flag.String("d", "cpu,opencl:0", "devices, with commas")
	only := flag.String("only", "", "only this task, such as Scan")
	python := flag.String("python", "/usr/bin/python3", "a Python with scikit-learn; empty leaves it out")
	flag.Parse()
	if err := run(os.Stdout, *elements, *points, max(1, *rounds), strings.Split(*specs, ","), *only, *python); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, elements, points, rounds int, specs []string, only, python string) error {
	var devs []*devices.Device
	for _, spec := range specs {
		d, err := devices.Get(spec)
		if err != nil {
			return err
		}
		devs = append(devs, d...)
	}
	fmt.Fprintf(w, "%d cores, %s; medians of %d rounds.\n", runtime.GOMAXPROCS(0), runtime.Version(), rounds)
	if elements > 0 {
		if err := skeletons(w, devs, elements, rounds, only); err != nil {
			return err
		}
	}
	if points > 0 {
		return kmeans(w, devs, points, rounds, python)
	}
	return nil
}

// skeletons prints the table of Map, Zip, Reduce, Scan and dot.
func skeletons(w io.Writer, devs []*devices.Device, elements, rounds int, only string) error {
	var rows []bench.Row
	for _, d := range devs {
		tasks, free, err := bench.Tasks(d, elements)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			if only != "" && t.Name != only {
				continue
			}
			row, err := bench.Measure(d.ID(), t, rounds)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		free()
		runtime.GC()
	}
	fmt.Fprintf(w, "\n%d float32.\n\n", elements)
	bench.Fprint(w, rows)
	return nil
}

// kmeans prints the time of an iteration of each program.
func kmeans(w io.Writer, devs []*devices.Device, points, rounds int, python string) (err error) {
	p := bench.KDDLike(points)
	all, err := bench.Lloyds(p, devs, python)
	defer func() {
		for _, l := range all {
			err = errors.Join(err, l.Close())
		}
	}()
	if err != nil {
		return err
	}
	times, last := make([][]time.Duration, len(all)), make([]bench.Clustering, len(all))
	for round := range rounds + 1 { // one in advance
		for i, l := range all {
			if last[i], err = l.Run(); err != nil {
				return fmt.Errorf("%s: %w", l.Name, err)
			}
			if round > 0 {
				times[i] = append(times[i], last[i].PerIteration)
			}
		}
	}
	fmt.Fprintf(w, "\nk-means, %d x %d float32, k = %d, %d iterations from the first %d points.\n\n", p.N, p.Dim, p.K, p.MaxIter, p.K)
	fmt.Fprintln(w, "| program | an iteration | iterations | sizes |")
	fmt.Fprintln(w, "|---|--:|--:|---|")
	for i, l := range all {
		fmt.Fprintf(w, "| %s | %.2f ms | %d | %v |\n", l.Name, float64(bench.Median(times[i]))/1e6, last[i].Iterations, last[i].Sizes)
	}
	return nil
}
