package batch

import (
	"context"
	"sync"

	"github.com/skelgo/skelgo/apps/nw/align"
)

// watcher looks up from the work on some pairs now and then: to tell of the cells that
// are done, each once though some are gone over several times, and to see whether the
// work is still wanted.
type watcher struct {
	ctx    context.Context
	tell   func(cells int64) // may be nil
	passes int64             // over the cells
	mu     sync.Mutex
	over   int64 // cells that were gone over, and not told of
	left   int64 // cells that were not told of
}

func (o *Options) watcher(ctx context.Context, cells int64) *watcher {
	w := &watcher{ctx: ctx, tell: o.Progress, passes: 1, left: cells}
	if o.Path && o.Mode == align.Local { // first where they end
		w.passes++
	}
	if o.Count {
		w.passes++
	}
	return w
}

// seen says that n more cells were gone over. The error is that of the context.
func (w *watcher) seen(n int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over += int64(n)
	if done := min(w.over/w.passes, w.left); done > 0 && w.tell != nil {
		w.over -= done * w.passes
		w.left -= done
		w.tell(done)
	}
	return w.ctx.Err()
}

// done says that all is.
func (w *watcher) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left > 0 && w.tell != nil {
		w.tell(w.left)
	}
	w.left = 0
}
