package paged

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// call is a launch, a copy or a write that is made later.
type call struct {
	page   *Device
	number uint64 // in the order of the program
	what   string // for errors
	uses   []use
	do     func(mem []driver.Buffer) (driver.Event, error) // with the memory of uses, unless
	places bool                                            // it brings them into memory itself

	waits  int     // number of before that have not been made
	before []*call // those that have to be made first
	after  []*call // those that have this one in before

	made  bool
	event driver.Event
	err   error
}

// use is a buffer that a call uses.
type use struct {
	buf  *Buffer
	how  access
	life uint64 // of buf, see Buffer.Recycle
}

// mostCalls is the number of calls after which those that wait are made, so that a program that never reads anything
// does not fill the memory of the host with them.
const mostCalls = 1 << 16

// queue holds the calls that wait, of all pagers.
var queue struct {
	making sync.Mutex // held while calls are made, before the calls of a pager

	mu      sync.Mutex // the last that is locked
	ready   readyCalls
	waiting int
	number  uint64
}

// later enqueues a call.
func later(c *call) (driver.Event, error) {
	uses := c.uses
	if err := fits(uses); err != nil {
		return nil, err
	}
	queue.mu.Lock()
	queue.number++
	c.number = queue.number
	for i := range uses {
		u := &uses[i]
		b := u.buf
		u.life = b.life
		b.calls.Add(1)
		c.wait(b.writer)
		if u.how == reads {
			b.readers = append(b.readers, c)
			continue
		}
		for _, r := range b.readers {
			c.wait(r)
		}
		b.writer, b.readers = c, b.readers[:0]
	}
	if c.waits == 0 {
		queue.ready.add(c)
	}
	queue.waiting++
	full := queue.waiting >= mostCalls
	queue.mu.Unlock()
	if full {
		makeAll()
	}
	return event{c}, nil
}

// wait notes that a call has to be made after b.
func (c *call) wait(b *call) {
	if b != nil && b != c && !b.made {
		c.waits++
		c.before = append(c.before, b)
		b.after = append(b.after, c)
	}
}

// fits returns an error if the buffers of a call cannot be in device memory together, or are freed.
func fits(uses []use) error {
	need := map[*Pager]int64{}
	for i, u := range uses {
		b := u.buf
		b.pager.mu.Lock()
		freed := b.freed
		b.pager.mu.Unlock()
		if freed {
			return errors.New("paged: use of a freed buffer")
		}
		if b.fixed || slices.ContainsFunc(uses[:i], func(o use) bool { return o.buf == b }) {
			continue
		}
		need[b.pager] += b.size
		if n, most := need[b.pager], b.pager.most; n > most {
			for _, o := range uses[i+1:] {
				if !o.buf.fixed {
					n += o.buf.size
				}
			}
			return fmt.Errorf("%w: one call needs %d bytes at once, and %d may be used (SKEL_MEMORY)",
				driver.ErrMemory, n, most)
		}
	}
	return nil
}

// makeAll makes all calls: those of one page that need not wait for another page first, then those of the next page.
func makeAll() {
	queue.making.Lock()
	defer queue.making.Unlock()
	var page *Device
	for {
		queue.mu.Lock()
		c := queue.ready.next(page)
		queue.mu.Unlock()
		if c == nil {
			return
		}
		page = c.page
		c.make()
	}
}

// makeFor makes a call, nil for none, and those that it needs, in the order of the program.
func makeFor(last *call) {
	queue.making.Lock()
	defer queue.making.Unlock()
	var need []*call
	seen := map[*call]bool{}
	queue.mu.Lock()
	for add := []*call{last}; len(add) > 0; {
		c := add[len(add)-1]
		add = add[:len(add)-1]
		if c == nil || c.made || seen[c] {
			continue
		}
		seen[c] = true
		need = append(need, c)
		add = append(add, c.before...)
	}
	queue.mu.Unlock()
	slices.SortFunc(need, func(c, d *call) int { return cmp.Compare(c.number, d.number) })
	for _, c := range need {
		c.make()
	}
}

// make makes a call. The caller holds queue.making.
func (c *call) make() {
	ev, err := c.attempt()
	for _, u := range c.end(ev, err) {
		u.buf.leave()
	}
}

// end notes that a call has been made, and returns the buffers that it used.
func (c *call) end(ev driver.Event, err error) []use {
	queue.mu.Lock()
	defer queue.mu.Unlock()
	c.made, c.event, c.err = true, ev, err
	queue.waiting--
	if p := c.page.pager; err != nil && p.err == nil {
		p.err = err
	}
	for _, u := range c.uses {
		b := u.buf
		if u.how != reads {
			b.bad, b.badLife = err, u.life
		}
		if b.writer == c {
			b.writer = nil
		}
		if i := slices.Index(b.readers, c); i >= 0 {
			b.readers = slices.Delete(b.readers, i, i+1)
		}
	}
	for _, d := range c.after {
		if d.waits--; d.waits == 0 {
			queue.ready.add(d)
		}
	}
	used := c.uses
	c.uses, c.do, c.before, c.after = nil, nil, nil, nil
	return used
}

// leave notes that a call that uses the buffer has been made.
func (b *Buffer) leave() {
	p := b.pager
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.calls.Add(-1) == 0 && b.freed {
		_ = b.giveBack() // there is no caller to return the error to
	}
}

// attempt brings the buffers of a call into memory and makes it.
func (c *call) attempt() (_ driver.Event, err error) {
	for _, u := range c.uses {
		if err := u.wrong(); err != nil {
			return nil, err
		}
	}
	p, q := c.page.pager, c.page.pager
	order := make([]int, len(c.uses)) // what is read first, because a target changes only if the others can be read
	for i, u := range c.uses {
		order[i] = i
		if u.buf.pager != p {
			q = u.buf.pager
		}
	}
	defer enter(p, q)()
	if c.places {
		return c.do(nil)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.uses[i].how, c.uses[j].how) })
	mem := make([]driver.Buffer, len(c.uses))
	for _, i := range order {
		b := c.uses[i].buf
		if mem[i], err = b.pager.use(b, c.uses[i].how); err != nil {
			return nil, c.failed(err)
		}
		defer b.pager.done(b)
	}
	ev, err := c.do(mem)
	if err != nil {
		return nil, c.failed(err)
	}
	return ev, nil
}

// wrong returns why a buffer does not have the contents that a call needs.
func (u use) wrong() error {
	if u.how == overwrites {
		return nil
	}
	queue.mu.Lock()
	defer queue.mu.Unlock()
	return u.buf.wrong(u.life)
}

// wrong returns why a buffer does not have the contents that it should have in one of its lives.
func (b *Buffer) wrong(life uint64) error {
	if b.badLife != life {
		return nil
	}
	return b.bad
}

func (c *call) failed(err error) error {
	if c.what == "" {
		return err
	}
	return fmt.Errorf("%s: %w", c.what, err)
}

// event is the end of a call.
type event struct{ c *call }

// Wait makes the call, and those that it needs, and waits for it.
func (e event) Wait() error {
	queue.mu.Lock()
	made := e.c.made
	queue.mu.Unlock()
	if !made {
		makeFor(e.c)
	}
	if e.c.err != nil {
		e.c.page.pager.seen(e.c.err)
		return e.c.err
	}
	return e.c.event.Wait()
}

// Elapsed returns the time on the device.
func (e event) Elapsed() time.Duration {
	if e.c.event == nil {
		return 0
	}
	return e.c.event.Elapsed()
}

// seen notes that an error has been returned.
func (p *Pager) seen(err error) {
	queue.mu.Lock()
	defer queue.mu.Unlock()
	if p.err == err {
		p.err = nil
	}
}

// Make makes the calls that wait. It returns an error of one that failed if nothing has returned it yet.
func (p *Pager) Make() error {
	makeAll()
	queue.mu.Lock()
	defer queue.mu.Unlock()
	err := p.err
	p.err = nil
	return err
}

// readyCalls holds the calls that need not wait for others.
type readyCalls struct {
	all    callHeap
	ofPage map[*Device]*callHeap
}

func (r *readyCalls) add(c *call) {
	if r.ofPage == nil {
		r.ofPage = map[*Device]*callHeap{}
	}
	h := r.ofPage[c.page]
	if h == nil {
		h = new(callHeap)
		r.ofPage[c.page] = h
	}
	heap.Push(h, c)
	heap.Push(&r.all, c)
}

// next removes and returns the first call of the page or, if there is none, the first one of all.
func (r *readyCalls) next(page *Device) *call {
	for _, h := range []*callHeap{r.ofPage[page], &r.all} {
		for h != nil && len(*h) > 0 {
			if c := heap.Pop(h).(*call); !c.made {
				return c
			}
		}
	}
	return nil
}

// callHeap has the first call in the order of the program at index 0.
type callHeap []*call

func (h callHeap) Len() int           { return len(h) }
func (h callHeap) Less(i, j int) bool { return h[i].number < h[j].number }
func (h callHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *callHeap) Push(c any)        { *h = append(*h, c.(*call)) }
func (h *callHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return c
}
