package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// The shape of a selection in one pass, measured on an H200 (docs/adr/0023).
const (
	selectLanes  = 256 // lanes of a group
	selectGroups = 5   // groups on a compute unit
	selectBytes  = 128 // of the elements of a lane
	selectMost   = 32  // elements of a lane: the bits of a word
)

// selectHeader is HEADER in kernels/selectpass.cl.
const selectHeader = 32

// selectTile returns how many elements a lane takes, and how many of them at a time; 0 if
// the elements of a tile do not fit into limit bytes of local memory.
func (s *selection[T]) selectTile(limit int64) (items, chunk int) {
	size := driver.SizeOf[T]()
	chunk = mapChunk(s.x.node, size)
	items = max(chunk, min(selectMost, selectBytes/size)/chunk*chunk)
	if int64(selectLanes*items*(size+2)+1024) > min(limit, 56<<10) {
		return 0, 0
	}
	return items, chunk
}

// onePass selects in one pass. It returns false if the device cannot.
func (s *selection[T]) onePass(d *devices.Device, r selected[T], want wanted) (bool, error) {
	info := d.Info()
	if info.Kind == driver.CPU || !info.Progress || info.Warp != fan || info.MaxGroup < selectLanes {
		return false, nil
	}
	items, chunk := s.selectTile(info.LocalMemory)
	if items == 0 {
		return false, nil
	}
	tile := selectLanes * items
	tiles := (s.meta.n + tile - 1) / tile
	state, err := d.Persistent("select", int64(selectHeader+tiles)*8)
	if err != nil {
		return true, err
	}
	p := newProgram("selectpass", s.label)
	defer p.release()
	s.device(p, want)
	for i := range p.accessors {
		if p.accessors[i].fun == nil {
			p.accessors[i].chunk = chunk
		}
	}
	each := "UNROLL"
	if s.fun != nil && costly(s.fun.reg) {
		each = "ROLLED"
	}
	p.defines += fmt.Sprintf("#define LANES %d\n#define GROUPS %d\n#define ITEMS %d\n#define EACH_KEEP %s\n",
		selectLanes, selectGroups, items, each)
	if want.lengths {
		p.defines += "#define LENGTHS\n"
	}
	if p.args, err = s.leftArg(p.args); err != nil {
		return true, err
	}
	var defines string
	if p.args, defines, err = r.resultArgs(p.args); err != nil {
		return true, err
	}
	p.defines += defines
	if p.args, err = r.countArgs(p.args); err != nil {
		return true, err
	}
	var firsts *vector.Vector[int]
	if want.lengths {
		firsts = uninitialized[int](2*max(1, tiles), s.meta.where)
		defer firsts.Free()
		mem, err := arrayOf(firsts).Output()
		if err != nil {
			return true, err
		}
		p.args = append(p.args, mem.Arg())
	}
	p.args = append(p.args, state, driver.Value(state.Buf.Len()/8), driver.Value(int64(s.base)),
		driver.Value(int64(s.meta.n)))
	p.grid = driver.Grid{Groups: int64(max(1, tiles)), Lanes: selectLanes}
	if r.values != nil {
		p.grid.Local = (tile*driver.SizeOf[T]() + 15) &^ 15
	}
	if r.indices != nil {
		p.grid.Local += (2*tile + 15) &^ 15
	}
	if err := p.limit(&s.meta); err != nil {
		return true, err
	}
	if s.meta.count != nil {
		p.grid.Groups = min(p.grid.Groups, int64(info.Units)*selectGroups)
	}
	if err := p.launch(d, s.keep(r)...); err != nil || !want.lengths {
		return true, err
	}
	return true, s.endLengths(d, r, firsts, tile, tiles)
}

// keep returns the owners of the memory of a launch.
func (s *selection[T]) keep(r selected[T]) []any {
	return []any{s.x, s.flags, s.extra, s.meta.count, s.left, r.values, r.indices, r.rest}
}

// endLengths completes the lengths of the runs that are the last ones of their tiles.
func (s *selection[T]) endLengths(
	d *devices.Device, r selected[T], firsts *vector.Vector[int], tile, tiles int,
) error {
	p := newProgram("endlengths", s.label)
	defer p.release()
	p.accessors = append(p.accessors, accessor{name: "firsts", ctype: "i64", node: memoryNode(arrayOf(firsts))})
	lengths, err := arrayOf(r.indices).Memory()
	if err != nil {
		return err
	}
	kept, err := arrayOf(r.indices).Count().Body().Memory()
	if err != nil {
		return err
	}
	p.grid = gridOver(tiles + 1)
	p.args = append(p.args, lengths.Arg(), kept.Arg(), driver.Value(int64(s.base)), driver.Value(int64(s.meta.n)),
		driver.Value(int64(tile)))
	if err := p.limit(&s.meta); err != nil {
		return err
	}
	return p.launch(d, append(s.keep(r), firsts)...)
}
