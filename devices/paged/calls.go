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
	round  int    // over the pages, see readyCalls
	what   string // for errors
	uses   []use
	do     func(mem []driver.Buffer) (driver.Event, error) // with the memory of uses, unless
	places bool                                            // it brings them into memory itself

	waits  int     // number of before that have not been made
	before []*call // those that have to be made first
	after  []*call // those that have this one in before

	dropped bool // nothing needs it, and it no longer counts in the calls of its buffers
	begun   bool // it is being made
	made    bool
	event   driver.Event
	err     error
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
	if err := c.fits(); err != nil {
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
		queue.ready.add(c, false)
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

// fits returns an error if the buffers of a call cannot be in device memory together, though it needs that, or are
// freed.
func (c *call) fits() error {
	need := map[*Pager]int64{}
	for i, u := range c.uses {
		b := u.buf
		b.pager.mu.Lock()
		freed := b.freed
		b.pager.mu.Unlock()
		if freed {
			return errors.New("paged: use of a freed buffer")
		}
		if c.places || b.fixed || slices.ContainsFunc(c.uses[:i], func(o use) bool { return o.buf == b }) {
			continue
		}
		need[b.pager] += b.size
		if n, most := need[b.pager], b.pager.most; n > most {
			for _, o := range c.uses[i+1:] {
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

// makeAll makes all calls, page by page: those of one that need not wait for another page first, then those of the next
// one, so that what is read ahead is used.
func makeAll() {
	queue.making.Lock()
	defer queue.making.Unlock()
	queue.mu.Lock()
	queue.ready.begin()
	queue.mu.Unlock()
	for {
		queue.mu.Lock()
		c := queue.ready.next()
		queue.mu.Unlock()
		if c == nil {
			return
		}
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

// make makes a call, unless nothing needs it any more. The caller holds queue.making.
func (c *call) make() {
	queue.mu.Lock()
	c.begun = true
	dropped := c.dropped
	queue.mu.Unlock()
	ev, err := driver.Done, error(nil)
	if !dropped {
		ev, err = c.attempt()
	}
	queue.mu.Lock()
	used, ready := c.end(ev, err)
	queue.mu.Unlock()
	if !dropped {
		leave(used)
	}
	for _, d := range ready {
		here := d.here()
		queue.mu.Lock()
		queue.ready.add(d, here)
		queue.mu.Unlock()
	}
}

// here reports whether all that a call needs is in device memory.
func (c *call) here() bool {
	for _, u := range c.uses {
		b := u.buf
		b.pager.mu.Lock()
		here := b.mem != nil || !b.filled || u.how == overwrites
		b.pager.mu.Unlock()
		if !here {
			return false
		}
	}
	return true
}

// leave notes that calls have ended which used buffers.
func leave(all []use) {
	for _, u := range all {
		u.buf.leave()
	}
}

// drop leaves out calls that nothing needs any more: the given one, nil for none, if all that it changes is over and no
// call that waits reads it, and then those that only it needed. They stay in the queue, because others wait for what
// they wait for, but do nothing.
func drop(c *call) {
	queue.mu.Lock()
	var used []use
	for all := []*call{c}; len(all) > 0; {
		c := all[len(all)-1]
		if all = all[:len(all)-1]; c == nil || c.begun || c.made || c.dropped || c.needed() {
			continue
		}
		c.dropped, c.do = true, nil
		all = append(all, c.before...)
		used = append(used, c.uses...)
	}
	queue.mu.Unlock()
	leave(used)
}

// needed reports whether something can see what the call changes. The caller holds queue.mu.
func (c *call) needed() bool {
	for _, u := range c.uses {
		if u.how == reads || u.buf.neutral {
			continue
		}
		if u.life == u.buf.life {
			return true
		}
		for _, d := range c.after {
			if !d.dropped && slices.ContainsFunc(d.uses, func(v use) bool {
				return v.buf == u.buf && v.life == u.life && v.how != overwrites
			}) {
				return true
			}
		}
	}
	return false
}

// end notes that a call has been made. It returns the buffers that it used, and the calls that only waited for it. The
// caller holds queue.mu.
func (c *call) end(ev driver.Event, err error) (used []use, ready []*call) {
	c.made, c.event, c.err = true, ev, err
	queue.waiting--
	if p := c.page.pager; err != nil && p.err == nil {
		p.err = err
	}
	for _, u := range c.uses {
		b := u.buf
		if u.how != reads && !b.neutral && !c.dropped {
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
			ready = append(ready, d)
		}
	}
	used = c.uses
	c.uses, c.do, c.before, c.after = nil, nil, nil, nil
	return used, ready
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
	made, dropped := e.c.made, e.c.dropped
	queue.mu.Unlock()
	if dropped {
		return nil
	}
	if !made {
		makeFor(e.c)
	}
	if e.c.err != nil {
		e.c.page.pager.seen(e.c.err)
		return e.c.err
	}
	return e.c.event.Wait()
}

// Made reports whether the call has been made without an error.
func (e event) Made() bool {
	queue.mu.Lock()
	defer queue.mu.Unlock()
	return e.c.dropped || e.c.made && e.c.err == nil
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

// readyCalls holds the calls that need not wait for others, in a heap. They are made in rounds over the pages: a call
// that becomes ready when its page is over is of the next round, unless all that it needs is in device memory: then it
// is made next, before something leaves that would have to be saved.
type readyCalls struct {
	heap  callHeap
	round int
	page  *Device // the page of the last call; nil before the first
}

func (r *readyCalls) add(c *call, here bool) {
	if len(r.heap) > mostCalls { // makeFor leaves calls here that it has made
		r.heap = slices.DeleteFunc(r.heap, func(c *call) bool { return c.made })
		heap.Init(&r.heap)
	}
	c.round = r.round
	if !here && r.page != nil && comparePages(c.page, r.page) < 0 {
		c.round++
	}
	heap.Push(&r.heap, c)
}

// begin begins at the first page.
func (r *readyCalls) begin() {
	r.round, r.page = 0, nil
	for _, c := range r.heap {
		c.round = 0
	}
	heap.Init(&r.heap)
}

// next removes and returns the call that is made next, or nil if there is none.
func (r *readyCalls) next() *call {
	for len(r.heap) > 0 {
		if c := heap.Pop(&r.heap).(*call); !c.made {
			r.round, r.page = c.round, c.page
			return c
		}
	}
	return nil
}

// comparePages orders pages by their number. Those of several devices alternate, so that all devices are busy.
func comparePages(a, b *Device) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.pager.id, b.pager.id))
}

// callHeap has at index 0 the call that is made next.
type callHeap []*call

func (h callHeap) Len() int { return len(h) }
func (h callHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(cmp.Compare(a.round, b.round), comparePages(a.page, b.page), cmp.Compare(a.number, b.number)) < 0
}
func (h callHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *callHeap) Push(c any)   { *h = append(*h, c.(*call)) }
func (h *callHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return c
}
