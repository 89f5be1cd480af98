package main

import (
	"fmt"
	"io"
)

const preamble = `# Lines of code

Written by ` + "`make loc`" + ` from the list in [loc.txt](loc.txt); do not edit.

This table compares each application, written with skelgo, with hand-written versions that
call the raw package [devices/opencl/cl](../devices/opencl/cl). The hand-written versions
check the error of every call and have the usual optimizations. Tests compare the results.

- Files are formatted first (gofmt; clang-format with LLVM style). Then cloc counts the
  lines that are neither blank nor comments.
- A version is counted with every file that its algorithm and its data transfers need. Flags,
  file formats, output and tests do not count, and neither do lines marked "// timing", with
  which skelgo compare divides a run into phases.
- The hand-written versions open devices, build programs and release objects with raw calls
  of their own. These lines are similar in all versions, but they count, because every
  program that uses OpenCL directly has them.
- Host and kernel code are counted separately. A user function of skelgo counts as host code,
  because it is Go and also runs on the host.
- Generated code has a column of its own and is not part of any sum.
- kmeans: skelgo-plain is Lloyd's algorithm in float32 from given centres, as are the raw
  versions. skelgo is what the command runs: four methods to choose the first centres, several
  starts, weights, three policies for empty clusters, float32 and float64, and checks of the
  input.
- nw: skelgo-plain keeps the whole matrix of one pair, with linear gap costs, as does raw.
  skelgo is what the command runs: many pairs on several devices; global, semi-global and
  local alignments; affine gap costs; paths in linear memory; and counts of equally good
  alignments.
- tmixture: skelgo-plain fits a given number of components with full covariances and one number
  of degrees of freedom, from given labels, as does raw-thesis. skelgo is what the command runs: it
  also finds the number of components, has four forms of covariances and three of degrees of
  freedom, several starts, and extrapolation.
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
