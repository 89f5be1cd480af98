package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices/mpi"
)

// fabric is a network between goroutines, which are its ranks.
type fabric struct {
	mu       sync.Mutex
	messages map[route][][]byte
	shared   map[int]*[]byte // by the number of the broadcast
	arrived  map[int]int     // at barriers
	sent     int             // messages and broadcasts
	bytes    int
}

type route struct{ from, to, tag int }

type port struct {
	*fabric
	rank, size int
	calls      int // collective calls so far
}

// newFabric returns the ports of n ranks.
func newFabric(n int) (ports []*port) {
	f := &fabric{messages: map[route][][]byte{}, shared: map[int]*[]byte{}, arrived: map[int]int{}}
	for rank := range n {
		ports = append(ports, &port{fabric: f, rank: rank, size: n})
	}
	return ports
}

func (p *port) Rank() int { return p.rank }
func (p *port) Size() int { return p.size }

func (p *port) Isend(b []byte, to, tag int) (mpi.Request, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := route{p.rank, to, tag}
	p.messages[at] = append(p.messages[at], append([]byte(nil), b...))
	p.sent, p.bytes = p.sent+1, p.bytes+len(b)
	return request(func() (bool, error) { return true, nil }), nil
}

func (p *port) Irecv(b []byte, from, tag int) (mpi.Request, error) {
	at := route{from, p.rank, tag}
	return request(func() (bool, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		q := p.messages[at]
		if len(q) == 0 {
			return false, nil
		}
		p.messages[at] = q[1:]
		if len(q[0]) != len(b) {
			return true, fmt.Errorf("a message has %d bytes, not %d", len(q[0]), len(b))
		}
		copy(b, q[0])
		return true, nil
	}), nil
}

func (p *port) Ibcast(b []byte, root int) (mpi.Request, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.calls
	p.calls++
	if p.rank == root {
		c := append([]byte(nil), b...)
		p.shared[n] = &c
		p.sent, p.bytes = p.sent+1, p.bytes+len(b)
	}
	return request(func() (bool, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		c := p.shared[n]
		if c == nil {
			return false, nil
		}
		if len(*c) != len(b) {
			return true, fmt.Errorf("a broadcast has %d bytes, not %d", len(*c), len(b))
		}
		copy(b, *c)
		return true, nil
	}), nil
}

func (p *port) Ibarrier() (mpi.Request, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.calls
	p.calls++
	p.arrived[n]++
	return request(func() (bool, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.arrived[n] == p.size, nil
	}), nil
}

type request func() (bool, error)

func (r request) Test() (bool, error) { return r() }
func (r request) Cancel() error       { return nil }

// worlds returns the worlds of n ranks.
func worlds(n int) []*mpi.World {
	data, control := newFabric(n), newFabric(n)
	var all []*mpi.World
	for rank := range n {
		w := mpi.NewWorld(data[rank], control[rank])
		w.SetPatience(20 * time.Millisecond)
		all = append(all, w)
	}
	return all
}

// run calls f on every rank and returns the errors.
func run(all []*mpi.World, f func(w *mpi.World) error) []error {
	errs := make([]error, len(all))
	var done sync.WaitGroup
	for i, w := range all {
		done.Go(func() { errs[i] = f(w) })
	}
	done.Wait()
	return errs
}

// succeed is run for what must not fail.
func succeed(t *testing.T, all []*mpi.World, f func(w *mpi.World) error) {
	t.Helper()
	for rank, err := range run(all, f) {
		if err != nil {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

func pattern(n, seed int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7 + seed)
	}
	return p
}

func same(got, want []byte) error {
	if string(got) != string(want) {
		return fmt.Errorf("%d bytes differ from the %d that were sent", len(got), len(want))
	}
	return nil
}

// TestShare broadcasts from every rank: few bytes, which are in the head, and many.
func TestShare(t *testing.T) {
	succeed(t, worlds(3), func(w *mpi.World) error {
		for _, n := range []int{0, 1, 8, 500, 700, 1000, 100_000} {
			for root := range w.Size() {
				p := make([]byte, n)
				err := w.Share(root, "read", "x", p, func() error {
					copy(p, pattern(n, root))
					return nil
				})
				if err := errors.Join(err, same(p, pattern(n, root))); err != nil {
					return fmt.Errorf("%d bytes of rank %d: %w", n, root, err)
				}
			}
		}
		return w.Close()
	})
}

// TestShareError shares an error, with a short and with a long text.
func TestShareError(t *testing.T) {
	for _, text := range []string{"no memory", strings.Repeat("no memory. ", 300)} {
		all := worlds(3)
		errs := run(all, func(w *mpi.World) error {
			return w.Share(1, "read", "x", make([]byte, 5), func() error { return errors.New(text) })
		})
		for rank, err := range errs {
			if err == nil || err.Error() != text {
				t.Errorf("rank %d: error %v", rank, err)
			}
			var e *mpi.RemoteError
			if remote := errors.As(err, &e); remote != (rank != 1) || remote && e.Rank != 1 {
				t.Errorf("rank %d: the error %v does not say who found it", rank, err)
			}
		}
		succeed(t, all, func(w *mpi.World) error { return w.Close() }) // the ranks still agree
	}
}

// TestPackedErrors sends errors of a type.
func TestPackedErrors(t *testing.T) {
	type typed struct{ error }
	all := worlds(2)
	for _, w := range all {
		w.Pack = func(error) []byte { return []byte("5") }
		w.Unpack = func(p []byte) error { return typed{errors.New(string(p))} }
	}
	errs := run(all, func(w *mpi.World) error {
		return w.Share(0, "read", "x", nil, func() error { return errors.New("broken") })
	})
	if e, ok := errors.AsType[typed](errs[1]); !ok || e.Error() != "5" || errs[1].Error() != "broken" {
		t.Errorf("error %v", errs[1])
	}
}

// TestSend sends around a ring, with messages that are under way at the same time.
func TestSend(t *testing.T) {
	succeed(t, worlds(4), func(w *mpi.World) error {
		for _, n := range []int{0, 8, 700, 5000} {
			for from := range w.Size() {
				to := (from + 1) % w.Size()
				switch w.Rank() {
				case from:
					if err := w.Send(to, "copy", "x", pattern(n, from), nil); err != nil {
						return err
					}
				case to:
					p := make([]byte, n)
					failed, err := w.Receive(from, "copy", "x", p)
					if err := errors.Join(failed, err, same(p, pattern(n, from))); err != nil {
						return err
					}
				default:
					if err := w.Pass("copy", "x", n); err != nil {
						return err
					}
				}
			}
		}
		if w.Rank() == 0 {
			return w.Send(1, "copy", "x", nil, errors.New("lost"))
		} else if w.Rank() > 1 {
			return w.Pass("copy", "x", 3)
		}
		if failed, err := w.Receive(0, "copy", "x", make([]byte, 3)); err == nil || failed != nil {
			return fmt.Errorf("a message of another size: error %w, %w", err, failed)
		}
		return nil
	})
}

// TestSentErrors sends an error instead of bytes.
func TestSentErrors(t *testing.T) {
	succeed(t, worlds(2), func(w *mpi.World) error {
		if w.Rank() == 0 {
			return w.Send(1, "copy", "x", make([]byte, 3), errors.New("lost"))
		}
		failed, err := w.Receive(0, "copy", "x", make([]byte, 3))
		if failed == nil || failed.Error() != "lost" || err != nil {
			return fmt.Errorf("errors %w and %w", failed, err)
		}
		return nil
	})
}

// diverged checks that an error names the calls of two ranks.
func diverged(t *testing.T, err error, calls ...string) {
	t.Helper()
	e, ok := errors.AsType[*mpi.DivergedError](err)
	if !ok {
		t.Errorf("error %v, want a DivergedError", err)
		return
	}
	for _, c := range calls {
		if !strings.Contains(e.Error(), c) {
			t.Errorf("error %q does not name %q", e, c)
		}
	}
}

// TestDivergence makes different calls on two ranks.
func TestDivergence(t *testing.T) {
	share := func(w *mpi.World, root, n int) error { return w.Share(root, "read", "0/cpu", make([]byte, n), nil) }
	for name, test := range map[string]struct {
		one, two func(w *mpi.World) error
		calls    []string // that each error names
		only     int      // the rank that must find it; -1 for both
	}{
		"a launch more": {
			func(w *mpi.World) error {
				w.Note("Map(square)", "1/cpu", 4)
				return share(w, 0, 8)
			},
			func(w *mpi.World) error { return share(w, 0, 8) },
			[]string{"Map(square) on 1/cpu (4)", "read on 0/cpu (8)", "call 1 "}, 1,
		},
		"lengths": {
			func(w *mpi.World) error { return share(w, 0, 8) },
			func(w *mpi.World) error { return share(w, 0, 16) },
			[]string{"read on 0/cpu (8)", "read on 0/cpu (16)"}, 1,
		},
		"a message and a read": {
			func(w *mpi.World) error {
				_, err := w.Receive(1, "copy", "0/cpu", make([]byte, 8))
				return err
			},
			func(w *mpi.World) error { return share(w, 0, 8) },
			[]string{"copy on 0/cpu (8)", "read on 0/cpu (8)", "ranks"}, -1,
		},
		"the end": {
			func(w *mpi.World) error { return w.Close() },
			func(w *mpi.World) error {
				w.Note("Map(square)", "0/cpu", 1)
				return w.Close()
			},
			[]string{"the end on rank 0", "Map(square) on 0/cpu (1) on rank 1", "call 1 "}, 1,
		},
		"the end, and a message": {
			func(w *mpi.World) error { return w.Close() },
			func(w *mpi.World) error { return share(w, 0, 8) },
			[]string{"the end", "read on 0/cpu (8)"}, -1,
		},
		"out of sight": {
			func(w *mpi.World) error {
				for range 5000 {
					w.Note("Map(cube)", "0/cpu", 1)
				}
				return share(w, 1, 8)
			},
			func(w *mpi.World) error { return share(w, 0, 8) },
			[]string{"call 1 ", "read on 0/cpu (8)"}, -1,
		},
		"long ago": {
			func(w *mpi.World) error {
				w.Note("Map(square)", "0/cpu", 1)
				for range 20 {
					w.Note("Map(cube)", "0/cpu", 1)
				}
				return share(w, 0, 8)
			},
			func(w *mpi.World) error {
				for range 21 {
					w.Note("Map(cube)", "0/cpu", 1)
				}
				return share(w, 0, 8)
			},
			[]string{"or an earlier call", "Map(cube)"}, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := worlds(2)
			errs := run(all, func(w *mpi.World) error {
				if w.Rank() == 0 {
					return test.one(w)
				}
				return test.two(w)
			})
			for rank, err := range errs {
				if test.only == rank || test.only == -1 {
					diverged(t, err, test.calls...)
				}
			}
			if test.only >= 0 {
				if err := all[test.only].Pass("more", "", 0); err == nil {
					t.Error("a rank that has gone another way goes on")
				}
			}
		})
	}
}

// TestSlowRank keeps a rank waiting for longer than its patience: it must not take that for an
// error.
func TestSlowRank(t *testing.T) {
	succeed(t, worlds(3), func(w *mpi.World) error {
		for root := range w.Size() {
			if w.Rank() == root {
				time.Sleep(100 * time.Millisecond)
			}
			if err := w.Share(root, "read", "x", make([]byte, 8), nil); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// TestPace lets one rank send all messages. It must not be far ahead of the others.
func TestPace(t *testing.T) {
	all := worlds(3)
	var most, received atomic.Int64
	succeed(t, all, func(w *mpi.World) error {
		for i := range 2000 {
			if w.Rank() == 0 {
				most.Store(max(most.Load(), int64(i)-received.Load()))
			} else if w.Rank() == 2 {
				received.Store(int64(i))
			}
			if err := w.Share(0, "read", "x", make([]byte, 8), nil); err != nil {
				return err
			}
		}
		return w.Close()
	})
	if most.Load() > 300 {
		t.Errorf("rank 0 was %d messages ahead", most.Load())
	}
}

// TestGoroutines calls from two goroutines at a time.
func TestGoroutines(t *testing.T) {
	all := worlds(2)
	var done sync.WaitGroup
	done.Go(func() { _ = all[0].Share(1, "read", "x", make([]byte, 8), nil) })
	for all[0].Calls() == 0 {
		time.Sleep(time.Millisecond)
	}
	var err error
	done.Go(func() { err = all[0].Share(1, "sync", "y", make([]byte, 8), nil) })
	time.Sleep(10 * time.Millisecond)
	_ = all[1].Share(1, "read", "x", make([]byte, 8), nil)
	done.Wait()
	if err == nil || !strings.Contains(err.Error(), "sync on y is called while another goroutine uses devices") {
		t.Errorf("error %v", err)
	}
}

// TestQuiet makes calls that only one rank makes.
func TestQuiet(t *testing.T) {
	all := worlds(2)
	succeed(t, all, func(w *mpi.World) error {
		if w.Rank() == 0 {
			end := w.Quiet()
			w.Note("Map(square)", "0/cpu", 1)
			end()
		}
		return w.Share(0, "read", "0/cpu", make([]byte, 8), nil)
	})
	defer all[0].Quiet()()
	err := all[0].Share(0, "read", "0/cpu", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "needs a message") {
		t.Errorf("error %v", err)
	}
}

// TestAfterClose uses a world that has ended.
func TestAfterClose(t *testing.T) {
	all := worlds(2)
	succeed(t, all, func(w *mpi.World) error { return w.Close() })
	if err := all[0].Pass("copy", "x", 1); err == nil || !strings.Contains(err.Error(), "after Close") {
		t.Errorf("error %v", err)
	}
}

// TestMeet compares ranks.
func TestMeet(t *testing.T) {
	meet := func(change func(rank int, p *mpi.Process)) []error {
		return run(worlds(3), func(w *mpi.World) error {
			p := mpi.Process{Host: "a", Program: "x", Settings: map[string]string{"SKEL_CHECK": "1"}}
			change(w.Rank(), &p)
			return w.Meet(p)
		})
	}
	for want, change := range map[string]func(rank int, p *mpi.Process){
		"": func(int, *mpi.Process) {},
		"rank 2 on b runs another program than rank 0 on a": func(rank int, p *mpi.Process) {
			if rank == 2 {
				p.Host, p.Program = "b", "y"
			}
		},
		`rank 1 on a has SKEL_CHECK="", rank 0 on a has "1": pass it to all ranks`: func(rank int, p *mpi.Process) {
			if rank == 1 {
				p.Settings = nil
			}
		},
	} {
		for rank, err := range meet(change) {
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: error %v, want one with %q", rank, err, want)
			}
		}
	}
}
