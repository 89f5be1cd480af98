package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Scatter sets to[at[i]] = values[i] for every i, at once. Elements of to that no index names
// keep their values. If several indices are equal, the last one wins, as in a loop over i:
// the result is the same on every device. This costs a pass over the indices that marks the
// winners, and 4 bytes for each element of to; if the indices are distinct, use [Permute].
//
// The call runs where to is. If to is spread over several devices, each device receives all
// indices and values, and writes the elements that it holds. Replicas all receive the same
// elements.
//
// Nothing is written for an index out of range. On the CPU, and on other devices in checked
// mode (SKEL_CHECK=1), it is an error. Scatter also returns an error if to is one of its
// inputs. It panics if the numbers of indices and values differ.
func Scatter[T any](to *vector.Vector[T], at vector.Source[int], values vector.Source[T]) error {
	return scatter("Scatter", arrayOf(to), at, values, false)
}

// Permute is [Scatter] for indices that are all different. It is a single pass that needs no
// additional memory. If indices are equal, one of their values is written, and it is not
// specified which one; checked mode reports two equal indices.
func Permute[T any](to *vector.Vector[T], at vector.Source[int], values vector.Source[T]) error {
	return scatter("Permute", arrayOf(to), at, values, true)
}

// scattering is a Scatter or a Permute into an array on one device.
type scattering[T any] struct {
	label    string
	distinct bool
	index    *expr[int]
	values   *expr[T]

	to    *array.Array // holds elements first, first+1, ... of a container with all elements
	first int
	all   int
}

// mostMarked is the number of positions that a pass marks. A mark has 32 bits, so a Scatter
// of more elements has several passes.
const mostMarked = 1 << 31

func scatter[T any](label string, to *array.Array, at vector.Source[int], values vector.Source[T],
	distinct bool) error {
	to.SettleReaders()
	index, x := openBoth(at, values)
	index, x = index.known(), x.known()
	if index.n != x.n {
		panic(fmt.Sprintf("skel: %s: %d indices and %d values", label, index.n, x.n))
	}
	index.settleProduced()
	x.settleProduced()
	if err := firstError(to.Err(), index.err, x.err); err != nil {
		return err
	}
	if slices.Contains(index.inputs, to) || slices.Contains(x.inputs, to) {
		return fmt.Errorf("skel: %s: the output is also an input: write to another container", label)
	}
	s := &scattering[T]{label: label, distinct: distinct, index: index, values: x, to: to, all: to.Len()}
	p := to.Place()
	if p == nil {
		return s.on(to, 0)
	}
	s.index, s.values = computedOnce(index), computedOnce(x) // not computed anew for every device
	return each(p, func(k int) error {
		part, err := to.Part(k)
		if err != nil {
			return err
		}
		lo, _ := p.Bounds(k)
		return s.on(part, lo)
	})
}

// computedOnce returns the expression, computed if it is pending.
func computedOnce[T any](x *expr[T]) *expr[T] {
	if x.kind == memory || x.kind == indices {
		return x
	}
	v := pendingVector(x)
	_, _ = arrayOf(v).Memory() // v keeps the error, if any
	return openVector(v)
}

// on runs the call for part of the output, which begins with element first.
func (s *scattering[T]) on(part *array.Array, first int) error {
	one := *s
	one.to, one.first = part, first
	d := part.Device()
	p := array.PlaceOn(d, s.index.n)
	one.index, one.values = s.index.at(p), s.values.at(p)
	if err := firstError(one.index.err, one.values.err); err != nil {
		return err
	}
	mem, err := part.Overwrite()
	if err != nil {
		return err
	}
	switch {
	case one.index.n == 0:
		return nil
	case d.Native():
		err = one.native(d)
	case one.distinct && !d.Checked():
		err = one.permute(d, mem, nil, 0, one.index.n)
	default:
		err = one.marked(d, mem)
	}
	return part.Fail(err)
}

// native runs the call on the CPU. Each group writes a range of the output and reads all
// indices, so that the last of equal indices wins without atomic operations.
func (s *scattering[T]) native(d *devices.Device) error {
	s.values = computedOnce(s.values)
	if s.values.err != nil {
		return s.values.err
	}
	to, checked := array.Elements[T](s.to), s.distinct && d.Checked()
	p := newProgram("permute", s.label)
	defer p.release()
	if p.groups = min(nativeGroups(d, s.index.n, 1), int64(d.Info().Units), mostScatterGroups); checked {
		p.groups = 1
	}
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(len(to)))
		var seen map[int]int
		if checked {
			seen = map[int]int{}
		}
		withScratch(func(c *scratch) {
			inChunks(c, computed, s.index.n, func(from, end int) {
				values := s.values.chunk(c, from, end)
				for i, k := range s.index.chunk(c, from, end) {
					if uint(k) >= uint(s.all) {
						panic(badElement(k, from+i, s.all))
					}
					if j := k - s.first; j >= int(lo) && j < int(hi) {
						to[j] = values[i]
					}
					if checked {
						if other, is := seen[k]; is {
							panic(equalElements(k, other, from+i))
						}
						seen[k] = from + i
					}
				}
			})
		})
	}
	return p.launch(d, s.index, s.values, s.to)
}

// mostScatterGroups limits how many cores of the CPU read all indices.
const mostScatterGroups = 8

// equalElements returns the text of a panic that package devices turns into a CheckError.
func equalElements(index, position, other int) string {
	return fmt.Sprintf("index %d at positions %d and %d, but indices must be distinct", index, position, other)
}

// marked runs the call on a device in passes that mark, for each element of the output, the
// last position that names it.
func (s *scattering[T]) marked(d *devices.Device, mem *devices.Buffer) error {
	marks := uninitialized[uint32](s.to.Len(), array.Single(d))
	defer marks.Free()
	marked, err := arrayOf(marks).Output()
	if err != nil || s.to.Len() == 0 {
		return err
	}
	for lo := 0; lo < s.index.n; lo += mostMarked {
		n := min(s.index.n-lo, mostMarked)
		if dense := n >= s.to.Len()/sparseShare; dense || s.distinct {
			if err := marked.Clear(0, marked.Len()); err != nil {
				return err
			}
			if err := firstError(s.mark(d, marked, "", lo, n), s.collect(d, mem, marked, lo)); err != nil {
				return err
			}
			continue
		}
		if err := firstError(
			s.mark(d, marked, "#define CLEAR\n", lo, n),
			s.mark(d, marked, "", lo, n),
			s.permute(d, mem, marked, lo, n)); err != nil {
			return err
		}
	}
	return nil
}

// sparseShare is the part of the output, as 1/sparseShare, below which a Scatter does not go
// through all of the output.
const sparseShare = 8

// scatterEach is the number of elements that a lane of a GPU moves at once.
const scatterEach = 4

// program returns the program of one of the kernels over n positions or elements.
func (s *scattering[T]) program(d *devices.Device, kernel, defines string, n int) (p *program, chunk int) {
	p = newProgram(kernel, s.label)
	ctype, typed := s.values.node.typed(driver.SizeOf[T]())
	p.accessors = append(p.accessors,
		accessor{name: "load", ctype: ctype, node: s.values.node}, accessor{name: "at", ctype: "i64",
			node: s.index.node})
	p.defines = typed + defines
	p.grid, chunk = elementGrid(d, n)
	if d.Kind() != driver.CPU {
		p.defines += fmt.Sprintf("#define EACH %d\n", scatterEach)
		p.grid.Groups = int64((n-1)/(lanes*scatterEach) + 1)
	}
	p.files = append(p.files, "target")
	return p, chunk
}

// bounds returns the arguments that say which positions a kernel reads, and which elements of
// the output it writes.
func (s *scattering[T]) bounds(lo, n, chunk int) []driver.Arg {
	return []driver.Arg{
		driver.Value(int64(lo)), driver.Value(int64(n)), driver.Value(int64(chunk)),
		driver.Value(int64(s.first)), driver.Value(int64(s.to.Len())), driver.Value(int64(s.all)),
	}
}

// permute writes the values of the positions from lo on; if marks is not nil, only those of
// the marked positions.
func (s *scattering[T]) permute(d *devices.Device, mem, marks *devices.Buffer, lo, n int) error {
	defines := ""
	if marks != nil {
		defines = "#define MARKED\n"
	}
	p, chunk := s.program(d, "permute", defines, n)
	defer p.release()
	p.args = append(append(p.args, mem.Arg()), s.bounds(lo, n, chunk)...)
	if marks != nil {
		p.args = append(p.args, marks.Arg())
	}
	return p.launch(d, s.index, s.values, s.to)
}

// mark marks the positions from lo on. In a Permute it reports two that are equal.
func (s *scattering[T]) mark(d *devices.Device, marks *devices.Buffer, defines string, lo, n int) error {
	if s.distinct {
		defines = "#define DISTINCT\n"
	}
	p, chunk := s.program(d, "mark", defines, n)
	defer p.release()
	p.args = append(append(p.args, marks.Arg()), s.bounds(lo, n, chunk)...)
	return p.launch(d, s.index, s.values, s.to)
}

// collect sets each marked element of the output to the value of its position.
func (s *scattering[T]) collect(d *devices.Device, mem, marks *devices.Buffer, lo int) error {
	n := s.to.Len()
	p, chunk := s.program(d, "collect", "", n)
	defer p.release()
	p.args = append(p.args, mem.Arg(), driver.Value(int64(lo)), driver.Value(int64(n)),
		driver.Value(int64(chunk)), marks.Arg())
	return p.launch(d, s.index, s.values, s.to)
}
