package mpi

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// All ranks make the same calls in the same order. Each keeps its latest calls and a hash of
// all of them, which every message carries, so that a rank that has gone another way is
// found by the first message that another rank receives from it, before its bytes are used.

// call is one call.
type call struct {
	hash  uint64 // of this call and all before it
	what  string // "Map(square)", "read"
	on    string // the device's ID; "" for none
	count int64  // bytes, or the groups of a launch
}

func (c *call) String() string {
	s := c.what
	if c.on != "" {
		s += " on " + c.on
	}
	if c.count > 0 {
		s += fmt.Sprintf(" (%d)", c.count)
	}
	return s
}

// kept is the number of calls that a rank keeps to name them.
const kept = 1 << 10

// hashes is the number of calls whose hashes are kept, so that ranks that are farther apart still find
// that they disagree.
const hashes = 1 << 16

// history is the calls of this rank.
type history struct {
	n     uint64 // number of calls so far
	hash  uint64
	calls [kept]call
	old   [hashes]uint64
}

// The constants of FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func mix(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return (h ^ uint64(len(s))) * fnvPrime
}

// add adds a call.
func (h *history) add(what, on string, count int64) {
	x := h.hash
	if h.n == 0 {
		x = fnvOffset
	}
	x = mix(mix(x, what), on)
	x = (x ^ uint64(count)) * fnvPrime
	h.hash = x ^ x>>29
	h.calls[h.n%kept] = call{h.hash, what, on, count}
	h.old[h.n%hashes] = h.hash
	h.n++
}

// at returns call number i, counted from 0, if the history still has it.
func (h *history) at(i uint64) *call {
	if i >= h.n || i+kept < h.n {
		return nil
	}
	return &h.calls[i%kept]
}

// A state is what a message says of its sender's calls: their number, and the last of them.
const (
	told      = 6 // the number of calls in a state
	textSize  = 48
	callSize  = 16 + textSize
	stateSize = 8 + told*callSize + 8
	flagAt    = stateSize - 8 // 1 if the sender has found that ranks have gone different ways
)

// state writes the state to p, which has stateSize bytes.
func (h *history) state(p []byte) {
	binary.LittleEndian.PutUint64(p, h.n)
	for i := range uint64(min(told, h.n)) {
		c, q := h.at(h.n-1-i), p[8+callSize*i:][:callSize]
		binary.LittleEndian.PutUint64(q, c.hash)
		binary.LittleEndian.PutUint64(q[8:], uint64(c.count))
		n := copy(q[16:], c.what)
		if c.on != "" && n < textSize-4 {
			n += copy(q[16+n:], "\x01"+c.on)
		}
		clear(q[16+n:])
	}
}

// numberOf returns the number of calls in a state.
func numberOf(state []byte) uint64 { return binary.LittleEndian.Uint64(state) }

// theirs returns call n-1-i of a state.
func theirs(state []byte, i uint64) call {
	q := state[8+callSize*i:][:callSize]
	text, _, _ := strings.Cut(string(q[16:]), "\x00")
	what, on, _ := strings.Cut(text, "\x01")
	return call{binary.LittleEndian.Uint64(q), what, on, int64(binary.LittleEndian.Uint64(q[8:]))}
}

// agrees reports whether the sender of a state has made the same calls as this rank.
func (h *history) agrees(state []byte) bool {
	return numberOf(state) == h.n && (h.n == 0 || theirs(state, 0).hash == h.hash)
}

// DivergedError reports that ranks have made different calls.
type DivergedError struct {
	Rank, Other  int    // two of them
	Number       uint64 // the first call that is known to differ, counted from 1
	Earlier      bool   // calls before it may differ, too
	Mine, Theirs string // that call on Rank and on Other
}

func (e *DivergedError) Error() string {
	first := ""
	if e.Earlier {
		first = " or an earlier call"
	}
	return fmt.Sprintf("ranks %d and %d have gone different ways: call %d%s is %s on rank %d and %s on rank %d. "+
		"All ranks must make the same calls on devices: nothing that decides about them may depend on the rank, on "+
		"time, on the order of a map or of goroutines, or on random numbers of the process (see devices.Agree)",
		e.Rank, e.Other, e.Number, first, e.Mine, e.Rank, e.Theirs, e.Other)
}

// compare returns the first difference between the calls of this rank and those of a state of
// another rank, which may be behind or ahead; nil if none is known.
func (h *history) compare(rank, other int, state []byte) *DivergedError {
	n := numberOf(state)
	var e *DivergedError
	for i := range uint64(min(told, n)) {
		number, their := n-1-i, theirs(state, i)
		if number >= h.n || number+hashes < h.n {
			continue
		}
		if h.old[number%hashes] == their.hash {
			break
		}
		mine := "another call"
		if c := h.at(number); c != nil {
			mine = c.String()
		}
		e = &DivergedError{rank, other, number + 1, number > 0 && i == min(told, n)-1, mine, their.String()}
	}
	return e
}

// somewhere returns an error for ranks that have gone different ways, nobody knows where: it names their
// last calls.
func (w *World) somewhere(other int, state []byte) *DivergedError {
	their := theirs(state, 0)
	return &DivergedError{w.Rank(), other, w.n, true, w.at(w.n - 1).String(), their.String()}
}
