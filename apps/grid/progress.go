package grid

import (
	"context"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// pace predicts how long a search still takes. It leaves out the first block, whose time includes
// that of building kernels.
type pace struct {
	what        string
	start       time.Time // the end of the first block; zero before it
	first, last int       // nodes that were done then, and at the last call
}

// left returns how long the search that is called what still takes, when done of its nodes are done, or false
// before that can be predicted. A search begins with a call when no further nodes are done.
func (p *pace) left(what string, done, nodes int, now time.Time) (time.Duration, bool) {
	if what != p.what || done <= p.last {
		*p = pace{what: what, last: done}
		return 0, false
	}
	if p.start.IsZero() {
		p.start, p.first = now, done
	}
	p.last = done
	took := now.Sub(p.start)
	if done == p.first || took < time.Second {
		return 0, false
	}
	return time.Duration(float64(took) / float64(done-p.first) * float64(nodes-done)), true
}

// watch shows the progress of a search, and on an interrupt prints what it has found.
type watch struct {
	r    *app.Runner
	pace pace

	mu    sync.Mutex
	best  *Node
	done  int // nodes of the search for the minimum
	nodes int
}

// options adds what a search reports to the watch.
func (w *watch) options(o *Options) {
	o.Progress = func(what string, done, nodes int) {
		if what == searchMinimum {
			w.mu.Lock()
			w.done, w.nodes = done, nodes
			w.mu.Unlock()
		}
		left := ""
		if d, known := w.pace.left(what, done, nodes, time.Now()); known && done < nodes {
			left = ", " + app.Duration(d) + " left"
		}
		w.r.Progress.Printf("%s: %s of %s nodes, %.3g%%%s", what, app.Digits(done), app.Digits(nodes),
			100*float64(done)/float64(nodes), left)
	}
	o.Found = func(n Node) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.best = &n
	}
}

// until prints the best node so far when ctx ends, unless stop is called before. A block cannot be
// stopped, so it does not wait for one. Stop waits for a message that is being printed.
func (w *watch) until(ctx context.Context) (stop func()) {
	printed := make(chan struct{})
	pending := context.AfterFunc(ctx, func() {
		defer close(printed)
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.best != nil {
			w.r.Env.Notef("interrupted after %s of %s; the least value so far is %s at %s, position %d",
				app.Digits(w.done), app.Count(w.nodes, "node"), number(w.best.Value),
				numbers(w.best.Argument), w.best.Position)
		}
	})
	return func() {
		if !pending() {
			<-printed
		}
	}
}
