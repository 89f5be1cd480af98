package paged

import (
	"reflect"

	"github.com/skelgo/skelgo/devices/driver"
)

// ahead is the number of buffers that are read in advance. With one, nothing would be read while a
// buffer has been read and the next call has not begun.
const ahead = 2

// readAhead starts to read the buffers that follow b in its source, because calls usually use them in this
// order. It stops at one for which a buffer would have to be saved first.
func (p *Pager) readAhead(b *Buffer) {
	next := b
	for range ahead {
		if next = p.after(next); next == nil {
			return
		}
		if next.mem != nil {
			continue
		}
		mem := p.vacant(next.size)
		if mem == nil {
			return
		}
		next.mem, next.early = mem, true
		p.busy++
		p.resident = append(p.resident, next)
		p.stats.Loaded += next.n
		l := &load{done: make(chan struct{})}
		next.loading = l
		n, src, at := next.n, next.src, next.at
		p.moving.Go(func() {
			l.err = driver.Fill(mem, false, 0, n, src, at)
			close(l.done)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.busy--
			p.changed.Broadcast()
		})
	}
}

// after returns the buffer that follows b in its source, or nil.
func (p *Pager) after(b *Buffer) *Buffer {
	if !reflect.ValueOf(b.src).Comparable() {
		return nil
	}
	return p.starts[start{b.src, b.at + b.n}]
}

// vacant returns device memory for which no buffer has to be saved, and none that was itself read in advance
// has to leave, or nil.
func (p *Pager) vacant(size int64) driver.Buffer {
	if len(p.spare[size]) == 0 && p.held+size > p.limit {
		out := p.leaving(1)
		if len(out) == 0 || out[0].size != size || out[0].saved(false) != nil || out[0].dirty || out[0].early {
			return nil
		}
		p.leave(out[0])
	}
	mem, err := p.slot(size)
	if err != nil {
		return nil
	}
	return mem
}

// loaded waits until a buffer that is being read in advance has been read.
func (b *Buffer) loaded() error {
	l := b.loading
	if l == nil {
		return nil
	}
	<-l.done
	b.loading = nil
	return l.err
}

// free reports whether the buffer can leave the device now.
func (b *Buffer) free() bool {
	if b.pins > 0 {
		return false
	}
	if b.loading == nil {
		return true
	}
	select {
	case <-b.loading.done:
		return true
	default:
		return false
	}
}

// forget notes that the source no longer has the contents.
func (b *Buffer) forget() {
	if b.src != nil && reflect.ValueOf(b.src).Comparable() {
		if s := (start{b.src, b.at}); b.pager.starts[s] == b {
			delete(b.pager.starts, s)
		}
	}
	b.src = nil
}
