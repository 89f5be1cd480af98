package skel

import (
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// scratch is a stack of memory for the intermediate chunks of one group on the CPU: mark,
// take, release.
type scratch struct {
	buf []uint64
	top int

	// The elements that a producer has just computed, for its epilogue.
	elements     any          // a slice
	elementsOf   *array.Array // the array that the elements belong to
	elementsFrom int          // index of the first element in that array
}

var scratches = sync.Pool{New: func() any { return &scratch{buf: make([]uint64, 8192)} }}

// take returns n elements, not cleared. They are valid until the mark before them is
// released.
func take[T any](s *scratch, n int) []T {
	words := (n*driver.SizeOf[T]() + 63) / 64 * 8
	if s.top+words > len(s.buf) {
		// Elements taken earlier stay alive in the old memory.
		s.buf, s.top = make([]uint64, max(2*len(s.buf), 2*words)), 0
	}
	p := driver.Slice[T](driver.Bytes(s.buf[s.top : s.top+words]))[:n:n]
	s.top += words
	return p
}

type mark struct {
	buf []uint64
	top int
}

func (s *scratch) mark() mark { return mark{s.buf, s.top} }

func (s *scratch) release(m mark) {
	if len(m.buf) == len(s.buf) { // otherwise the memory has grown: keep the larger one
		s.top = m.top
	} else {
		s.top = 0
	}
}

// withScratch runs f with scratch memory.
func withScratch(f func(s *scratch)) {
	s := scratches.Get().(*scratch)
	s.top = 0
	defer func() {
		s.elements, s.elementsOf = nil, nil
		scratches.Put(s)
	}()
	f(s)
}
