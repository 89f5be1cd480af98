package main

import (
	"fmt"
	"io"
)

const preamble = `# Lines of code

Written by ` + "`make loc`" + ` from the list in [loc.txt](loc.txt); do not edit.

Each application is counted as written with skelgo and as written by hand on
the raw package [devices/opencl/cl](../devices/opencl/cl), with the error of
every call checked and the usual optimisations. Tests compare the results.

- Files are formatted first (gofmt; clang-format, LLVM style); cloc counts
  lines that are neither blank nor comment.
- The algorithm and its data movement count, with every file that they need:
  no flags, file formats, printing or tests, and no lines marked "// timing", by
  which skelgo compare splits a run into phases.
- The hand-written versions open their devices, build their programs and release
  their objects with raw calls of their own, although these lines are alike: a
  program that is written on OpenCL alone has them.
- Host and kernel code are counted separately. A user function of skelgo is host
  code: it is Go, and runs on the host too.
- Generated code has a column of its own and is in no sum.
- kmeans: skelgo-plain is Lloyd's algorithm from given centres in float32, as the
  raw versions are. skelgo is what the command runs, with four methods of choosing
  the first centres, several starts, weights, three policies for empty clusters,
  float32 and float64, and checks of the input.
- nw: skelgo-plain keeps the whole matrix of one pair with linear gap costs, as raw
  does. skelgo is what the command runs: many pairs on several devices, global,
  semi-global and local, affine gap costs, paths in linear memory, and counts of
  equally good alignments.
`

// sum has the lines of one version.
type sum struct {
	app, version            string
	host, kernel, generated int
}

func (s sum) total() int { return s.host + s.kernel }

// sums groups entries by application and version, in the order of the list.
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

// write prints one table of all applications. The first version of an application
// is what the others are compared with.
func write(w io.Writer, entries []entry) {
	fmt.Fprint(w, preamble)
	fmt.Fprint(w, "\n| application | version | host | kernel | both | times the first | generated |\n")
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
