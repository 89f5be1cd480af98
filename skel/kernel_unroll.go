package skel

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/internal/array"
)

// maxUnrolled bounds the copies of the innermost statements of a nest of loops. If there
// would be more, the outer loops are not unrolled: for instance, a loop over 16 centers
// with 32 coordinates, completely unrolled, needs more registers than there are.
const maxUnrolled = 255

// loopHead matches the head of a loop in C. If the loop counts up from 0, the groups are
// its variable, as declared and as compared, its bound, and its step unless that is 1.
var loopHead = regexp.MustCompile(`\b(?:for \(i64 (\w+) = 0; (\w+) < ([\w.\[\]]+); ` +
	`(?:\w+\+\+|\w+ = \(i64\)\(\(u64\)\w+ \+ (\d+)\))\) \{|for \(|while \()`)

// unroll returns the C function c, in which the short loops are marked to be unrolled. A
// loop is short only if the loops inside are. constants maps expressions to their values.
func unroll(c string, constants map[string]int) string {
	heads := loopHead.FindAllStringSubmatchIndex(c, -1)
	var inside []nest // nests that no outer loop has claimed yet, the first one last
	marked := make([]bool, len(heads))
	for i := len(heads) - 1; i >= 0; i-- {
		h := heads[i]
		n := nest{end: endOfLoop(c, h[0])}
		body := 0
		for len(inside) > 0 && h[0] < n.end && inside[len(inside)-1].begin < n.end {
			body += inside[len(inside)-1].weight
			inside = inside[:len(inside)-1]
		}
		n.begin = h[0]
		n.weight = min(trips(c, h, constants)*max(body, 1), maxUnrolled+1)
		marked[i] = n.weight <= maxUnrolled
		inside = append(inside, n)
	}
	var b strings.Builder
	at := 0
	for i, h := range heads {
		b.WriteString(c[at:h[0]])
		if marked[i] && !strings.HasSuffix(c[:h[0]], "OVER_RUN ") { // OVER_RUN unrolls the loop
			b.WriteString("UNROLL ")
		}
		at = h[0]
	}
	return b.String() + c[at:]
}

// nest is a loop with all loops inside it.
type nest struct {
	begin, end int
	weight     int // executions of the innermost statements, at most maxUnrolled+1
}

// endOfLoop returns the index of the brace that closes the loop at c[at:].
func endOfLoop(c string, at int) int {
	depth := 0
	for i := at + strings.Index(c[at:], ") {") + 2; i < len(c); i++ {
		switch c[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(c)
}

// trips returns the number of iterations of a loop, or maxUnrolled+1 if the number is
// larger or unknown.
func trips(c string, h []int, constants map[string]int) int {
	group := func(k int) string {
		if h[2*k] < 0 {
			return ""
		}
		return c[h[2*k]:h[2*k+1]]
	}
	bound, err := strconv.Atoi(group(3))
	if err != nil {
		known := false
		if bound, known = constants[group(3)]; !known {
			return maxUnrolled + 1
		}
	}
	step, err := strconv.Atoi(group(4))
	if err != nil {
		step = 1
	}
	if group(1) != group(2) || step == 0 || bound > maxUnrolled*step {
		return maxUnrolled + 1
	}
	return (bound + step - 1) / step
}

// lastParam matches the name of the last parameter of a function.
var lastParam = regexp.MustCompile(`(\w+)\) \{`)

// constants returns the values of the expressions in the C text of f that are constant
// extents of its extra argument.
func (x *bound) constants(f *registry.Func) map[string]int {
	known := map[string]int{}
	for _, d := range f.Decls {
		if d.Ident != f.Ident {
			continue
		}
		m := lastParam.FindStringSubmatch(d.C)
		if m == nil {
			continue
		}
		view := 0
		for i, l := range f.Extra {
			kind := x.plan.leaves[i].kind
			if kind == array.NoView {
				continue
			}
			for j, name := range extentNames(kind) {
				if v, is := x.shape.constant(2*view + j); is {
					known[m[1]+l.Path+"."+name] = v
				}
			}
			view++
		}
	}
	return known
}
