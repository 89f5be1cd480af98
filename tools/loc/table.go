package main

import (
	"fmt"
	"io"
)

const preamble = `# Lines of code

Written by ` + "`make loc`" + ` from the list in [loc.txt](loc.txt); do not edit.

Each application is here as written with skelgo and as its twins, written by
hand on the raw package [devices/opencl/cl](../devices/opencl/cl): error
checked at every call, nothing clever left out, results equal by test.

- Files are formatted first (gofmt; clang-format, LLVM style); cloc counts
  lines that are neither blank nor comment.
- Only the algorithm and its data movement count: no flags, file formats,
  printing or tests, and no lines marked "// timing", by which skelgo compare
  splits a run into phases.
- Host and kernel code are counted apart. A user function of skelgo is host
  code: it is Go, and runs there too.
- Generated code has a column of its own and is in no sum.
`

// sum adds up the lines of one twin.
type sum struct {
	app, twin               string
	host, kernel, generated int
}

func (s sum) total() int { return s.host + s.kernel }

// sums groups entries by app and twin, in the order of the list.
func sums(entries []entry) []sum {
	var all []sum
	for _, e := range entries {
		i := 0
		for i < len(all) && (all[i].app != e.app || all[i].twin != e.twin) {
			i++
		}
		if i == len(all) {
			all = append(all, sum{app: e.app, twin: e.twin})
		}
		switch e.kind {
		case host:
			all[i].host += e.lines
		case kernel:
			all[i].kernel += e.lines
		case generated:
			all[i].generated += e.lines
		}
	}
	return all
}

// write prints one table over all applications. The first twin of an
// application is what the others are compared with.
func write(w io.Writer, entries []entry) {
	fmt.Fprint(w, preamble)
	fmt.Fprint(w, "\n| application | twin | host | kernel | both | times the first | generated |\n")
	fmt.Fprint(w, "|---|---|--:|--:|--:|--:|--:|\n")
	first := map[string]int{}
	for _, s := range sums(entries) {
		if _, ok := first[s.app]; !ok {
			first[s.app] = s.total()
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %.1f | %d |\n", s.app, s.twin, s.host, s.kernel, s.total(),
			float64(s.total())/float64(first[s.app]), s.generated)
	}
}
