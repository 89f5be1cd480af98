package cli

import (
	"fmt"
	"time"
)

// Progress is one line on standard error that is written over and over, while
// that is a terminal, and is gone in the end. Nothing shows during the first
// half second, so quick commands stay quiet.
type Progress struct {
	env  *Env
	next time.Time // when to write again
	live bool      // something stands on the line
}

// NewProgress starts a progress line. quiet keeps it silent.
func NewProgress(env *Env, quiet bool) *Progress {
	p := &Progress{env: env, next: time.Now().Add(500 * time.Millisecond)}
	if quiet || !env.Terminal() {
		p.next = time.Now().AddDate(1000, 0, 0)
	}
	return p
}

// Printf puts text on the line, at most ten times a second.
func (p *Progress) Printf(format string, args ...any) {
	if now := time.Now(); now.After(p.next) {
		fmt.Fprintf(p.env.Stderr, "\r\x1b[K"+format, args...)
		p.next, p.live = now.Add(100*time.Millisecond), true
	}
}

// Done clears the line.
func (p *Progress) Done() {
	if p.live {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
	}
	p.live = false
}
