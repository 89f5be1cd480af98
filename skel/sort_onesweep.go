package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// sortSmallTile is the greatest number of elements that one group sorts in one launch.
const sortSmallTile = 4096

// sortSmallLanes is the number of lanes of that group.
const sortSmallLanes = 512

// sortBins is the number of values of a digit.
const sortBins = 256

// sortStateWords is LOOK in kernels/sortplan.cl.
const sortStateWords = 32 + 2*8*sortBins

// sortNarrow is the number of elements from which the counts of a sort take 64 bits. Tests
// reduce it.
var sortNarrow = 1 << 30

// sortShortIndices is the number of elements up to which indices take 32 bits while they are
// moved. Tests reduce it.
var sortShortIndices = 1 << 32

// sortTile describes the tiles of the passes of a radix sort.
type sortTile struct {
	lanes, items int
	groups       int // that share a compute unit
}

// sortTileOf returns the tile for keys and values of the given sizes in bytes, which needs at
// most 40 KiB of local memory. The tiles for keys of 4 and 8 bytes, and for pairs of 4 bytes
// each, are the fastest of a dozen on an H200. Tests replace sortTileOf.
var sortTileOf = func(key, value int) sortTile {
	switch size := max(key, value); {
	case size <= 4 && value == 0:
		return sortTile{256, 23, 3}
	case size <= 4:
		return sortTile{512, 19, 2}
	case size <= 8 && value == 0:
		return sortTile{256, 19, 3}
	case size <= 8:
		return sortTile{256, 15, 3}
	default:
		return sortTile{256, 9, 3}
	}
}

// sortCounting is the tile of the launch that counts digits; items are loaded at once.
var sortCounting = sortTile{lanes: 512, items: 8, groups: 4}

// small sorts in one launch of one group.
func (r *radixSort) small(d *devices.Device) error {
	p := newProgram("sortsmall", r.label)
	defer p.release()
	items := 1
	if r.n > sortSmallLanes {
		items = sortSmallTile / sortSmallLanes
	}
	p.accessors = append(p.accessors, r.load)
	r.text(p)
	p.files = append(p.files, "sortplan", "sortrank")
	p.defines += fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n", sortSmallLanes, items)
	p.grid = driver.Grid{Groups: 1, Lanes: sortSmallLanes}
	p.grid.Local = max(sortSmallLanes/fan*sortBins*4, sortSmallLanes*items*(r.key.width/8+2))
	p.grid.Local = (p.grid.Local + 15) &^ 15
	p.args = append(p.args, driver.Value(int32(r.n)))
	if r.out != nil {
		p.defines += "#define OUT\n"
		p.args = append(p.args, r.out.Arg())
	}
	if r.order != nil {
		p.defines += "#define INDICES\n"
		p.args = append(p.args, r.order.Arg())
	}
	if r.values != nil {
		p.defines += opaqueType("V", r.valueLen)
		p.args = append(p.args, r.values.Arg(), r.moved.Arg())
	}
	return p.launch(d, r.keep...)
}

// sweep is the memory of a sort by passes over memory.
type sweep struct {
	tile                   sortTile
	tiles                  int
	wide                   bool
	state                  *devices.Buffer
	keySize, valueSize     int // bytes; valueSize is 0 if there are no values
	keys, keys0, keys1     *devices.Buffer
	values, values0, extra *devices.Buffer // extra is the second place of values
	keepKeys, keepElements *devices.Buffer // where the first launch stores keys and elements; may be nil
	even                   bool
}

// onesweep sorts by one launch that counts digits, and one for each digit.
func (r *radixSort) onesweep(d *devices.Device) error {
	s, err := r.sweep(r.key.width / 8)
	if err != nil {
		return err
	}
	s.tile = sortTileOf(s.keySize, s.valueSize)
	size := s.tile.lanes * s.tile.items
	s.tiles = (r.n + size - 1) / size
	if s.state, err = r.temporary(4*sortStateWords + 2*4*s.lookWords()); err != nil {
		return err
	}
	if err := r.histogram(d, s); err != nil {
		return err
	}
	for pass := range r.key.width / 8 {
		if err := r.pass(d, s, pass); err != nil {
			return err
		}
	}
	return nil
}

// sweep chooses and allocates the memory of a sort by the given number of passes.
func (r *radixSort) sweep(passes int) (s *sweep, err error) {
	alloc := func(bytes int) *devices.Buffer {
		var b *devices.Buffer
		if err == nil {
			b, err = r.temporary(bytes)
		}
		return b
	}
	s = &sweep{wide: r.n >= sortNarrow, keySize: r.key.width / 8}
	onePass := passes == 1
	carried := !r.byValue && r.out != nil // the elements are carried with their keys
	switch {
	case carried:
		s.valueSize, s.values, s.values0, s.extra = r.size, r.input, r.out, alloc(r.n*r.size)
	case r.values != nil:
		s.valueSize, s.values, s.values0, s.extra = r.valueLen, r.values, r.moved, alloc(r.n*r.valueLen)
	case r.order != nil:
		s.valueSize = r.indexSize()
		s.extra = alloc(r.n * s.valueSize)
		s.values, s.values0 = s.extra, r.order
	}
	s.keys1 = alloc(r.n * s.keySize)
	switch {
	case !r.byValue:
		s.keepKeys = alloc(r.n * s.keySize)
		s.keys, s.keys0 = s.keepKeys, s.keepKeys
	case r.out != nil:
		s.keys, s.keys0 = r.input, r.out
	default:
		s.keys, s.keys0 = r.input, s.keys1
		if r.input == nil || passes > 2 {
			s.keys0 = alloc(r.n * s.keySize)
		}
	}
	// Elements that the first launch computes are stored in the place of the results, if more
	// than one pass follows.
	switch {
	case r.input != nil:
	case carried && onePass:
		s.keepElements, s.values = s.extra, s.extra
	case carried:
		s.keepElements, s.values, s.even = r.out, r.out, true
	case !r.byValue:
	case r.out != nil && onePass:
		s.keepElements, s.keys = s.keys1, s.keys1
	case r.out != nil:
		s.keepElements, s.keys, s.even = r.out, r.out, true
	default:
		s.keepElements, s.keys = s.keys0, s.keys0
	}
	s.even = s.even || r.out != nil && r.out == r.input
	return s, err
}

// indexSize returns the bytes of an index while it is moved.
func (r *radixSort) indexSize() int {
	if r.n > sortShortIndices {
		return 8
	}
	return 4
}

// valueText adds the type V of the values to p.
func (r *radixSort) valueText(p *program, size int) {
	switch {
	case r.order == nil:
		p.defines += opaqueType("V", size)
	case size == 4:
		p.defines += "#define V u32\n#define INDICES\n"
	default:
		p.defines += "#define V i64\n#define INDICES\n"
	}
}

// lookWords returns the number of 32-bit words that a pass uses for looking back.
func (s *sweep) lookWords() int {
	if s.wide {
		return 2 * sortBins * s.tiles
	}
	return sortBins * s.tiles
}

// histogram launches the kernel that counts the digits.
func (r *radixSort) histogram(d *devices.Device, s *sweep) error {
	lanes, ahead := sortCounting.lanes, sortCounting.items
	counts, err := d.Persistent("sort", 4*(1+2*8*sortBins))
	if err != nil {
		return err
	}
	p := newProgram("sorthist", r.label)
	defer p.release()
	p.accessors = append(p.accessors, r.load)
	r.text(p)
	p.files = append(p.files, "arrive", "sortplan")
	p.defines += fmt.Sprintf("#define LANES %d\n#define AHEAD %d\n#define DIGITS %d\n", lanes, ahead, r.key.width/8)
	p.grid = driver.Grid{Groups: int64(min((r.n-1)/(lanes*ahead)+1, sortCounting.groups*d.Info().Units)), Lanes: lanes}
	even := int32(0)
	if s.even {
		even = 1
	}
	p.args = append(p.args, counts, s.state.Arg(), driver.Value(int64(r.n)), driver.Value(int64(s.lookWords())),
		driver.Value(even))
	s.keeping(p)
	return p.launch(d, r.keep...)
}

// keeping makes p store keys and elements in memory.
func (s *sweep) keeping(p *program) {
	if s.keepKeys != nil {
		p.defines += "#define KEEP_KEYS\n"
		p.args = append(p.args, s.keepKeys.Arg())
	}
	if s.keepElements != nil {
		p.defines += "#define KEEP\n"
		p.args = append(p.args, s.keepElements.Arg())
	}
}

// keyText adds the type E of the keys that passes move, and their bits, to p.
func (r *radixSort) keyText(p *program) {
	if !r.byValue {
		p.defines += fmt.Sprintf("#define E %s\n#define BITS_OF(x) (x)\n", r.key.bitsType())
		return
	}
	p.defines += r.key.text() + fmt.Sprintf("#define E %s\n#define BITS_OF(x) key_bits(x)\n", r.key.ctype())
	p.files = append(p.files, "sortkey")
}

// pass launches the kernel that moves keys and values into the order of a digit.
func (r *radixSort) pass(d *devices.Device, s *sweep, pass int) error {
	p := newProgram("sortpass", r.label)
	defer p.release()
	p.defines = fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n#define GROUPS %d\n",
		s.tile.lanes, s.tile.items, s.tile.groups)
	r.keyText(p)
	if r.byValue && r.out != nil {
		p.defines += "#define KEYS_LAST\n"
	}
	if s.wide {
		p.defines += "#define WIDE\n"
	}
	p.files = append(p.files, "sortplan", "sortrank")
	p.args = append(p.args, s.keys.Arg(), s.keys0.Arg(), s.keys1.Arg())
	if s.valueSize > 0 {
		r.valueText(p, s.valueSize)
		p.args = append(p.args, s.values.Arg(), s.values0.Arg(), s.extra.Arg())
	}
	p.args = append(p.args, s.state.Arg(), driver.Value(int64(r.n)), driver.Value(uint32(s.tiles)),
		driver.Value(int32(pass)))
	room := max(s.tile.lanes*s.tile.items*max(s.keySize, s.valueSize), s.tile.lanes/fan*sortBins*4)
	p.grid = driver.Grid{Groups: int64(s.tiles), Lanes: s.tile.lanes, Local: (room + 15) &^ 15}
	return p.launch(d, r.keep...)
}
