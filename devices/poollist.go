package devices

import "github.com/skelgo/skelgo/devices/driver"

// poolLists holds buffers in the order in which they arrived, in one list of
// all buffers and one for each class. The links are indices into a slice that
// is reused, so adding and removing buffers creates no garbage.
type poolLists struct {
	entries []poolEntry   // entry 0 is the head of the ring of all buffers
	spare   int           // the first unused entry, linked by all.next; 0 means none
	rings   map[int64]int // the head of each class's ring

	class int64 // the class of the last search and its ring: speeds up small calls
	ring  int
}

// poolEntry is a buffer or the head of a ring. The head's next is the newest
// buffer and its prev the oldest.
type poolEntry struct {
	buf        driver.Buffer
	all, class links
}

type links struct{ prev, next int }

func (l *poolLists) init() {
	l.entries = make([]poolEntry, 1)
	l.rings = map[int64]int{}
}

// take returns an unused entry.
func (l *poolLists) take() int {
	if i := l.spare; i != 0 {
		l.spare = l.entries[i].all.next
		return i
	}
	l.entries = append(l.entries, poolEntry{})
	return len(l.entries) - 1
}

// add adds a buffer as the newest of its class.
func (l *poolLists) add(class int64, b driver.Buffer) {
	ring := l.find(class)
	if ring == 0 {
		ring = l.take()
		l.entries[ring].class = links{ring, ring}
		l.rings[class] = ring
	}
	i := l.take()
	e := l.entries
	x := &e[i] // field by field: reading parts of a single wide store is slow
	x.buf = b
	x.all.prev, x.all.next = 0, e[0].all.next
	x.class.prev, x.class.next = ring, e[ring].class.next
	e[x.all.next].all.prev, e[0].all.next = i, i
	e[x.class.next].class.prev, e[ring].class.next = i, i
}

// find returns the head of the ring of a class, or 0 if there is none.
func (l *poolLists) find(class int64) int {
	if class != l.class {
		ring := l.rings[class]
		if ring == 0 {
			return 0
		}
		l.class, l.ring = class, ring
	}
	return l.ring
}

// newest removes and returns the newest buffer of a class, or nil if there is
// none.
func (l *poolLists) newest(class int64) driver.Buffer {
	ring := l.find(class)
	if ring == 0 {
		return nil
	}
	if i := l.entries[ring].class.next; i != ring {
		return l.remove(i)
	}
	return nil
}

// oldestOf removes and returns the oldest buffer of a class if ok reports true for it; otherwise it returns nil.
func (l *poolLists) oldestOf(class int64, ok func(driver.Buffer) bool) driver.Buffer {
	ring := l.find(class)
	if ring == 0 {
		return nil
	}
	if i := l.entries[ring].class.prev; i != ring && ok(l.entries[i].buf) {
		return l.remove(i)
	}
	return nil
}

// oldest removes and returns the oldest buffer of all. The lists must not be
// empty.
func (l *poolLists) oldest() driver.Buffer { return l.remove(l.entries[0].all.prev) }

func (l *poolLists) remove(i int) driver.Buffer {
	e := l.entries
	x := &e[i]
	e[x.all.prev].all.next, e[x.all.next].all.prev = x.all.next, x.all.prev
	e[x.class.prev].class.next, e[x.class.next].class.prev = x.class.next, x.class.prev
	b := x.buf
	x.buf, x.all.next = nil, l.spare
	l.spare = i
	return b
}
