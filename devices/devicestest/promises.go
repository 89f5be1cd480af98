package devicestest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/devices/driver"
)

// Promises wraps k, a kernel of package skel that was built from p. Its
// launches fail if they break a promise that p's text makes to compilers:
//
//   - VIEW_P: except on CPUs, no other argument writes memory that is read
//     through a view;
//   - RESTRICT out: no other argument is the kernel's output, except inputs that
//     the text reads through it (THROUGH_OUT);
//   - KERNEL_OF: groups have exactly the given number of lanes.
func Promises(k driver.Kernel, p driver.Program) driver.Kernel {
	w := watched{Kernel: k, name: p.Name, cpu: strings.Contains(p.C, "#define SHAPE_CPU"), inPlace: map[int]bool{}}
	if m := sourceParams.FindAllStringSubmatch(p.C, -1); m != nil {
		for _, param := range strings.Split(m[len(m)-1][1], ", ") {
			if param != "" {
				w.sources = append(w.sources, param)
			}
		}
	}
	if p.Checked {
		w.before = 1
	}
	w.lanes = lanesOf(p, w.cpu)
	entries := regexp.MustCompile(`\b`+p.Name+`\(CTX_K ([^)]*)\) \{`).FindAllStringSubmatch(p.C, -1)
	for i, m := range entries {
		if w.cpu == (i == 0) || len(entries) == 1 { // the shape for CPUs comes first
			w.restrict = w.restrict || strings.Contains(m[1], "GLOBAL T *RESTRICT out")
		}
	}
	if m := inPlace.FindStringSubmatch(p.C); m != nil {
		for _, number := range strings.Fields(strings.ReplaceAll(m[1], " = out;", "")) {
			var n int
			if _, err := fmt.Sscanf(number, "p%d", &n); err == nil {
				w.inPlace[n] = true
			}
		}
	}
	return w
}

var (
	sourceParams = regexp.MustCompile(`(?m)^#define SRC_P (.*)$`)
	inPlace      = regexp.MustCompile(`(?m)^#define THROUGH_OUT ?(.*)$`)
)

// lanesOf returns the number of lanes of a group that the program's text
// specifies, or 0 if it specifies none.
func lanesOf(p driver.Program, cpu bool) int {
	if cpu || strings.Contains(p.C, "#undef SKEL_WARP") {
		return 0 // these kernels do not specify it
	}
	m := regexp.MustCompile(`KERNEL_OF\(([^)]*), [^)]*\) ` + p.Name + `\(`).FindStringSubmatch(p.C)
	if m == nil && p.Name == "map" && strings.Contains(p.C, "#define TWICE") {
		m = []string{"", "LANES"}
	}
	if m == nil {
		return 0
	}
	return valueOf(p.C, m[1])
}

// valueOf evaluates a number, a macro, or a product of two of them. It returns
// 0 for other expressions.
func valueOf(text, what string) int {
	if n, err := strconv.Atoi(what); err == nil {
		return n
	}
	if a, b, ok := strings.Cut(strings.Trim(what, "()"), " * "); ok {
		return valueOf(text, a) * valueOf(text, b)
	}
	m := regexp.MustCompile(`(?m)^#define ` + regexp.QuoteMeta(what) + ` (.*)$`).FindStringSubmatch(text)
	if m == nil || m[1] == what {
		return 0
	}
	return valueOf(text, m[1])
}

type watched struct {
	driver.Kernel
	name     string
	sources  []string // the parameters of the inputs and extra arguments, which precede the kernel's own
	before   int      // number of arguments before them
	cpu      bool
	lanes    int // 0 means any number
	restrict bool
	inPlace  map[int]bool
}

func (w watched) Launch(g driver.Grid, args ...driver.Arg) (driver.Event, error) {
	if w.lanes > 0 && g.Lanes != w.lanes {
		return nil, fmt.Errorf("%s: launched with groups of %d lanes, but compiled for %d", w.name, g.Lanes, w.lanes)
	}
	all := args[w.before:]
	for i, param := range w.sources {
		buf := all[i].Buf
		if buf == nil {
			continue
		}
		if strings.HasPrefix(param, "VIEW_P(") && !w.cpu {
			for j, other := range w.sources {
				if all[j].Buf == buf && strings.HasPrefix(other, "GLOBAL ") &&
					!strings.HasPrefix(other, "GLOBAL const ") {
					return nil, fmt.Errorf("%s: argument %d is a view of the memory that argument %d writes",
						w.name, i, j)
				}
			}
			for j := len(w.sources); j < len(all); j++ {
				if all[j].Buf == buf {
					return nil, fmt.Errorf("%s: argument %d is a view of the kernel's own argument %d", w.name, i, j)
				}
			}
		}
		if w.restrict && !w.inPlace[i] && all[len(w.sources)].Buf == buf {
			return nil, fmt.Errorf("%s: argument %d aliases the output, which is restrict", w.name, i)
		}
	}
	return w.Kernel.Launch(g, args...)
}
