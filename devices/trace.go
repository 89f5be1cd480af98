package devices

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// hostLane is the row of a trace for the host; those of devices begin at 1.
const hostLane = 0

// A trace is a file of Chrome trace events, for Perfetto or chrome://tracing: a
// JSON array with one event per line. Every write ends with the closing
// bracket, which the next write overwrites, so the file is valid whenever the
// program ends or is killed.
type trace struct {
	mu     sync.Mutex
	file   *os.File
	end    int64        // offset of the closing bracket
	pipe   bool         // the file cannot seek and gets no closing bracket
	buf    []byte       // events to be written, each after its separator
	named  map[int]bool // lanes whose names have been written
	timer  *time.Timer
	origin time.Time
	begun  bool // an event was added
	err    error
}

// spanArgs holds the arguments of a span besides its name and time; zeros are
// omitted.
type spanArgs struct{ bytes, groups int64 }

var (
	traceOnce sync.Once
	current   atomic.Pointer[trace] // nil if tracing is off
	traceErr  error
)

// openTrace opens the file that SKEL_TRACE names when a device is first used.
func openTrace() {
	traceOnce.Do(func() {
		if name := os.Getenv("SKEL_TRACE"); name != "" {
			traceErr = startTrace(name)
		}
	})
}

func startTrace(name string) error {
	if Launched() { // each rank writes a file of its own
		ext := filepath.Ext(name)
		name = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, ext), Rank(), ext)
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("SKEL_TRACE: %w", err)
	}
	t := &trace{file: f, named: map[int]bool{}, origin: time.Now()}
	if info, err := f.Stat(); err == nil {
		t.pipe = !info.Mode().IsRegular()
	}
	if err := t.extend([]byte("[")); err != nil {
		return fmt.Errorf("SKEL_TRACE: %w", err)
	}
	t.timer = time.AfterFunc(time.Hour, t.flush)
	t.timer.Stop()
	current.Store(t)
	return nil
}

// traceError returns the error of opening the file that SKEL_TRACE names.
func traceError() error {
	openTrace()
	return traceErr
}

// tracer returns the trace, or nil if tracing is off.
func tracer() *trace { return current.Load() }

// traceNow returns the time if tracing is on, and the zero time otherwise.
func traceNow() time.Time {
	if tracer() == nil {
		return time.Time{}
	}
	return time.Now()
}

const (
	traceBuffer = 32 << 10               // size of the buffer
	traceDelay  = 100 * time.Millisecond // maximum time until an event is in the file
)

// span adds an event with a duration to a row of the trace.
func (t *trace) span(lane int, category, name string, start time.Time, took time.Duration, args spanArgs) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.buf) == 0 {
		t.timer.Reset(traceDelay)
	}
	t.lane(lane)
	b := append(t.next(), `{"ph":"X","cat":`...)
	b = strconv.AppendQuote(b, category)
	b = append(b, `,"name":`...)
	b = appendJSON(b, name)
	b = fmt.Appendf(b, `,"pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f`,
		os.Getpid(), lane, micros(start.Sub(t.origin)), micros(took))
	if args != (spanArgs{}) {
		b = append(b, `,"args":{`...)
		if args.bytes != 0 {
			b = fmt.Appendf(b, `"bytes":%d,`, args.bytes)
		}
		if args.groups != 0 {
			b = fmt.Appendf(b, `"groups":%d,`, args.groups)
		}
		b = append(b[:len(b)-1], '}')
	}
	t.buf = append(b, '}')
	if len(t.buf) > traceBuffer {
		t.write()
	}
}

// lane writes the name of a row when it is first used.
func (t *trace) lane(lane int) {
	if t.named[lane] {
		return
	}
	t.named[lane] = true
	name := "host"
	devs, _ := opened.all()
	for _, d := range devs {
		if d.lane == lane {
			name = d.id + " " + d.info.Name
		}
	}
	t.buf = fmt.Appendf(t.next(), `{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":`, os.Getpid(), lane)
	t.buf = append(appendJSON(t.buf, name), "}}"...)
}

// next returns the buffer with room for another event, after a separator.
func (t *trace) next() []byte {
	if !t.begun {
		t.begun = true
		return append(t.buf, '\n')
	}
	return append(t.buf, ",\n"...)
}

func (t *trace) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.write()
}

// write writes the buffer. Errors, such as a full disk, are kept and end the
// trace: tracing never stops a program.
func (t *trace) write() {
	t.timer.Stop()
	if t.err == nil && len(t.buf) > 0 {
		t.err = t.extend(t.buf)
	}
	t.buf = t.buf[:0]
}

// extend writes p and the closing bracket, in one call, over the old closing
// bracket.
func (t *trace) extend(p []byte) error {
	if t.pipe {
		_, err := t.file.Write(p)
		return err
	}
	const closing = "\n]\n"
	_, err := t.file.WriteAt(append(p, closing...), t.end)
	if err != nil { // try to restore the valid file
		_ = t.file.Truncate(t.end)
		_, _ = t.file.WriteAt([]byte(closing), t.end)
		return err
	}
	t.end += int64(len(p))
	return nil
}

// FlushTrace writes all events so far to the file that SKEL_TRACE names, if
// any. Events are also written at each Read and Sync, and within a tenth of a
// second.
func FlushTrace() { flushTrace() }

func flushTrace() {
	if t := tracer(); t != nil {
		t.flush()
	}
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// appendJSON appends a string in JSON.
func appendJSON(b []byte, s string) []byte {
	q, _ := json.Marshal(s) // marshaling a string cannot fail
	return append(b, q...)
}
