package skel

import (
	"fmt"
	"reflect"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// GPUs on which waiting groups do not block other groups compute a table in strips of rows, one for
// each warp (kernels/strips.cl).

// inStrips reports whether a device computes tables in strips.
func inStrips(d *devices.Device) bool {
	info := d.Info()
	return info.Kind == driver.GPU && info.Progress && info.Warp == fan
}

// The cost of a step of a warp in cycles, measured on an H200 with a cell that looks up a
// score. A warp that is alone on its unit waits for every instruction. A warp that shares
// the unit only costs its share of the instructions.
const (
	stripLag       = 90  // steps by which a strip is behind the one above
	stepAlone      = 130 // plus stepAloneEach for each row of a lane
	stepAloneEach  = 15
	stepShared     = 5 // a quarter of the instructions, because a unit issues four in a cycle
	stepSharedEach = 1.4
)

// eachOf chooses how many rows of a strip a lane computes. With few rows, more strips of a
// long table run at the same time; many rows need fewer instructions.
func (x *wave[C]) eachOf(info driver.Info) int {
	best, least := 0, 0.0
	for _, each := range []int{8, 4, 2} {
		var longest, all float64
		begins := make([]float64, len(x.tables)) // strips of the table and of those above it
		for k, t := range x.tables {
			strips, e := float64((t.Rows-1)/(info.Warp*each)+1), float64(each)
			begins[k] = strips
			if t.Below > 0 {
				begins[k] += begins[t.Below-1]
			}
			longest = max(longest, (float64(t.Cols)+begins[k]*stripLag)*(stepAlone+stepAloneEach*e))
			all += strips * float64(t.Cols+info.Warp) * (stepShared + stepSharedEach*e)
		}
		if cost := max(longest, all/float64(info.Units)); best == 0 || cost < least {
			best, least = each, cost
		}
	}
	return best
}

// strips computes the tables in one launch, in which groups wait for each other.
func (x *wave[C]) strips(d *devices.Device, t waveTile, l *layout, mem [4]*devices.Buffer) error {
	about, list, free, err := x.upload(l)
	if err != nil {
		return err
	}
	defer free()
	words := (driver.SizeOf[C]() + 3) / 4
	state := uninitialized[uint64](stripHeader+x.cols*words, x.where)
	defer func() {
		if array.Recording() == nil {
			state.Free()
		}
	}()
	at, err := arrayOf(state).Output()
	if err == nil {
		err = at.Clear(0, at.Len())
	}
	if err != nil {
		return err
	}
	defines := x.defines(mem[3] != nil) + fmt.Sprintf("#define EACH %d\n", t.each)
	if ofIntegers(reflect.TypeFor[C]()) {
		defines += "#define WORDS_OF_INTEGERS\n"
	}
	p := x.program("strips", defines)
	defer p.release()
	p.grid = driver.Grid{Groups: int64(len(l.tiles) / tileWords), Lanes: d.Info().Warp}
	p.args = append(p.args, about.Arg(), list.Arg())
	return x.launch(p, d, []*devices.Buffer{at, mem[0], mem[1], mem[3]}, about, list, state)
}

// ofIntegers reports whether t is a 32-bit integer type or a struct of these.
func ofIntegers(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t.Kind() == reflect.Int32 || t.Kind() == reflect.Uint32
	}
	for i := range t.NumField() {
		if !ofIntegers(t.Field(i).Type) {
			return false
		}
	}
	return true
}

// stripHeader is the number of words before the rows of strips. They hold the counter from
// which strips get their numbers.
const stripHeader = 32
