package devices

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// hostLane is the row of a trace for what the host does; those of devices
// begin at 1.
const hostLane = 0

// A trace is a file of Chrome trace events, for Perfetto or chrome://tracing: a
// JSON array with one event a line. Every write ends with the closing bracket,
// which the next one overwrites, so the file is valid whenever the program ends
// or is killed.
type trace struct {
	mu     sync.Mutex
	file   *os.File
	end    int64        // where the closing bracket is in the file
	pipe   bool         // the file has no positions: it gets no closing bracket
	buf    []byte       // events that are not written yet, each after its separator
	named  map[int]bool // lanes whose name is written
	timer  *time.Timer
	origin time.Time
	begun  bool // an event was added
	err    error
}

// spanArgs is what a span tells besides its name and time; zeros are left out.
type spanArgs struct{ bytes, groups int64 }

var (
	traceOnce sync.Once
	current   atomic.Pointer[trace] // nil when there is none
	traceErr  error
)

// openTrace opens the file that SKEL_TRACE names, at the first use of a device.
func openTrace() {
	traceOnce.Do(func() {
		if name := os.Getenv("SKEL_TRACE"); name != "" {
			traceErr = startTrace(name)
		}
	})
}

func startTrace(name string) error {
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

// traceError is why SKEL_TRACE cannot be obeyed.
func traceError() error {
	openTrace()
	return traceErr
}

// tracer is the trace, or nil when there is none.
func tracer() *trace { return current.Load() }

// traceNow is the time, if it is wanted for a trace.
func traceNow() time.Time {
	if tracer() == nil {
		return time.Time{}
	}
	return time.Now()
}

const (
	traceBuffer = 32 << 10               // bytes that are written at once
	traceDelay  = 100 * time.Millisecond // after which an event is in the file
)

// span records something that took time, in a row of the trace.
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
	b = fmt.Appendf(b, `,"pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f`, os.Getpid(), lane, micros(start.Sub(t.origin)), micros(took))
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

// lane names a row when it is first used.
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

// next is the buffer with room for another event, behind a separator.
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

// write writes what is buffered. After an error, as of a full disk, the trace
// is what it is: tracing never stops a program.
func (t *trace) write() {
	t.timer.Stop()
	if t.err == nil && len(t.buf) > 0 {
		t.err = t.extend(t.buf)
	}
	t.buf = t.buf[:0]
}

// extend writes p over the closing bracket, and the bracket behind it, at once.
func (t *trace) extend(p []byte) error {
	if t.pipe {
		_, err := t.file.Write(p)
		return err
	}
	const closing = "\n]\n"
	_, err := t.file.WriteAt(append(p, closing...), t.end)
	if err != nil { // what was there before stays valid, if it can
		_ = t.file.Truncate(t.end)
		_, _ = t.file.WriteAt([]byte(closing), t.end)
		return err
	}
	t.end += int64(len(p))
	return nil
}

// FlushTrace writes all events so far to the file that SKEL_TRACE names, if it
// names one. Events also get there by themselves, at each Read and Sync and
// within a tenth of a second.
func FlushTrace() { flushTrace() }

func flushTrace() {
	if t := tracer(); t != nil {
		t.flush()
	}
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// appendJSON appends a string as JSON.
func appendJSON(b []byte, s string) []byte {
	q, _ := json.Marshal(s) // a string can always be written
	return append(b, q...)
}
