package fakecuda

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cuda/cu"
)

// Kernel implements a kernel, for all of its groups.
type Kernel func(l *Launch)

// Launch is one launch of a kernel.
type Launch struct {
	Groups, Lanes int64
	Checked       bool
	args          [][]byte
	at            func(p, n uint64) []byte
}

// Int returns argument i as a signed number of its size.
func (l *Launch) Int(i int) int64 {
	var v int64
	for j, b := range l.args[i] {
		v |= int64(b) << (8 * j)
	}
	shift := 64 - 8*len(l.args[i])
	return v << shift >> shift
}

// Bytes returns the bytes of argument i.
func (l *Launch) Bytes(i int) []byte { return l.args[i] }

// Memory returns the first n bytes of the buffer that is argument i.
func (l *Launch) Memory(i int, n int64) []byte { return l.at(uint64(l.Int(i)), uint64(n)) }

// code holds the programs, modules and graphs of the fake.
type code struct {
	programs map[uint64]*program
	modules  map[uint64]string
	funcs    map[uint64]*function
	graphs   map[uint64]*graph
}

type program struct{ source, log, target string }

type function struct {
	name  string
	sizes []int
	text  string
}

func (k *code) init() {
	*k = code{map[uint64]*program{}, map[uint64]string{}, map[uint64]*function{}, map[uint64]*graph{}}
}

// A cubin of the fake consists of the header of an ELF file, a length and the
// source.
const header = 64

func image(source string) []byte {
	b := make([]byte, header, header+8+len(source))
	copy(b, "\x7fELF\x02\x01")
	b = binary.LittleEndian.AppendUint64(b, uint64(len(source)))
	return append(b, source...)
}

// compiler implements the functions of NVRTC.
func (c *CUDA) compiler(name string, a []uint64) (int32, bool) {
	if !strings.HasPrefix(name, "nvrtc") {
		return 0, false
	}
	p := c.code.programs[a[0]]
	switch name {
	case "nvrtcVersion":
		put(a[0], int32(13))
		put(a[1], int32(0))
	case "nvrtcGetNumSupportedArchs":
		put(a[0], int32(len(c.archs())))
	case "nvrtcGetSupportedArchs":
		copy(unsafe.Slice((*int32)(pointer(a[0])), len(c.archs())), c.archs())
	case "nvrtcCreateProgram":
		h := c.handle()
		c.code.programs[h] = &program{source: text(a[1])}
		put(a[0], h)
	case "nvrtcCompileProgram":
		for i := range a[1] {
			o := text(*(*uint64)(pointer(a[2] + 8*i)))
			if o == "-DSKEL_CHECK" {
				p.source = "//checked\n" + p.source
			}
			if t, ok := strings.CutPrefix(o, "--gpu-architecture="); ok {
				p.target = t
			}
		}
		if p.log = diagnose(p.source); p.log != "" {
			return int32(cu.NVRTCCompilation), true
		}
	case "nvrtcGetProgramLogSize":
		put(a[1], uint64(len(p.log)+1))
	case "nvrtcGetProgramLog":
		copy(host(a[1], uint64(len(p.log)+1)), p.log+"\x00")
	case "nvrtcGetCUBINSize", "nvrtcGetPTXSize":
		put(a[1], uint64(len(image(p.source))))
	case "nvrtcGetCUBIN":
		b := image(p.source)
		copy(host(a[1], uint64(len(b))), b)
	case "nvrtcGetPTX":
		b := strings.Repeat(" ", len(image(""))) + p.source
		copy(host(a[1], uint64(len(b))), b)
		copy(host(a[1], uint64(len(b))), ".version 8.0\n.target "+p.target+"\n")
	case "nvrtcDestroyProgram":
		delete(c.code.programs, *(*uint64)(pointer(a[0])))
	}
	return 0, true
}

func (c *CUDA) archs() []int32 {
	if len(c.opt.Archs) > 0 {
		return c.opt.Archs
	}
	return []int32{75, 80, 90}
}

var lineDirective = regexp.MustCompile(`^#line (\d+)(?: "(.*)")?`)

// diagnose finds the only error that the fake detects: the word nonsense.
func diagnose(source string) string {
	file, line := "prelude.cu", 0
	for _, s := range strings.Split(source, "\n") {
		line++
		if m := lineDirective.FindStringSubmatch(s); m != nil {
			line, _ = strconv.Atoi(m[1])
			line--
			file = m[2]
		} else if strings.Contains(s, "nonsense") {
			return fmt.Sprintf("%s(%d): error: identifier \"nonsense\" is undefined\n\n1 error detected in the "+
				"compilation of %q.\n", file, line, "prelude.cu")
		}
	}
	return ""
}

var sizes = map[string]int{
	"i8": 1, "u8": 1, "b8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8, "f64": 8,
	"float": 4, "int": 4,
	"record": 32, "pair": 4, "colour": 3, // types of drivertest
}

// copies has the bytes of a word of the kernels that copy from another device.
var copies = map[string]int64{"skel_copy16": 16, "skel_copy4": 4, "skel_copy1": 1}

// parameters returns the sizes of a kernel's parameters, or nil if there is no
// such kernel.
func parameters(source, name string) []int {
	if m := regexp.MustCompile(`\.entry ` + name + `\(([^)]*)\)`).FindStringSubmatch(source); m != nil { // PTX
		var sz []int
		for p := range strings.SplitSeq(m[1], ",") {
			sz = append(sz, sizes[strings.TrimPrefix(strings.Fields(p)[1], ".")])
		}
		return sz
	}
	m := regexp.MustCompile(`KERNEL ` + name + `\(([^)]*)\)`).FindStringSubmatch(source)
	if m == nil {
		return nil
	}
	list, sz := m[1], []int{}
	if rest, ok := strings.CutPrefix(list, "CTX_K "); ok {
		list = rest
		if strings.HasPrefix(source, "//checked") {
			sz = append(sz, 8)
		}
	}
	for p := range strings.SplitSeq(list, ",") {
		n := sizes[strings.Fields(p)[0]]
		if strings.Contains(p, "*") {
			n = 8
		}
		sz = append(sz, n)
	}
	return sz
}

// kernels implements the functions of libcuda for modules and launches.
func (c *CUDA) kernels(name string, a []uint64) cu.Result {
	switch name {
	case "cuModuleLoadData":
		head := host(a[1], header+8)
		source := ""
		if string(head[:4]) == "\x7fELF" {
			source = string(host(a[1]+header+8, binary.LittleEndian.Uint64(head[header:])))
		} else {
			source = text(a[1])
		}
		h := c.handle()
		c.code.modules[h] = source
		put(a[0], h)
	case "cuModuleGetFunction":
		source := c.code.modules[a[1]]
		f := &function{name: text(a[2]), text: source}
		if f.sizes = parameters(source, f.name); f.sizes == nil {
			return cu.ErrorNotFound
		}
		h := c.handle()
		c.code.funcs[h] = f
		put(a[0], h)
	case "cuFuncGetAttribute":
		v := int32(0)
		if cu.FunctionAttribute(a[1]) == cu.FuncMaxThreadsPerBlock {
			v = 512
		}
		if strings.Contains(c.code.funcs[a[2]].text, "hungry") && cu.FunctionAttribute(a[1]) == cu.FuncSharedSize {
			v = 40 << 10
		}
		put(a[0], v)
	case "cuFuncGetParamInfo":
		f := c.code.funcs[a[0]]
		if a[1] >= uint64(len(f.sizes)) {
			return cu.ErrorInvalidValue
		}
		put(a[2], uint64(0))
		put(a[3], uint64(f.sizes[a[1]]))
	case "cuLaunchKernel":
		f := c.code.funcs[a[0]]
		l := &Launch{Groups: int64(a[1]), Lanes: int64(a[4]), Checked: strings.HasPrefix(f.text, "//checked"), at: c.at}
		for i, n := range f.sizes { // copied at the launch
			l.args = append(l.args, append([]byte{}, host(*(*uint64)(pointer(a[9] + 8*uint64(i))), uint64(n))...))
		}
		return c.enqueue(c.streams[a[8]], op{do: func() {
			if words, is := copies[f.name]; is {
				n := words * l.Int(2)
				copy(l.Memory(0, n), l.Memory(1, n))
			} else if k := c.opt.Kernels[f.name]; k != nil {
				k(l)
			}
		}})
	default:
		return cu.ErrorNotSupported
	}
	return c.broken
}
