package paged

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/internal/host"
)

// Pager holds the memory of a device that its pages share.
type Pager struct {
	dev   driver.Device
	info  driver.Info
	small int64 // buffers up to this size do not leave the device
	most  int64 // bytes of device memory for buffers
	id    int64 // unique
	pages atomic.Int64

	// Reclaim frees device memory that others keep for later, when the driver has none left; nil if
	// there is nobody. It is called in a call on a page.
	Reclaim func()

	calls sync.Mutex // held by one call on a page at a time, so that no two hold half of what both need

	mu       sync.Mutex
	changed  sync.Cond // memory may have become free; busy has changed
	busy     int       // transfers whose end makes memory free
	closed   bool
	limit    int64 // most, or less if others use the device's memory
	held     int64 // bytes of it that are allocated
	spare    map[int64][]driver.Buffer
	resident []*Buffer         // those in device memory, the most recently used last
	rooms    map[int64][]*room // host memory that no buffer uses
	idle     int64             // bytes of it
	stats    Stats
	sources  map[io.ReaderAt][]*Buffer // the buffers with a source, in its order
	moving   sync.WaitGroup            // transfers that are under way

	err error // of a call, until something returns it; guarded by queue.mu
}

// Stats counts the bytes that have been moved because a device has less memory than its pages.
type Stats struct {
	Loaded int64 // to the device, from the host or from a source
	Saved  int64 // to the host
}

// New returns a pager that uses at most limit bytes of the memory of dev for large buffers. A call
// on a page fails if its buffers need more.
func New(dev driver.Device, limit int64) *Pager {
	const small, parts = 64 << 10, 1024
	p := &Pager{
		dev: dev, info: dev.Info(), limit: limit, most: limit, small: min(small, limit/parts), id: pagers.Add(1),
		spare: map[int64][]driver.Buffer{}, rooms: map[int64][]*room{}, sources: map[io.ReaderAt][]*Buffer{},
	}
	p.changed.L = &p.mu
	return p
}

// pagers numbers the pagers.
var pagers atomic.Int64

// enter begins a call that uses memory of one or two pagers. Calls begin and end in the same order everywhere.
func enter(p, q *Pager) (exit func()) {
	if p == q {
		p.calls.Lock()
		return p.calls.Unlock
	}
	if q.id < p.id {
		p, q = q, p
	}
	p.calls.Lock()
	q.calls.Lock()
	return func() {
		q.calls.Unlock()
		p.calls.Unlock()
	}
}

// Stats returns what the pager has moved.
func (p *Pager) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Small returns the size up to which buffers are always in device memory.
func (p *Pager) Small() int64 { return p.small }

// Wait makes the calls that wait, and waits until nothing is being saved.
func (p *Pager) Wait() {
	makeAll()
	p.moving.Wait()
}

// Close frees the memory that no buffer uses, and lets buffers that are freed later free theirs.
func (p *Pager) Close() {
	p.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for p.dropSpare(0) {
	}
	for _, all := range p.rooms {
		for _, r := range all {
			r.release()
		}
	}
	clear(p.rooms)
	p.idle = 0
}

// Trim frees n bytes of the device's memory if it can, for others. What buffers hold is saved on the host.
func (p *Pager) Trim(n int64) {
	defer enter(p, p)()
	p.mu.Lock()
	defer p.mu.Unlock()
	for before := p.held; p.held > before-n; {
		if p.dropSpare(p.held - (before - n)) {
			continue
		}
		out := p.leaving(1, anyBuffer)
		if len(out) == 0 || p.evict(out[0]) != nil {
			return
		}
	}
}

// slotSize rounds a size up to one of eight steps in each doubling, so that memory can be
// reused for buffers of about the same size.
func (p *Pager) slotSize(n int64) int64 {
	step := max(int64(1)<<max(bits.Len64(uint64(n-1))-4, 0), 256)
	size := min((n+step-1)&^(step-1), max(p.most, n))
	if p.info.MaxAlloc > 0 {
		size = min(size, max(p.info.MaxAlloc, n))
	}
	return size
}

// slot returns device memory of the size, and makes room for it. The caller holds p.mu.
func (p *Pager) slot(size int64) (driver.Buffer, error) {
	reclaimed := false
	for {
		if all := p.spare[size]; len(all) > 0 {
			p.spare[size] = all[:len(all)-1]
			p.saveAhead(size)
			return all[len(all)-1], nil
		}
		if p.held+size <= p.limit {
			mem, err := p.dev.Alloc(size)
			if err == nil {
				p.held += size
				return mem, nil
			}
			if !errors.Is(err, driver.ErrMemory) {
				return nil, err
			}
			if !reclaimed {
				reclaimed = true
				p.reclaim()
				continue
			}
			if p.held == 0 {
				return nil, err
			}
			p.limit = p.held // others use the rest, for now
		}
		if p.replace(size) || p.dropSpare(p.held+size-p.limit) {
			continue
		}
		out := p.leaving(1, anyBuffer)
		switch {
		case len(out) > 0:
		case p.busy > 0:
			p.changed.Wait()
			continue
		case p.limit < p.most && !reclaimed: // others may no longer use it
			reclaimed, p.limit = true, p.most
			p.reclaim()
			continue
		default:
			return nil, p.tooLarge(size)
		}
		if err := p.evict(out[0]); err != nil {
			return nil, err
		}
	}
}

// replace makes memory of the size available at no cost if it can: that of a buffer that need not be saved, and for
// which no call waits. Memory of other sizes remains for later buffers, as far as it is little.
func (p *Pager) replace(size int64) bool {
	const most = 8 // a fraction of all memory
	unused := int64(0)
	for n, all := range p.spare {
		unused += n * int64(len(all))
	}
	if unused > p.limit/most {
		return false
	}
	out := p.leaving(1, func(b *Buffer) bool {
		return b.size == size && !b.Awaited() && b.saved(false) == nil && !b.dirty
	})
	if len(out) == 0 {
		return false
	}
	p.leave(out[0])
	return true
}

// replaceNeeded is replace for a buffer for which calls wait, unless one has been read in advance: with two buffers of
// the size, one can be read while the other is used.
func (p *Pager) replaceNeeded(size int64) bool {
	if slices.ContainsFunc(p.resident, func(b *Buffer) bool { return b.early && b.size == size }) {
		return false
	}
	for _, b := range p.resident[p.recent():] {
		if b.size == size && b.free() && b.saved(false) == nil && !b.dirty {
			p.leave(b)
			return true
		}
	}
	return false
}

// reclaim calls Reclaim, which may free buffers of pages.
func (p *Pager) reclaim() {
	if p.Reclaim != nil {
		p.mu.Unlock()
		p.Reclaim()
		p.mu.Lock()
	}
}

// tooLarge returns the error of a call whose buffers need more memory than there is.
func (p *Pager) tooLarge(size int64) error {
	used := size
	for _, b := range p.resident {
		if b.pins > 0 {
			used += b.size
		}
	}
	if p.limit < p.most {
		return fmt.Errorf("%w: one call needs %d bytes at once, and others have left %d",
			driver.ErrMemory, used, p.limit)
	}
	return fmt.Errorf("%w: one call needs %d bytes at once, and %d may be used (SKEL_MEMORY)",
		driver.ErrMemory, used, p.limit)
}

// dropSpare frees one piece of memory that no buffer uses: the smallest of at least n bytes, or else the largest. It
// reports whether there was one.
func (p *Pager) dropSpare(n int64) bool {
	var best int64
	for size, all := range p.spare {
		if len(all) == 0 {
			delete(p.spare, size)
		} else if best == 0 || size >= n && (size < best || best < n) || size < n && best < size {
			best = size
		}
	}
	if best == 0 {
		return false
	}
	all := p.spare[best]
	last := len(all) - 1
	p.held -= best
	p.spare[best] = all[:last]
	_ = all[last].Free() // the driver no longer counts on it
	return true
}

// recent returns the index in resident of the first of the buffers that were used last, for which there is a quarter of
// the memory.
func (p *Pager) recent() int {
	var passing int64
	first := len(p.resident)
	for first > 0 {
		first--
		if passing += p.resident[first].size; passing-p.resident[first].size >= p.limit/4 {
			break
		}
	}
	return first
}

func anyBuffer(*Buffer) bool { return true }

// leaving returns up to n buffers that leave the device next, of those for which ok reports true. Those that calls wait
// for leave after all others.
func (p *Pager) leaving(n int, ok func(*Buffer) bool) []*Buffer {
	first := p.recent()
	var out []*Buffer
	for _, awaited := range []bool{false, true} {
		take := func(b *Buffer) {
			if len(out) < n && b.Awaited() == awaited && b.free() && ok(b) {
				out = append(out, b)
			}
		}
		for _, b := range p.resident[first:] {
			take(b)
		}
		for _, b := range slices.Backward(p.resident[:first]) {
			if len(out) == n {
				break
			}
			take(b)
		}
	}
	return out
}

// saveAhead starts to save the buffers that are to leave when the memory for the next buffers of a
// size is needed.
func (p *Pager) saveAhead(size int64) {
	const most = 3
	if p.held+size <= p.limit {
		return
	}
	for _, b := range p.leaving(most, anyBuffer) {
		if b.dirty && !b.Awaited() { // a call that waits may be the last one that needs it
			_ = b.save() // the error returns when the buffer leaves
		}
	}
}

// evict takes a buffer out of the device's memory.
func (p *Pager) evict(b *Buffer) error {
	for b.dirty { // twice if a save of earlier contents is under way
		if err := b.save(); err != nil {
			return err
		}
		if err := b.saved(true); err != nil {
			return err
		}
	}
	p.leave(b)
	return nil
}

// leave makes the device memory of a buffer available to others.
func (p *Pager) leave(b *Buffer) {
	p.release(b.size, b.mem)
	p.drop(b)
}

// drop removes a buffer from those in device memory.
func (p *Pager) drop(b *Buffer) {
	b.mem, b.loading, b.early = nil, nil, false
	if i := slices.Index(p.resident, b); i >= 0 {
		p.resident = slices.Delete(p.resident, i, i+1)
	}
}

// release makes device memory available.
func (p *Pager) release(size int64, mem driver.Buffer) {
	p.changed.Broadcast()
	if p.closed {
		p.held -= size
		_ = mem.Free() // there is no caller to return the error to
		return
	}
	p.spare[size] = append(p.spare[size], mem)
}

// touch makes a buffer in device memory the most recently used one.
func (p *Pager) touch(b *Buffer) {
	i := slices.Index(p.resident, b)
	copy(p.resident[i:], p.resident[i+1:])
	p.resident[len(p.resident)-1] = b
}

// room is host memory.
type room struct {
	mem  []byte
	free func() // nil if the garbage collector frees it
}

// room returns n bytes of host memory.
func (p *Pager) room(n int64) (*room, error) {
	if all := p.rooms[n]; len(all) > 0 {
		p.rooms[n] = all[:len(all)-1]
		p.idle -= n
		return all[len(all)-1], nil
	}
	mem, free, err := host.Alloc(n)
	if err != nil {
		return nil, fmt.Errorf("%d bytes on the host for what the device has no room for: %w", n, err)
	}
	return &room{mem, free}, nil
}

const mostIdle = 1 << 30 // bytes of host memory that no buffer uses

// keepRoom keeps host memory for later calls of room, but not much.
func (p *Pager) keepRoom(r *room) {
	n := int64(len(r.mem))
	if p.closed || p.idle+n > min(p.most/4, mostIdle) {
		r.release()
		return
	}
	p.rooms[n] = append(p.rooms[n], r)
	p.idle += n
}

func (r *room) release() {
	if r.free != nil {
		r.free()
	}
}

// access says what a call does with a buffer.
type access int

const (
	reads access = iota
	changes
	overwrites // the whole buffer
)

// use brings a buffer into device memory, where it stays until done is called. The caller holds p.calls.
func (p *Pager) use(b *Buffer, a access) (driver.Buffer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pin(b, a)
}

// pin is use for callers that hold p.mu.
func (p *Pager) pin(b *Buffer, a access) (driver.Buffer, error) {
	if b.freed && b.calls.Load() == 0 {
		return nil, errors.New("paged: use of a freed buffer")
	}
	if b.fixed {
		return b.mem, nil
	}
	if err := b.saved(false); err != nil {
		return nil, err
	}
	load := b.mem == nil && b.filled && a != overwrites
	if b.mem == nil {
		mem, err := p.slot(b.size)
		if err != nil {
			return nil, err
		}
		b.mem = mem
		p.resident = append(p.resident, b)
	} else {
		p.touch(b)
	}
	b.early = false
	if b.src != nil { // first, so that nothing waits while b is read
		b.pins++
		p.readAhead(b)
		b.pins--
	}
	if b.loaded() != nil { // is read again
		load = a != overwrites
	}
	if load {
		if err := b.load(); err != nil {
			p.leave(b)
			return nil, err
		}
		p.stats.Loaded += b.n
	}
	if a != reads {
		b.change()
		b.dirty = true
	}
	b.pins++
	return b.mem, nil
}

// done ends the use of buffers.
func (p *Pager) done(all ...*Buffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range all {
		if !b.fixed {
			b.pins--
		}
	}
}
