package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/printable"
	"github.com/skelgo/skelgo/devices"
)

// quiet is how long a command runs before it shows progress.
const quiet = 500 * time.Millisecond

// Progress is a line on standard error that is overwritten with each message and
// erased at the end. It shows nothing unless standard error is a terminal, and nothing
// during the first half second, so quick commands stay silent.
type Progress struct {
	env  *Env
	mu   sync.Mutex
	next time.Time   // when to write the next message; zero for never
	late *time.Timer // writes a message that came too soon; nil if there is none
	text func() string
	read string // how much of a file has been read since the last message, such as "41% read"
	done bool   // since the last message
}

// NewProgress starts a progress line.
func NewProgress(env *Env) *Progress {
	p := &Progress{env: env}
	if env.Terminal() {
		p.next = time.Now().Add(quiet)
	}
	return p
}

// Printf puts text on the line, at most ten times a second. Text that comes too soon
// is shown later, unless other text replaces it.
func (p *Progress) Printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.read, p.done = func() string { return printable.String(fmt.Sprintf(format, args...)) }, "", false
	p.showSoon()
}

// Reading returns r, of which size bytes are read while devices compute, perhaps several times. The line shows how
// far that is, after the last message, until Done.
func (p *Progress) Reading(r io.ReaderAt, size int64) io.ReaderAt { return &shownReader{r, size, p} }

// shownReader shows how far a file is read.
type shownReader struct {
	io.ReaderAt
	size int64
	line *Progress
}

// ReadAt implements io.ReaderAt.
func (r *shownReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(b, off)
	p := r.line
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.done {
		p.read = fmt.Sprintf("%d%% read", 100*(off+int64(n))/max(1, r.size))
		p.showSoon()
	}
	return n, err
}

// showSoon shows what is new, not before the last text has been on the line for a while.
func (p *Progress) showSoon() {
	if p.next.IsZero() {
		return
	}
	if wait := time.Until(p.next); wait <= 0 {
		p.show()
	} else if p.late == nil {
		p.late = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.late != nil {
				p.show()
			}
		})
	}
}

func (p *Progress) show() {
	p.stop()
	text := p.read
	if p.text != nil {
		if text = p.text(); p.read != "" {
			text += ", " + p.read
		}
	}
	p.env.line.set(p.env, &p.env.line.text, text)
	p.next = time.Now().Add(100 * time.Millisecond)
}

func (p *Progress) stop() {
	if p.late != nil {
		p.late.Stop()
		p.late = nil
	}
}

// Done erases the line.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	p.text, p.read, p.done = nil, "", true
	p.env.line.set(p.env, &p.env.line.text, "")
}

// line is the last line of the terminal. It shows the notice about kernels that
// are being compiled or, if there is none, the progress.
type line struct {
	mu           sync.Mutex
	text, notice string
	live         bool // something is on the line
	closed       bool // the program is ending
}

// erase clears the line of a terminal.
const erase = "\r\x1b[K"

// set changes the text or the notice, and shows it.
func (l *line) set(env *Env, what *string, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *what != text {
		*what = text
		l.show(env)
	}
}

func (l *line) show(env *Env) {
	text := l.text
	if l.notice != "" {
		text = l.notice
	}
	if l.closed || text == "" && !l.live {
		return
	}
	fmt.Fprint(env.Stderr, erase+text)
	l.live = text != ""
}

// print writes a message above the line.
func (l *line) print(env *Env, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.live {
		message = erase + message
	}
	fmt.Fprint(env.Stderr, message)
	l.live = false
	l.show(env)
}

// close erases the line, writes a last message, and ignores what comes later.
func (l *line) close(env *Env, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return
	case l.live:
		message = erase + message
	case env.Terminal():
		message = "\n" + message // the terminal shows ^C
	}
	fmt.Fprint(env.Stderr, message)
	l.closed = true
}

// pause is how long no kernel is compiled before the notice disappears.
const pause = 100 * time.Millisecond

// WatchBuilds shows a notice on the terminal when compiling kernels takes longer than
// half a second. The returned function ends that.
func (e *Env) WatchBuilds() (stop func()) {
	if !e.Terminal() {
		return func() {}
	}
	w := &buildWatch{env: e}
	return devices.OnBuild(func(d *devices.Device, _ string) func() {
		w.begin(d.Info().Name)
		return w.end
	})
}

// buildWatch counts the builds in progress.
type buildWatch struct {
	env         *Env
	mu          sync.Mutex
	running     int
	name        string      // of the device that compiles
	show, reset *time.Timer // nil when not running
}

func (w *buildWatch) begin(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running++
	w.name = name
	if w.reset != nil {
		w.reset.Stop()
		w.reset = nil
	}
	if w.show == nil {
		w.show = time.AfterFunc(quiet, w.notice)
	}
}

func (w *buildWatch) notice() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.show != nil {
		w.env.line.set(w.env, &w.env.line.notice, "compiling kernels for "+w.name+" ...")
	}
}

func (w *buildWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running--; w.running > 0 {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(pause, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.reset == timer { // no other build began
			w.show.Stop()
			w.show, w.reset = nil, nil
			w.env.line.set(w.env, &w.env.line.notice, "")
		}
	})
	w.reset = timer
}
