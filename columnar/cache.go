package columnar

import (
	"container/list"
	"fmt"
	"sync"
)

// decodedLimit is how many bytes of decoded values a container keeps.
const decodedLimit = 256 << 20

// place names a part of a file that is decoded at once: a column of a row group or record batch.
type place struct{ column, chunk int }

// decoded is the values of such a part, in this machine's order. An element that is null is arbitrary, and
// its bit in valid is not set. If nothing is null, valid is nil.
type decoded struct {
	values, valid []byte
}

func (d *decoded) size() int { return len(d.values) + len(d.valid) }

// cache keeps the parts that were used last. Goroutines that need the same part wait for one of them to decode it.
type cache struct {
	limit int // bytes
	least int // parts that are kept even if they have more bytes

	mu    sync.Mutex
	bytes int                     // of the parts that are decoded
	parts map[place]*list.Element // of recent
	used  list.List               // of *part, the last one used first
}

type part struct {
	at   place
	done chan struct{} // closed when the part is decoded
	decoded
	err error
}

func newCache(limit, least int) *cache {
	return &cache{limit: limit, least: least, parts: map[place]*list.Element{}}
}

// get returns a part, which decode returns if it is not in the cache. A part with an error is not kept.
func (c *cache) get(at place, decode func() (decoded, error)) (decoded, error) {
	c.mu.Lock()
	if e, ok := c.parts[at]; ok {
		c.used.MoveToFront(e)
		p := e.Value.(*part)
		c.mu.Unlock()
		<-p.done
		return p.decoded, p.err
	}
	p := &part{at: at, done: make(chan struct{})}
	e := c.used.PushFront(p)
	c.parts[at] = e
	c.mu.Unlock()

	p.decoded, p.err = recovered(decode)

	c.mu.Lock()
	defer c.mu.Unlock()
	close(p.done)
	if p.err != nil {
		c.drop(e)
		return decoded{}, p.err
	}
	c.bytes += p.size()
	for e := c.used.Back(); e != nil && c.bytes > c.limit && c.used.Len() > c.least; {
		older, before := e, e.Prev()
		if q := older.Value.(*part); q != p && q.finished() {
			c.bytes -= q.size()
			c.drop(older)
		}
		e = before
	}
	return p.decoded, nil
}

func (c *cache) drop(e *list.Element) {
	delete(c.parts, e.Value.(*part).at)
	c.used.Remove(e)
}

func (p *part) finished() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// recovered calls decode. Decoders of libraries may panic if a file is damaged.
func recovered[T any](decode func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is damaged: %v", p)
		}
	}()
	return decode()
}
