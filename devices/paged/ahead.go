package paged

import (
	"cmp"
	"reflect"
	"slices"

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

// after returns the buffer that follows b in its source, or nil. What is between them is on another
// device.
func (p *Pager) after(b *Buffer) *Buffer {
	if !reflect.ValueOf(b.src).Comparable() {
		return nil
	}
	all := p.sources[b.src]
	if i := slices.Index(all, b); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return nil
}

// remember adds a buffer to those of its source.
func (b *Buffer) remember() {
	if !reflect.ValueOf(b.src).Comparable() { // it cannot be the key of a map
		return
	}
	all := b.pager.sources[b.src]
	i, _ := slices.BinarySearchFunc(all, b.at, func(o *Buffer, at int64) int { return cmp.Compare(o.at, at) })
	b.pager.sources[b.src] = slices.Insert(all, i, b)
}

// vacant returns device memory for which no buffer has to be saved, or nil if there is none.
func (p *Pager) vacant(size int64) driver.Buffer {
	if len(p.spare[size]) == 0 && p.held+size > p.limit && !p.replace(size) && !p.replaceNeeded(size) {
		return nil
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
		all := b.pager.sources[b.src]
		if i := slices.Index(all, b); i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
		if b.pager.sources[b.src] = all; len(all) == 0 {
			delete(b.pager.sources, b.src)
		}
	}
	b.src = nil
}
