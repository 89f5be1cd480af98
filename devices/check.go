package devices

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
)

// CheckKind is the kind of error that checked mode found.
type CheckKind int

// The kinds of error that checked mode finds, with the numbers that the C text
// reports.
const (
	BadIndex      CheckKind = 1 // an index outside [0, Bound)
	DivideByZero  CheckKind = 2
	NegativeShift CheckKind = 3
	PanicCalled   CheckKind = 4 // the function called panic
	BeyondWindow  CheckKind = 5 // an index of a window outside [-Bound, Bound]
	BadElement    CheckKind = 6 // an element of a container of indices that is outside [0, Bound)
	EqualElements CheckKind = 7 // two elements of a container of indices that must be distinct
	TwoWriters    CheckKind = 8 // an element of an out-view that two elements of the input write
	ReadByOther   CheckKind = 9 // an element of an out-view that one element of the input writes and another one reads
)

// CheckError is an error that a user's function made on a device. A native
// device always detects it, except for TwoWriters, which needs checked mode, and
// ReadByOther, which it does not detect; other devices do so in checked mode.
type CheckError struct {
	Device string
	Label  string // the label of the launch
	Pos    string // "file.go:12:6"; without the column on a native device
	Func   string // the user's function, such as "main.nearest"; "" if it is not known
	Kind   CheckKind
	Index  int64 // of a bad index or of an element of an out-view, or the count of a negative shift
	Bound  int64 // of a bad index, or the radius of a window
	At     int64 // position of a BadElement, the second of EqualElements, or the element of the input that came second
	Other  int64 // first position of EqualElements, or the element of the input that has written
	Cols   int64 // of the out-view's matrix, in which Index counts the elements row by row; 0 for a vector
	Err    error // the panic, on a native device
}

func (e *CheckError) Error() string {
	what := "panic"
	switch e.Kind {
	case BadIndex:
		what = fmt.Sprintf("index %d out of range [0, %d)", e.Index, e.Bound)
	case BeyondWindow:
		what = fmt.Sprintf("window index %d beyond the radius %d", e.Index, e.Bound)
	case BadElement:
		what = fmt.Sprintf("index %d at position %d out of range [0, %d)", e.Index, e.At, e.Bound)
	case EqualElements:
		what = fmt.Sprintf("index %d at positions %d and %d, but indices must be distinct", e.Index, e.Other, e.At)
	case TwoWriters:
		what = fmt.Sprintf("element %s of the out-view is written by elements %d and %d of the input",
			e.element(), min(e.Other, e.At), max(e.Other, e.At))
	case ReadByOther:
		what = fmt.Sprintf("element %s of the out-view is written by element %d of the input and read by element %d",
			e.element(), e.Other, e.At)
	case DivideByZero:
		what = "division by zero"
	case NegativeShift:
		what = "negative shift count"
	case PanicCalled:
		if p, ok := errors.AsType[*cpu.PanicError](e.Err); ok {
			what = fmt.Sprintf("panic: %v", p.Value)
		}
	}
	how := ""
	if e.Err == nil || e.Kind == TwoWriters {
		how = " (found by SKEL_CHECK=1)"
	}
	where := ""
	if e.Pos != "" {
		where = e.Pos + ": "
	}
	in := e.Label
	if e.Func != "" && !strings.Contains(e.Label, "("+e.Func+")") {
		in = e.Func + ", called by " + e.Label
	}
	return fmt.Sprintf("%s%s in %s on %s%s", where, what, in, e.Device, how)
}

// element returns the index of an element of an out-view: 5, or (1, 2) in a matrix.
func (e *CheckError) element() string {
	if e.Cols == 0 {
		return fmt.Sprint(e.Index)
	}
	return fmt.Sprintf("(%d, %d)", e.Index/e.Cols, e.Index%e.Cols)
}

// Unwrap returns the panic on a native device.
func (e *CheckError) Unwrap() error { return e.Err }

var (
	indexPanic   = regexp.MustCompile(`index out of range \[(-?\d+)\](?: with length (\d+))?`)
	viewPanic    = regexp.MustCompile(`index (-?\d+) out of range \[0, (\d+)\)`)
	elementPanic = regexp.MustCompile(`index (-?\d+) at position (\d+) out of range \[0, (\d+)\)`)
	equalPanic   = regexp.MustCompile(`index (\d+) at positions (\d+) and (\d+), but`)
	windowPanic  = regexp.MustCompile(`window index (-?\d+) beyond the radius (\d+)`)
)

// nativeError converts the error of a native launch.
func (d *Device) nativeError(l *Launch, err error) error {
	p, ok := errors.AsType[*cpu.PanicError](err)
	if !ok {
		return d.errorf(l, "%w", err)
	}
	if found, is := p.Value.(*CheckError); is { // package skel has watched the writes
		found.Device, found.Label = d.id, l.label()
		return found
	}
	e := &CheckError{Device: d.id, Label: l.label(), Pos: p.Pos, Kind: PanicCalled, Err: p}
	if l.Function != nil {
		e.Func = l.Function(p.Func)
	}
	text := fmt.Sprint(p.Value)
	_, fault := p.Value.(runtime.Error)
	switch {
	case fault && strings.Contains(text, "integer divide by zero"):
		e.Kind = DivideByZero
	case fault && strings.Contains(text, "negative shift amount"):
		e.Kind = NegativeShift
	case elementPanic.MatchString(text):
		e.Kind = BadElement
		scan(elementPanic.FindStringSubmatch(text), &e.Index, &e.At, &e.Bound)
	case equalPanic.MatchString(text):
		e.Kind = EqualElements
		scan(equalPanic.FindStringSubmatch(text), &e.Index, &e.Other, &e.At)
	default:
		m, kind := windowPanic.FindStringSubmatch(text), BeyondWindow
		if m == nil {
			m, kind = viewPanic.FindStringSubmatch(text), BadIndex
		}
		if m == nil && fault {
			m = indexPanic.FindStringSubmatch(text)
		}
		if m != nil {
			e.Kind = kind
			scan(m, &e.Index, &e.Bound)
		}
	}
	return e
}

// scan sets each of to to the group of m in its place, or to 0 if that is not a number.
func scan(m []string, to ...*int64) {
	for i, p := range to {
		*p, _ = strconv.ParseInt(m[i+1], 10, 64)
	}
}

// reportSize is the size of the report to which device code writes its first
// error: kind and site as 32-bit words; index, bound, position and columns as
// 64-bit words. The offsets of the owners of out-views follow (watch.go).
const reportSize = 40

// checker holds the report of a device in checked mode.
type checker struct {
	mu     sync.Mutex
	report driver.Buffer
}

// launchChecked runs a kernel with the report as a hidden first argument and
// waits for the kernel.
func (d *Device) launchChecked(k driver.Kernel, l *Launch) error {
	c := &d.checks
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.prepare(d, l.Writes); err != nil {
		return d.errorf(l, "checked mode: %w", err)
	}
	var report [reportSize]byte
	withReport := *l
	withReport.Args = append([]driver.Arg{driver.Memory(c.report)}, l.Args...)
	if err := d.enqueue(k, &withReport); err != nil {
		return err
	}
	mem := c.report
	if d.joint != nil {
		if mem = d.joint.Own(mem); mem == nil {
			return nil
		}
	}
	done := d.pending.take()
	d.gate.RLock()
	err := wait(mem.Read(0, report[:]))
	d.gate.RUnlock()
	if e := d.wait(done); e != nil {
		return e
	}
	if err != nil {
		return d.errorf(l, "%w", err)
	}
	return d.readReport(l, report[:])
}

// readReport converts a report to an error.
func (d *Device) readReport(l *Launch, report []byte) error {
	word := binary.NativeEndian
	kind := CheckKind(word.Uint32(report))
	if kind == 0 {
		return nil
	}
	site := word.Uint32(report[4:])
	e := &CheckError{
		Device: d.id,
		Label:  l.label(),
		Kind:   kind,
		Index:  int64(word.Uint64(report[8:])),
		Bound:  int64(word.Uint64(report[16:])),
	}
	if kind == BadElement || kind == EqualElements { // in no user's function
		if e.At = int64(word.Uint64(report[24:])); kind == EqualElements {
			e.Bound, e.Other = 0, e.Bound
		}
		return e
	}
	if kind == TwoWriters || kind == ReadByOther {
		e.At, e.Bound, e.Other = int64(word.Uint64(report[24:])), 0, e.Bound
		e.Cols = int64(word.Uint64(report[32:]))
	}
	if l.Sites != nil {
		e.Pos, e.Func = l.Sites(site)
	}
	if e.Pos == "" {
		e.Pos = fmt.Sprintf("site %d", site)
	}
	return e
}

func (c *checker) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.report == nil {
		return nil
	}
	err := c.report.Free()
	c.report = nil
	return err
}

// site is a source position, "file.go:12".
type site string

// here returns the line that called the exported function that calls here.
func here() *site {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var s site
	for {
		f, more := frames.Next()
		if f.Function == "" || strings.HasPrefix(f.Function, "runtime.") {
			break
		}
		if strings.HasSuffix(f.Function, ".(*Device).Alloc") {
			continue // which calls AllocTo
		}
		if s != "" {
			s += " < "
		}
		s += site(fmt.Sprintf("%s:%d", path.Base(f.File), f.Line))
		if !more {
			break
		}
	}
	return &s
}

// history describes, for a panic, what checked mode knows about a freed buffer.
func (b *Buffer) history() string {
	if b.born == nil {
		return " (SKEL_CHECK=1 reports where it was allocated)"
	}
	s := fmt.Sprintf(": %d bytes on %s, allocated at %s", b.n, b.dev.id, *b.born)
	if died := b.died.Load(); died != nil {
		s += fmt.Sprintf(", freed at %s", *died)
	}
	return s
}
