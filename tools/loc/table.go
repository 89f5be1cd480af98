package main

import (
	"fmt"
	"io"
)

const preamble = `# Lines of code

Written by ` + "`make loc`" + ` from the list in [loc.txt](loc.txt); do not edit.

Each application is written with skelgo and, for comparison, by hand in OpenCL on
the raw package [devices/opencl/cl](../devices/opencl/cl): with every error
checked and the same optimizations. Tests compare the results.

- Files are formatted first (gofmt; clang-format, LLVM style); cloc counts
  lines that are neither blank nor comments.
- Only the algorithm and its data movement count: no flags, file formats,
  printing or tests, and no lines marked "// timing", with which skelgo compare
  splits a run into phases.
- Host and kernel code are counted separately. A user function of skelgo is host
  code: it is Go, and also runs on the host.
- Generated code has its own column, which no sum includes.
`

// sum holds the lines of one version.
type sum struct {
	app, version            string
	host, kernel, generated int
}

func (s sum) total() int { return s.host + s.kernel }

// sums groups entries by app and version, in the order of the list.
func sums(entries []entry) []sum {
	var all []sum
	for _, e := range entries {
		i := 0
		for i < len(all) && (all[i].app != e.app || all[i].version != e.version) {
			i++
		}
		if i == len(all) {
			all = append(all, sum{app: e.app, version: e.version})
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

// write writes one table of all applications. The first version of an
// application is the one to which the others are compared.
func write(w io.Writer, entries []entry) {
	fmt.Fprint(w, preamble)
	fmt.Fprint(w, "\n| application | version | host | kernel | both | relative to the first | generated |\n")
	fmt.Fprint(w, "|---|---|--:|--:|--:|--:|--:|\n")
	first := map[string]int{}
	for _, s := range sums(entries) {
		if _, ok := first[s.app]; !ok {
			first[s.app] = s.total()
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %.1f | %d |\n", s.app, s.version, s.host, s.kernel, s.total(),
			float64(s.total())/float64(first[s.app]), s.generated)
	}
}
