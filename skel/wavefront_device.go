package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// launches computes the tables on a device, with one launch for each diagonal of tiles.
func (x *wave[C]) launches(d *devices.Device, t waveTile, l *layout, mem [4]*devices.Buffer) error {
	about, tiles, free, err := x.upload(l)
	if err != nil {
		return err
	}
	defer free()
	defines := x.defines(mem[3] != nil) + fmt.Sprintf("#define TILE_ROWS %d\n#define TILE_COLS %d\n", t.rows, t.cols)
	lanes := 1
	if t.each > 0 {
		lanes = t.rows / t.each
		defines += fmt.Sprintf("#define EACH %d\n", t.each)
	}
	for k := range l.begin[1:] {
		p := x.program("wavefront", defines)
		p.grid = driver.Grid{Groups: int64(l.begin[k+1] - l.begin[k]), Lanes: lanes}
		p.args = append(p.args, about.Arg(), tiles.Arg(), driver.Value(int64(l.begin[k])))
		err := x.launch(p, d, mem[:], about, tiles)
		p.release()
		if err == nil {
			err = x.launched(d, t, l, k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// upload copies the descriptions of tables and tiles to the device.
func (x *wave[C]) upload(l *layout) (about, list *devices.Buffer, free func(), err error) {
	var tables *vector.Vector[int64]
	var tiles *vector.Vector[int32]
	unrecorded(func() { tables, tiles = uploaded(l.tables, x.where), uploaded(l.tiles, x.where) })
	if r := array.Recording(); r != nil {
		r.Keep(tables, tiles)
	}
	free = func() {
		if array.Recording() == nil {
			tables.Free()
			tiles.Free()
		}
	}
	if about, err = arrayOf(tables).Memory(); err == nil {
		list, err = arrayOf(tiles).Memory()
	}
	return about, list, free, err
}

// defines returns the C definitions of a kernel; if all, the kernel stores all elements.
func (x *wave[C]) defines(all bool) string {
	text := fmt.Sprintf("#define T %s\n", x.cell.reg.Result)
	if x.row != nil {
		text += fmt.Sprintf("#define OF\n#define ROW_T %s\n#define COL_T %s\n", x.row.reg.Result, x.col.reg.Result)
	} else {
		text += "#define ROW_T i64\n#define COL_T i64\n"
	}
	if x.onto != nil {
		text += "#define ONTO\n"
	}
	if all {
		text += fmt.Sprintf("#define ALL\n#define OUT %s\n", x.cell.reg.Result)
	}
	return text
}

// program returns the program of a kernel that calls the user functions.
func (x *wave[C]) program(kernel, defines string) *program {
	p := newProgram(kernel, x.cell.label)
	p.defines = defines
	for i, f := range x.functions() {
		p.accessors = append(p.accessors, accessor{name: f.name, fun: f.function, extra: x.bound[i]})
	}
	return p
}

// launch launches p with the memory of the results as arguments; it skips nil.
func (x *wave[C]) launch(p *program, d *devices.Device, mem []*devices.Buffer, keep ...any) error {
	for _, m := range mem {
		if m != nil {
			p.args = append(p.args, m.Arg())
		}
	}
	return p.launch(d, append(keep, x, mem)...)
}
