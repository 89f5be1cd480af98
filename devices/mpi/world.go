package mpi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/mpi/mpi"
)

// World is what one rank knows of all ranks, and makes their messages.
type World struct {
	net     Network // of the program's messages
	control Network // of states, when a message is late

	// Pack and Unpack send types of errors to other ranks. They may be nil. Pack returns nothing for
	// an error of another type.
	Pack   func(error) []byte
	Unpack func([]byte) error

	quiet atomic.Int32 // number of calls of Quiet and Alone that have not ended
	alone atomic.Bool  // a call of Alone has not ended

	busy sync.Mutex // held by the call that is being made; guards the fields below
	history
	err     error // what ended all communication
	refused error // the first message that a call of Alone would have sent

	messages uint64  // number of calls that may need messages
	barrier  Request // see pace; nil before the first
	sending  []sending
	head     []byte // of the message that is being received or sent
	tells    uint64 // how often this rank has told the others where it is
	told     map[int]report
	lost     []Request     // calls that failed: MPI may still use their memory
	patient  time.Duration // how long to wait before a rank tells the others where it is

	lanes    map[route]*lane
	owed     map[int][]*lane // by rank: the lanes of the pieces of which it has not said that they are copied
	machines []string        // on which each rank runs
	played   bool            // see Play
	traffic  Traffic
}

// Traffic counts the messages of a rank since its start, and the bytes that they carry.
type Traffic struct {
	Broadcasts     int // from one rank to all
	Sent, Received int // from one rank to another
	Bytes          int64
}

// Traffic returns what this rank has sent and received so far.
func (w *World) Traffic() Traffic {
	w.busy.Lock()
	defer w.busy.Unlock()
	return w.traffic
}

// Sub returns the difference t - u.
func (t Traffic) Sub(u Traffic) Traffic {
	return Traffic{t.Broadcasts - u.Broadcasts, t.Sent - u.Sent, t.Received - u.Received, t.Bytes - u.Bytes}
}

// count counts a message of n bytes.
func (t *Traffic) count(messages *int, n int) {
	*messages++
	t.Bytes += int64(n)
}

// sending is a message that is being sent, and its bytes.
type sending struct {
	request Request
	p       []byte
}

// report is the reception of the states of another rank.
type report struct {
	request  Request // nil if none is awaited
	state    []byte
	received uint64 // number of states
}

// NewWorld returns the ranks of two networks, which must be separate: no message of one is
// received from the other.
func NewWorld(net, control Network) *World {
	return &World{net: net, control: control, head: make([]byte, headSize), patient: 2 * time.Second}
}

// Start starts MPI and returns the ranks that the launcher has started, or nil if there is
// no launcher, or only one rank.
func Start() (*World, error) {
	if leading != nil {
		return leading, nil
	}
	by, ok := mpi.Launched()
	if !ok || by.Size == 1 {
		return nil, nil
	}
	world, err := mpi.Init()
	if err != nil {
		return nil, err
	}
	if world.Size() == 1 {
		return nil, mpi.Finalize()
	}
	if !mpi.ThreadMultiple() {
		return nil, fmt.Errorf("mpi: %s does not support calls from several threads", mpi.Version())
	}
	var comms [2]*mpi.Comm
	for i := range comms {
		if comms[i], err = world.Dup(); err != nil {
			return nil, err
		}
	}
	return NewWorld(comm{comms[0]}, comm{comms[1]}), nil
}

// Rank returns the number of this process, as the launcher's environment says; 0 without a launcher.
func Rank() int {
	if leading != nil {
		return leading.Rank()
	}
	by, ok := mpi.Launched()
	if !ok || by.Rank < 0 {
		return 0
	}
	return by.Rank
}

// Launched is mpi.Launched.
func Launched() (mpi.Launcher, bool) { return mpi.Launched() }

// Finish ends MPI.
func Finish() error { return mpi.Finalize() }

// Rank returns the number of this rank.
func (w *World) Rank() int { return w.net.Rank() }

// Size returns the number of ranks.
func (w *World) Size() int { return w.net.Size() }

// begin begins a call that all ranks make, and adds it to the history. Calls are made one at a
// time: if two goroutines made calls at the same time, their order could differ from rank to
// rank.
func (w *World) begin(what, on string, count int64, message bool) error {
	if !w.busy.TryLock() {
		w.busy.Lock()
		if w.err == nil && !w.alone.Load() {
			w.err = fmt.Errorf("mpi: rank %d: %s on %s is called while another goroutine uses devices: over several "+
				"ranks, use them from one goroutine at a time, because all ranks must make the same calls in the same "+
				"order",
				w.Rank(), what, on)
		}
	}
	if w.quiet.Load() > 0 {
		if message && w.err == nil {
			err := fmt.Errorf("mpi: rank %d: %s on %s needs a message where ranks may go different ways",
				w.Rank(), what, on)
			if w.alone.Load() { // the others go on, and learn of it from the end
				w.refused = firstError(w.refused, err)
				w.busy.Unlock()
				return err
			}
			w.err = err
		}
	} else {
		w.add(what, on, count)
	}
	if w.err == nil && message {
		err := w.sent(false)
		if w.messages++; err == nil && w.messages%ahead == 0 {
			err = w.pace()
		}
		if err != nil {
			return w.end(err)
		}
	}
	if w.err != nil {
		w.busy.Unlock()
		return w.err
	}
	return nil
}

// ahead is the number of messages between two barriers. A rank that only sends could otherwise be
// far ahead of the others, and libraries search long lists of messages that nobody has
// asked for yet: a read over two ranks of MPICH took a millisecond.
const ahead = 128

// pace waits for the barrier that began `ahead` messages ago, and begins another one.
func (w *World) pace() error {
	if w.barrier != nil {
		if err := w.wait(w.barrier, nil); err != nil {
			return err
		}
	}
	var err error
	w.barrier, err = w.net.Ibarrier()
	return err
}

// end ends the call, and remembers an error of the communication, after which none is possible.
func (w *World) end(err error) error {
	if err != nil && w.err == nil {
		w.err = err
		if _, ok := errors.AsType[*DivergedError](err); ok {
			_ = w.tell(true) // ranks that wait for this one find the error, too
		}
	}
	w.busy.Unlock()
	return err
}

// Note adds a call to the history that sends nothing.
func (w *World) Note(what, on string, count int64) {
	if w.quiet.Load() == 0 && w.begin(what, on, count, false) == nil {
		_ = w.end(nil)
	}
}

// Quiet begins calls that not every rank makes, because they depend on what Go's garbage
// collector has found, or that only the owner of a device makes. They send nothing, and the
// history does not have them. They end with the function that Quiet returns.
func (w *World) Quiet() (end func()) {
	w.quiet.Add(1)
	return func() { w.quiet.Add(-1) }
}

// Alone begins calls that each rank makes by itself, for as long as it likes. First it checks that all ranks have
// called it with the same name, and waits until the others do not need this rank for earlier messages. A message
// in the calls is refused, and an error of the function that ends them.
func (w *World) Alone(what, on string) (end func() error, err error) {
	if err := w.Share(0, what, on, nil, nil); err != nil {
		return nil, err
	}
	if err := w.begin(what, on, 0, true); err != nil {
		return nil, err
	}
	err = w.settleLanes()
	if err == nil {
		err = w.sent(true)
	}
	if err := w.end(err); err != nil {
		return nil, err
	}
	w.quiet.Add(1)
	w.alone.Store(true)
	return func() error {
		w.busy.Lock()
		defer w.busy.Unlock()
		w.alone.Store(false)
		w.quiet.Add(-1)
		err := w.refused
		w.refused = nil
		return err
	}, nil
}

// A message begins with a head: the sender's state, and the bytes if there are few.
const (
	headSize = 1024
	infoAt   = stateSize     // 0, or 1 more than the length of the text of an error, in 4 bytes
	inlineAt = stateSize + 8 // the bytes or the text, if they fit
	inline   = headSize - inlineAt
)

// fill makes the head of a message with the bytes p, or with an error.
func (w *World) fill(head, p []byte, err error) (rest []byte) {
	w.state(head)
	binary.LittleEndian.PutUint32(head[infoAt:], 0)
	if err != nil {
		p = []byte(err.Error())
		if w.Pack != nil {
			p = append(append(p, 0), w.Pack(err)...)
		}
		binary.LittleEndian.PutUint32(head[infoAt:], uint32(len(p))+1)
	}
	if len(p) > inline {
		return p
	}
	copy(head[inlineAt:], p)
	return nil
}

// open looks at a head from another rank. It returns what is to be received next, or nil
// if p has been filled, and whether that is the text of an error.
func (w *World) open(from int, head, p []byte) (rest []byte, failed bool, err error) {
	if !w.agrees(head) {
		if e := w.compare(w.Rank(), from, head); e != nil {
			return nil, false, e
		}
		return nil, false, w.somewhere(from, head)
	}
	n := binary.LittleEndian.Uint32(head[infoAt:])
	if failed = n > 0; failed {
		p = make([]byte, n-1)
	}
	if len(p) > inline {
		return p, failed, nil
	}
	copy(p, head[inlineAt:])
	if failed {
		return p, true, nil
	}
	return nil, false, nil
}

// RemoteError is an error that another rank reports.
type RemoteError struct {
	Rank int
	Text string
	Err  error // of the type that the error has there; nil if it is not one of those that are sent
}

func (e *RemoteError) Error() string { return e.Text }

// Unwrap returns Err.
func (e *RemoteError) Unwrap() error { return e.Err }

// remote makes an error of what another rank has sent.
func (w *World) remote(from int, p []byte) error {
	text, more, _ := strings.Cut(string(p), "\x00")
	e := &RemoteError{Rank: from, Text: text}
	if w.Unpack != nil && more != "" {
		e.Err = w.Unpack([]byte(more))
	}
	return e
}

// Share copies p of rank root to p of all ranks. get, which may be nil, fills it there. If get
// fails, Share returns its error on all ranks.
func (w *World) Share(root int, what, on string, p []byte, get func() error) error {
	if err := w.begin(what, on, int64(len(p)), true); err != nil {
		return err
	}
	w.traffic.count(&w.traffic.Broadcasts, len(p))
	if w.Rank() == root {
		var failed error
		if get != nil {
			failed = get()
		}
		rest := w.fill(w.head, p, failed)
		err := w.broadcast(w.head, root)
		if err == nil && rest != nil {
			err = w.broadcast(rest, root)
		}
		return firstError(w.end(err), failed)
	}
	if err := w.broadcast(w.head, root); err != nil {
		return w.end(err)
	}
	rest, failed, err := w.open(root, w.head, p)
	if err == nil && len(rest) > inline {
		err = w.broadcast(rest, root)
	}
	if err := w.end(err); err != nil {
		return err
	}
	if failed {
		return w.remote(root, rest)
	}
	return nil
}

// fewBytes is the number of bytes from which on the library's broadcast takes less time than messages along a tree:
// it divides them.
const fewBytes = 32 << 10

// broadcast copies p of rank root to p of all ranks. Messages along a tree take less time than a broadcast of the
// library that does not block.
func (w *World) broadcast(p []byte, root int) error {
	if len(p) > fewBytes {
		return w.wait(w.net.Ibcast(p, root))
	}
	n := w.Size()
	rank := func(place int) int { return (root + place) % n }
	var sent []Request
	err := spread((w.Rank()-root+n)%n, n,
		func(from int) error { return w.wait(w.net.Irecv(p, rank(from), dataTag)) },
		func(to int) error {
			r, err := w.net.Isend(p, rank(to), dataTag)
			sent = append(sent, r)
			return err
		})
	for _, r := range sent {
		if err != nil {
			w.lost = append(w.lost, r)
			continue
		}
		err = w.wait(r, nil)
	}
	return err
}

// sendHead sends p to a rank, which receives it with receiveHead: a head, and what does not fit in it. If failed is
// not nil, it sends that instead. p must not change afterwards.
func (w *World) sendHead(to int, p []byte, failed error) error {
	head := make([]byte, headSize)
	rest := w.fill(head, p, failed)
	err := w.sent(false)
	for _, q := range [][]byte{head, rest} {
		if q != nil && err == nil {
			err = w.isend(q, to, dataTag)
		}
	}
	return err
}

// isend begins to send p, which must not change afterwards.
func (w *World) isend(p []byte, to, tag int) error {
	r, err := w.net.Isend(p, to, tag)
	if err == nil {
		w.sending = append(w.sending, sending{r, p})
	}
	return err
}

// receiveHead fills p with what another rank sends. failed is the error that it sent instead.
func (w *World) receiveHead(from int, p []byte) (failed, err error) {
	if err := w.wait(w.net.Irecv(w.head, from, dataTag)); err != nil {
		return nil, err
	}
	rest, isError, err := w.open(from, w.head, p)
	if err == nil && len(rest) > inline {
		err = w.wait(w.net.Irecv(rest, from, dataTag))
	}
	if err != nil {
		return nil, err
	}
	if isError {
		return w.remote(from, rest), nil
	}
	return nil, nil
}

// Close waits until all ranks have called Close, and until all messages have been sent.
func (w *World) Close() error {
	if err := w.Share(0, "the end", "", nil, nil); err != nil {
		return err
	}
	if err := w.begin("the end", "", 0, true); err != nil {
		return err
	}
	err := w.settleLanes()
	if err == nil {
		err = w.pace()
	}
	if err == nil {
		err = w.wait(w.barrier, nil)
	}
	if err == nil {
		err = w.drain()
	}
	if err == nil {
		err = w.sent(true)
	}
	if err == nil {
		_ = w.end(errClosed)
		return nil
	}
	return w.end(err)
}

var errClosed = errors.New("mpi: devices are used after Close")

// sent forgets messages that have been sent; if all is true it waits for all.
func (w *World) sent(all bool) error {
	left := w.sending[:0]
	for _, s := range w.sending {
		if all {
			if err := w.wait(s.request, nil); err != nil {
				return err
			}
			continue
		}
		done, err := s.request.Test()
		if err != nil {
			return err
		}
		if !done {
			left = append(left, s)
		}
	}
	clear(w.sending[len(left):])
	w.sending = left
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
