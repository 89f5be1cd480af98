package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// selects reports whether the kernel top finds the first k on d.
func (o *ordering[T]) selects(d *devices.Device, k int) bool {
	info := d.Info()
	return o.key != nil && k <= mostTop && info.Kind != driver.CPU && info.Warp == fan && info.LocalMemory >= 48<<10
}

// topChunk returns the number of elements that a lane reads as whole vectors.
func topChunk[T any](x *expr[T]) int { return runChunk(x.node, 4, wholeVector) }

// topReads is the number of elements that a lane reads before it compares them.
const topReads = 16

// topProgram returns the program of the kernel top. If whole is set, every piece begins at a
// multiple of topChunk.
func (o *ordering[T]) topProgram(x *expr[T], whole bool) *program {
	p := newProgram("top", o.fun.label)
	p.defines = fmt.Sprintf("#define LANES %d\n#define ENTRIES %d\n", lanes, topEntries)
	load, once := accessor{name: "load", ctype: o.ctype(), node: x.node}, 4
	if chunk := topChunk(x); whole && chunk > 1 {
		load.chunk, once = chunk, topReads/chunk
		p.defines += "#define WHOLE_CHUNKS\n"
	}
	p.defines += fmt.Sprintf("#define AT_ONCE %d\n", once)
	p.accessors = append(p.accessors, load)
	o.device(p)
	p.grid = driver.Grid{Lanes: lanes}
	return p
}

// topPiece is the least number of elements of a piece, and topGroups the number of pieces for
// each compute unit.
const (
	topPiece  = 1 << 14
	topGroups = 4
)

// topDevice stores the indices of the first k elements of x in mem. A launch selects from the
// pieces of x; others select from the candidates of the launch before, until one piece is
// left.
func (o *ordering[T]) topDevice(d *devices.Device, x *expr[T], k int, mem *devices.Buffer) error {
	piece := max(topPiece, (x.n-1)/(d.Info().Units*topGroups)+1)
	piece = (piece + topPiece - 1) / topPiece * topPiece
	pieces := (x.n-1)/piece + 1
	p := o.topProgram(x, true)
	defer p.release()
	if pieces == 1 {
		p.grid.Groups = 1
		p.args = append(p.args, mem.Arg(), mem.Arg(),
			driver.Value(int64(k)), driver.Value(int64(x.n)), driver.Value(int64(x.n)))
		return p.launch(d, x, mem, o.extra)
	}
	p.defines += "#define KEEP_KEYS\n"
	var keys, at [2]*array.Array
	for i := range keys {
		wide, positions := uninitialized[uint64](pieces*k, array.Single(d)), uninitialized[int](pieces*k,
			array.Single(d))
		defer wide.Free()
		defer positions.Free()
		keys[i], at[i] = arrayOf(wide), arrayOf(positions)
	}
	args := func(a *array.Array) driver.Arg {
		m, err := a.Output()
		if err != nil {
			return driver.Arg{}
		}
		return m.Arg()
	}
	p.grid.Groups = int64(pieces)
	p.args = append(p.args, args(keys[0]), args(at[0]),
		driver.Value(int64(k)), driver.Value(int64(x.n)), driver.Value(int64(piece)))
	if err := firstError(keys[0].Err(), at[0].Err()); err != nil {
		return err
	}
	if err := p.launch(d, x, o.extra); err != nil {
		return err
	}
	for n, from := pieces*k, 0; ; from = 1 - from {
		piece := max(topCandidates, 2*k)
		if n <= 2*piece {
			piece = n
		}
		pieces := (n-1)/piece + 1
		q := newProgram("top", o.fun.label)
		q.defines = fmt.Sprintf("#define CANDIDATES\n#define KEEP_KEYS\n#define KEY_U %s\n#define LANES %d\n"+
			"#define ENTRIES %d\n#define AT_ONCE 4\n", o.key.bitsType(), lanes, topEntries)
		q.grid = driver.Grid{Groups: int64(pieces), Lanes: lanes}
		q.args = append(q.args, args(keys[from]), args(at[from]), args(keys[1-from]))
		if pieces == 1 {
			q.args = append(q.args, mem.Arg())
		} else {
			q.args = append(q.args, args(at[1-from]))
		}
		q.args = append(q.args, driver.Value(int64(k)), driver.Value(int64(n)), driver.Value(int64(piece)))
		err := firstError(keys[1].Err(), at[1].Err())
		if err == nil {
			err = q.launch(d, keys, at, mem)
		}
		q.release()
		if err != nil || pieces == 1 {
			return err
		}
		n = pieces * k
	}
}

// topCandidates is the number of candidates from which a group selects.
const topCandidates = 4096
