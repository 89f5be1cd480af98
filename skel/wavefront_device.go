package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// launches are those of all diagonals.
func (x *wave[C, E]) launches(d *devices.Device, t waveTile, l *layout, mem [4]*devices.Buffer) error {
	var tables *vector.Vector[int64]
	var tiles *vector.Vector[int32]
	unrecorded(func() { tables, tiles = vector.From(l.tables, x.where), vector.From(l.tiles, x.where) })
	defer func() {
		if devices.Current() == nil {
			tables.Free()
			tiles.Free()
		}
	}()
	about, err := tables.Body().Memory()
	if err != nil {
		return err
	}
	list, err := tiles.Body().Memory()
	if err != nil {
		return err
	}
	defines := fmt.Sprintf("#define T %s\n#define TILE_ROWS %d\n", x.cell.reg.Result, t.rows)
	lanes := 1
	if t.each > 0 {
		lanes = t.rows / t.each
		defines += fmt.Sprintf("#define EACH %d\n", t.each)
	}
	if x.row != nil {
		defines += fmt.Sprintf("#define OF\n#define ROW_T %s\n#define COL_T %s\n#define TILE_COLS %d\n", x.row.reg.Result, x.col.reg.Result, t.cols)
	} else {
		defines += "#define ROW_T i64\n#define COL_T i64\n"
	}
	if mem[3] != nil {
		defines += fmt.Sprintf("#define ALL\n#define OUT %s\n", x.cell.reg.Result)
	}
	for k := range l.begin[1:] {
		p := newProgram("wavefront", x.cell.label)
		p.defines = defines
		for i, f := range x.functions() {
			p.accessors = append(p.accessors, accessor{name: [...]string{"cell", "edge", "row_of", "col_of"}[i], fun: f, extra: x.bound[i]})
		}
		p.grid = driver.Grid{Groups: int64(l.begin[k+1] - l.begin[k]), Lanes: lanes}
		p.args = append(p.args, about.Arg(), list.Arg(), driver.Value(int64(l.begin[k])), mem[0].Arg(), mem[1].Arg(), mem[2].Arg())
		if mem[3] != nil {
			p.args = append(p.args, mem[3].Arg())
		}
		err := p.launch(d, x, mem, tables, tiles)
		p.release()
		if err != nil {
			return err
		}
	}
	return nil
}
