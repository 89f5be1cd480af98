package devices

import "github.com/skelgo/skelgo/devices/driver"

// poolLists holds buffers in the order in which they came, all of them and those
// of each class. The links are numbers, in a slice that is used again, so that
// the comings and goings of buffers leave no garbage.
type poolLists struct {
	entries []poolEntry   // entry 0 is the ring of all
	spare   int           // an entry that is not used, and by its own next another; 0: none
	rings   map[int64]int // by class, its ring's own entry

	class int64 // the class that was asked for last, and its ring: for small calls
	ring  int
}

// poolEntry is a buffer, or the place where a ring begins: next is then the
// newest, prev the oldest.
type poolEntry struct {
	buf        driver.Buffer
	all, class links
}

type links struct{ prev, next int }

func (l *poolLists) init() {
	l.entries = make([]poolEntry, 1)
	l.rings = map[int64]int{}
}

// take gives an unused entry.
func (l *poolLists) take() int {
	if i := l.spare; i != 0 {
		l.spare = l.entries[i].all.next
		return i
	}
	l.entries = append(l.entries, poolEntry{})
	return len(l.entries) - 1
}

// add puts a buffer in as the newest of its class.
func (l *poolLists) add(class int64, b driver.Buffer) {
	ring := l.find(class)
	if ring == 0 {
		ring = l.take()
		l.entries[ring].class = links{ring, ring}
		l.rings[class] = ring
	}
	i := l.take()
	e := l.entries
	x := &e[i] // field by field: what is written whole is slow to be read in parts
	x.buf = b
	x.all.prev, x.all.next = 0, e[0].all.next
	x.class.prev, x.class.next = ring, e[ring].class.next
	e[x.all.next].all.prev, e[0].all.next = i, i
	e[x.class.next].class.prev, e[ring].class.next = i, i
}

// find gives the ring of a class, 0 when there is none.
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

// newest takes out the newest buffer of a class; nil when there is none.
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

// oldest takes out the oldest buffer of all, of which there must be one.
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
