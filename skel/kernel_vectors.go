package skel

import (
	"fmt"
	"strings"
)

// The accessors in this file read several elements at a time, as vectors of up to 16
// bytes. A GPU reaches the speed of its memory only with such loads.

// wholeVector is the size of the longest load in bytes.
const wholeVector = 16

// vectorOf returns the size of the longest vector that divides n bytes.
func vectorOf(n int) int {
	return min(n&-n, wholeVector)
}

// inputs calls f for every memory node that n reads element by element.
func (n *node) inputs(f func(m *node)) {
	if n.kind == memory {
		f(n)
	}
	for _, a := range n.args {
		a.inputs(f)
	}
}

// widest returns the size of the largest element that the node reads, or 0 if it reads
// none.
func (n *node) widest() (size int) {
	n.inputs(func(m *node) { size = max(size, m.size) })
	return size
}

// heavy reports whether the functions of a node should not be repeated by unrolling,
// because they are costly or read memory through views.
func (n *node) heavy() bool {
	if n.kind == gathers {
		return n.args[0].heavy()
	}
	if n.kind != computed || n.share() > 0 {
		return false
	}
	if n.extra != nil && len(n.extra.heads) > 0 {
		return true
	}
	if costly(n.fun.reg) {
		return true
	}
	for _, a := range n.args {
		if a.heavy() {
			return true
		}
	}
	return false
}

// unroll returns the pragma for loops over elements of the node.
func (n *node) unroll() string {
	if n.heavy() {
		return "ROLLED"
	}
	return "UNROLL"
}

// runChunk returns how many elements of a run are read at a time: at most the given number
// of bytes, for which there are registers.
func runChunk(n *node, run, most int) int {
	if n.heavy() {
		return 1
	}
	chunk := run
	for chunk > 1 && chunk*n.reads() > most {
		chunk /= 2
	}
	return chunk
}

// reads returns how many bytes the node reads for an element.
func (n *node) reads() (size int) {
	n.inputs(func(m *node) { size += m.size })
	return size
}

// mapChunk returns how many elements a map reads and writes at a time. A function that
// reads element by element should read complete vectors; any other function should have
// as many work-items as possible.
func mapChunk(n *node, size int) (chunk int) {
	least, most := size, size
	n.inputs(func(m *node) { least, most = min(least, m.size), max(most, m.size) })
	if n.twice() {
		return 2
	}
	share := n.share()
	if share == 0 && (n.widest() == 0 || n.heavy()) {
		return 1
	}
	if n.widest() == 0 { // no more than one call for a work-item
		return max(share, min(4, wholeVector/size))
	}
	chunk = 1
	for chunk < wholeVector && (chunk*least)%wholeVector != 0 && 2*chunk*most <= 4*wholeVector {
		chunk *= 2
	}
	return max(chunk, share)
}

// share returns how many neighbouring elements of the node share a call of a function, such
// as a block of random numbers, or 0 if none do; see pass.Share.
func (n *node) share() (share int) {
	for _, a := range n.args {
		if a.kind == indices && n.fun != nil { // a Gather has no function
			share = n.fun.reg.Share
		}
		share = max(share, a.share())
	}
	return share
}

// vectorType returns the C type of vectors of the given size.
func vectorType(size int) string { return fmt.Sprintf("skel_v%d", size) }

// block declares the vectors that hold count elements of a memory node, and returns the C
// expression of element k, where k is the loop variable. source returns the C expression
// of vector number j, for a vector type.
func (t *text) block(ctype string, size, count int, source func(vector string) string) string {
	t.blocks++
	b := fmt.Sprintf("b%d", t.blocks)
	w := vectorOf(size * count)
	vectors, reads, in := &t.setup, &t.setup, ""
	if t.raw != nil {
		vectors, reads, in = &t.raw.vectors, &t.raw.reads, "in->"
	}
	fmt.Fprintf(vectors, "\tunion {\n\t\t%s e[%d];\n\t\t%s v[%d];\n\t} %s;\n",
		ctype, count, vectorType(w), size*count/w, b)
	fmt.Fprintf(reads, "\tUNROLL\n\tfor (int j = 0; j < %d; j++)\n\t\t%s%s.v[j] = %s;\n",
		size*count/w, in, b, source(vectorType(w)))
	return in + b + ".e[k]"
}

// chunkFunction returns a C function that stores elements i to i+count-1 in r. memory returns the C
// expression of an element of a memory node.
func (t *text) chunkFunction(
	a *accessor, params, name string, count int, memory func(n *node, ctype, p string) string,
) string {
	t.setup.Reset()
	t.inner = &strings.Builder{}
	t.memory, t.index = memory, "(i + k)"
	if a.aligned && a.node.share() > 0 {
		t.index = alignedIndex
	}
	defer func() { t.inner, t.memory, t.index = nil, nil, "i" }()
	if count == 2 && a.node.twice() && !a.placed {
		return fmt.Sprintf("FUNC void %s(CTX_P SRC_P %si64 i, %s *r) {\n%s}\n",
			name, params, a.ctype, t.pair(a.node))
	}
	value := t.expr(a.node, a.ctype)
	unroll := a.node.unroll() + "\n\t"
	switch {
	case count == 1:
		unroll = ""
	case a.placed && count <= 4 && a.node.kind == computed && !costly(a.node.fun.reg):
		// The elements share what is computed for their row.
		unroll = "UNROLL\n\t"
	}
	return fmt.Sprintf("FUNC void %s(CTX_P SRC_P %s%s, %s *to) {\n"+
		"%s\t%sfor (int k = 0; k < %d; k++) {\n%s\t\tto[k] = %s;\n\t}\n}\n",
		name, params, a.params(), a.ctype, t.setup.String(), unroll, count, t.inner.String(), value)
}

// alignedIndex is the C expression of element k of a chunk that begins at a multiple of its
// length, a power of two. From this form, compilers conclude that shifting the indices of
// neighbours right gives equal numbers, and make a call that they share once; they do not
// conclude it from i + k.
const alignedIndex = "(i | k)"

// twice reports whether the function of the node has a form for two elements at once.
func (n *node) twice() bool { return n.kind == computed && n.fun.reg.Twice != nil }

// pair returns the C statements that compute elements i and i+1 of a node together and
// store them in r.
func (t *text) pair(n *node) string {
	reg := n.fun.reg
	t.declare(reg, n.extra)
	t.write(reg, n.extra, reg.Twice)
	var each, first, other strings.Builder
	for k, a := range n.args {
		value := t.expr(a, reg.Params[k])
		fmt.Fprintf(&t.setup, "\t%s e%d[2];\n", reg.Params[k], k)
		fmt.Fprintf(&each, "\t\te%d[k] = %s;\n", k, value)
		fmt.Fprintf(&first, "e%d[0], ", k)
		fmt.Fprintf(&other, "e%d[1], ", k)
	}
	x := t.extra(n.fun, n.extra, "")
	return fmt.Sprintf("%s\tUNROLL\n\tfor (int k = 0; k < 2; k++) {\n%s%s\t}\n",
		t.setup.String(), t.inner.String(), each.String()) +
		fmt.Sprintf("\t%s both = %s(CTX_A %s%s%s);\n\tr[0] = both.r0;\n\tr[1] = both.r1;\n",
			reg.Twice[0].Ident, reg.Twice[len(reg.Twice)-1].Ident, first.String(), other.String(), x)
}

// runSpan returns how many adjacent runs a lane reads together. Short runs
// are read together up to 64 bytes, but at most 8 of them, so that a tile still has work
// for all lanes of a warp.
func runSpan(n *node, run int) int {
	if run == 1 || n.heavy() || n.share() > 0 {
		return 1
	}
	span := 1
	for span < 8 && 2*span*run*max(n.reads(), 1) <= 64 {
		span *= 2
	}
	return span
}

// raw holds the C text that declares the vectors of the inputs of a chunk, and the C text
// that reads them.
type raw struct{ vectors, reads strings.Builder }

// chunkText returns the C functions for elements i to i+chunk-1, where i is a multiple of
// chunk. load_chunk stores the elements. It consists of load_raw, which reads their
// inputs, and load_of_raw, which computes them. A kernel that calls these two can start
// the reads long before it needs the elements.
func (t *text) chunkText(a *accessor) string {
	t.raw = &raw{}
	input := func(n *node, ctype, p string) string {
		return t.block(ctype, n.size, a.chunk, func(v string) string {
			return fmt.Sprintf("((GLOBAL const %s *)(%s + i))[j]", v, p)
		})
	}
	values := t.chunkFunction(a, fmt.Sprintf("const %s_vectors *in, ", a.name), a.name+"_of_raw", a.chunk, input)
	vectors, reads := t.raw.vectors.String(), t.raw.reads.String()
	t.raw = nil
	if vectors == "" {
		vectors = "\tu8 none;\n"
	}
	chunk := "CHUNK" // most kernels have only one
	if a.name != "load" {
		chunk = strings.ToUpper(a.name) + "_CHUNK"
	}
	text := fmt.Sprintf("#define %s %d\ntypedef struct {\n%s} NAME_vectors;\n", chunk, a.chunk, vectors) +
		fmt.Sprintf("FUNC void NAME_raw(SRC_P i64 i, NAME_vectors *in) {\n%s}\n%s", reads, values) +
		fmt.Sprintf("FUNC void NAME_chunk(CTX_P SRC_P %s, %s *to) {\n\tNAME_vectors in;\n", a.params(), a.ctype) +
		"\tNAME_raw(SRC_A i, &in);\n\tNAME_of_raw(CTX_A SRC_A &in, " +
		strings.ReplaceAll(a.params(), "i64 ", "") + ", to);\n}\n"
	if a.span > 0 {
		text += fmt.Sprintf("#define SPAN %d\n#define READS %d\n", a.span, a.node.reads())
	}
	return strings.ReplaceAll(text, "NAME", a.name)
}

// slotLayout says where the inputs of a tile are in local memory.
type slotLayout struct {
	run     int // elements of a run
	bytes   int // of all inputs
	inPlace bool
}

// layout returns the slots for a node with results of the given size.
func (n *node) layout(run, size int) *slotLayout {
	l := &slotLayout{run: run, inPlace: n.kind == memory}
	n.inputs(func(m *node) { l.bytes += m.size * run * runs })
	l.bytes = max(l.bytes, size*run*runs)
	return l
}

// stageText returns the C functions stage, which starts to copy the inputs of a complete
// tile to local memory, and staged_run, which reads a run from there.
func (t *text) stageText(a *accessor) string {
	var copies strings.Builder
	off, run := 0, a.slots.run
	input := func(n *node, ctype, p string) string {
		at, q := off, 1
		off += n.size * run * runs
		w := vectorOf(n.size * run)
		if w == wholeVector {
			q = n.size * run / w
		}
		fmt.Fprintf(&copies, "\tstage_vectors(slot + %d, (GLOBAL const u8 *)(%s + i), %d, %d, lane);\n",
			at, p, n.size*run*runs/wholeVector, q)
		return t.block(ctype, n.size, run, func(v string) string {
			return fmt.Sprintf("*((LOCAL_PTR const %s *)(slot + %d) + SWIZZLE(lane * %d + j, %d))",
				v, at, n.size*run/w, q)
		})
	}
	staged := t.chunkFunction(a, "LOCAL_PTR const u8 *slot, ", "staged_run", run, input)
	staged = strings.Replace(staged, "i64 i,", "i64 i, int lane,", 1)
	return fmt.Sprintf("FUNC void stage(SRC_P LOCAL_PTR u8 *slot, i64 i, int lane) {\n%s}\n", copies.String()) + staged
}
